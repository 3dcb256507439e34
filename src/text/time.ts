const perSecond = 1_000_000_000n;
const perMillisecond = 1_000_000n;

/** A time in ns since the epoch as RFC 3339, UTC, with nine digits. */
export function formatRfc3339(epoch: bigint): string {
  const seconds = floorDivide(epoch, perSecond);
  const nanoseconds = String(epoch - seconds * perSecond).padStart(9, '0');
  return `${iso(epoch).slice(0, 19)}.${nanoseconds}Z`;
}

/** The time of day in UTC: `14:02:11`, or with `digits` 3 `14:02:11.042`. */
export function formatClock(epoch: bigint, digits: 0 | 3 = 0): string {
  return iso(epoch).slice(11, digits === 0 ? 19 : 23);
}

/** The day in UTC: `2026-12-01`. */
export function formatDay(epoch: bigint): string {
  return iso(epoch).slice(0, 10);
}

function iso(epoch: bigint): string {
  return new Date(Number(floorDivide(epoch, perMillisecond))).toISOString();
}

function floorDivide(dividend: bigint, divisor: bigint): bigint {
  const quotient = dividend / divisor;
  return dividend % divisor < 0n ? quotient - 1n : quotient;
}
