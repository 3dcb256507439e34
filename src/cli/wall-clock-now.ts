import { monotonicNow, toWallClock } from '../events/index.js';

/** Now, in ns since the epoch. */
export function wallClockNow(): bigint {
  return toWallClock(monotonicNow());
}
