import { constants } from 'node:os';

/** The first real-time signal that a program may use; the C library keeps 32 and 33. */
const realTimeFirst = 34;
const realTimeLast = 64;

// Of two names for a number, the first is the usual one, but for these.
const aliases = new Set(['SIGIOT', 'SIGPOLL', 'SIGUNUSED']);

const names = new Map<number, string>(
  Object.entries(constants.signals)
    .filter(([name]) => !aliases.has(name))
    .map(([name, number]) => [number, name]),
);

/** The name of a signal: `SIGKILL`, `SIGRTMIN+1`. */
export function signalName(signal: number): string {
  const name = names.get(signal);
  if (name !== undefined) return name;
  if (signal === realTimeFirst) return 'SIGRTMIN';
  if (signal > realTimeFirst && signal <= realTimeLast)
    return `SIGRTMIN+${signal - realTimeFirst}`;
  return `signal ${signal}`;
}
