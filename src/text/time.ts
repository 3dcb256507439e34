const perSecond = 1_000_000_000n;

/** A time in ns since the epoch as RFC 3339, UTC, with nine digits. */
export function formatRfc3339(epoch: bigint): string {
  const { text, nanoseconds } = take(epoch);
  return `${text}.${String(nanoseconds).padStart(9, '0')}Z`;
}

/** The time of day in UTC: `14:02:11`, or with `digits` 3 `14:02:11.042`. */
export function formatClock(epoch: bigint, digits: 0 | 3 = 0): string {
  const { text, nanoseconds } = take(epoch);
  const clock = text.slice(-8);
  if (digits === 0) return clock;
  const milliseconds = Math.floor(nanoseconds / 1e6);
  return `${clock}.${String(milliseconds).padStart(3, '0')}`;
}

/** The day in UTC: `2026-12-01`. */
export function formatDay(epoch: bigint): string {
  return take(epoch).text.slice(0, -9);
}

/** Most times in a row are of the same second. */
let lastSecond = 0;
let lastText = '1970-01-01T00:00:00';

function take(epoch: bigint): { text: string; nanoseconds: number } {
  let nanoseconds = Number(epoch % perSecond);
  let second = Number(epoch / perSecond);
  if (nanoseconds < 0) {
    nanoseconds += 1e9;
    second -= 1;
  }
  if (second !== lastSecond) {
    lastText = new Date(second * 1_000).toISOString().slice(0, -5);
    lastSecond = second;
  }
  return { text: lastText, nanoseconds };
}
