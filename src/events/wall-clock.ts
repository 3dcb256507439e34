import { currentClock } from '../bpf-ts/index.js';

const readAgainAfter = 1_000_000_000n;

let offset = 0n;
let readAt: bigint | undefined;

/** CLOCK_MONOTONIC now, ns: the clock of the events. */
export function monotonicNow(): bigint {
  return process.hrtime.bigint();
}

/**
 * Turns a time of an event into ns since the epoch. The distance of the two
 * clocks is read anew every second, since the host's time may be set or slewed
 * and it stands still for CLOCK_MONOTONIC while the host is suspended.
 */
export function toWallClock(monotonic: bigint): bigint {
  const now = monotonicNow();
  if (readAt === undefined || now - readAt > readAgainAfter) {
    const clock = currentClock();
    offset = clock.realtime - clock.monotonic;
    readAt = now;
  }
  return monotonic + offset;
}
