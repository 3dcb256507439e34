import { readText } from './read-text.js';

/** Bits as in capability(7). */
const bits = { CAP_SYS_ADMIN: 21n, CAP_PERFMON: 38n, CAP_BPF: 39n } as const;

/**
 * The capabilities that loading the programs takes and this process lacks;
 * undefined where /proc doesn't tell.
 *
 * @param status - what /proc/self/status says.
 */
export function missingCapabilities(
  status = readText('/proc/self/status'),
): string[] | undefined {
  const match = /^CapEff:\s*([0-9a-f]+)$/m.exec(status ?? '');
  if (!match) return undefined;
  const effective = BigInt(`0x${match[1] ?? '0'}`);
  const has = (name: keyof typeof bits) => ((effective >> bits[name]) & 1n) === 1n;
  if (has('CAP_SYS_ADMIN')) return [];
  return (['CAP_BPF', 'CAP_PERFMON'] as const).filter((name) => !has(name));
}

/** Capabilities count in the first user namespace alone, and containers may have another. */
export function isInitialUserNamespace(uidMap = readText('/proc/self/uid_map')): boolean {
  return uidMap === undefined || /^\s*0\s+0\s+4294967295\s*$/.test(uidMap);
}

/** What gives them. */
export const capabilityRemedy =
  'run it as root (sudo), or give the service AmbientCapabilities=CAP_BPF CAP_PERFMON';
