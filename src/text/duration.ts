const units = {
  ms: 1_000_000n,
  s: 1_000_000_000n,
  m: 60_000_000_000n,
  h: 3_600_000_000_000n,
  d: 86_400_000_000_000n,
} as const;

type Unit = keyof typeof units;

const form = /^(?:\d+(?:\.\d+)?(?:ms|[smhd]))+$/;
const parts = /(\d+)(?:\.(\d+))?(ms|[smhd])/g;

/** A text that is no duration. */
export class DurationError extends Error {
  override readonly name = 'DurationError';
}

/**
 * Reads a duration: numbers with a unit each, one after another. In ns.
 *
 * @example
 * parseDuration('1m30s'); // 90_000_000_000n
 *
 * @throws DurationError that shows the right form.
 */
export function parseDuration(text: string): bigint {
  if (!form.test(text))
    throw new DurationError(
      `${JSON.stringify(text)} is no duration: give a number and a unit, such as 500ms, 30s, 5m, 2h, 1d or 1m30s.`,
    );
  let sum = 0n;
  for (const [, whole = '', fraction = '', unit] of text.matchAll(parts)) {
    const scale = units[unit as Unit];
    sum += BigInt(whole) * scale;
    sum += (BigInt(fraction || '0') * scale) / 10n ** BigInt(fraction.length);
  }
  return sum;
}

/** Shows a duration in ns with the precision that a human wants: `12 ms`, `2m 31s`. */
export function formatDuration(nanoseconds: bigint): string {
  if (nanoseconds < 0n) return `-${formatDuration(-nanoseconds)}`;
  if (nanoseconds === 0n) return '0 s';
  if (nanoseconds < 1_000n) return `${nanoseconds} ns`;
  if (nanoseconds < units.ms) return `${significant(Number(nanoseconds) / 1e3)} µs`;
  if (nanoseconds < units.s) return `${significant(Number(nanoseconds) / 1e6)} ms`;
  if (nanoseconds < 10n * units.s) return `${significant(Number(nanoseconds) / 1e9)} s`;

  const seconds = (nanoseconds + units.s / 2n) / units.s;
  if (seconds < 60n) return `${seconds} s`;
  const minutes = seconds / 60n;
  if (minutes < 60n) return pair(minutes, 'm', seconds % 60n, 's');
  const hours = minutes / 60n;
  if (hours < 24n) return pair(hours, 'h', minutes % 60n, 'm');
  return pair(hours / 24n, 'd', hours % 24n, 'h');
}

function pair(
  large: bigint,
  largeUnit: string,
  small: bigint,
  smallUnit: string,
): string {
  const first = `${large}${largeUnit}`;
  return small === 0n ? first : `${first} ${small}${smallUnit}`;
}

/** Two digits below 10, whole numbers above. */
function significant(value: number): string {
  return value < 9.95 ? String(Number(value.toFixed(1))) : String(Math.floor(value));
}
