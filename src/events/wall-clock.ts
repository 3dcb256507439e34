import { currentClock } from '../bpf-ts/index.js';

const readAgainAfter = 1_000_000_000n;
/** Less than this is the slewing of NTP, and the inexactness of the reading. */
const tolerance = 1_000_000n;

/** CLOCK_MONOTONIC now, ns: the clock of the events. */
export function monotonicNow(): bigint {
  return process.hrtime.bigint();
}

/** Both clocks, ns, at one moment. */
export interface ClockReading {
  readonly realtime: bigint;
  readonly monotonic: bigint;
}

/**
 * Makes a conversion of times of events into ns since the epoch. The distance of the
 * two clocks is read anew every second, since the host's time may be set, and it
 * stands still for CLOCK_MONOTONIC while the host is suspended. It is taken over only
 * when it has changed by a millisecond, so that one event has one time as long as
 * nobody sets the clock.
 */
export function createWallClock(
  read: () => ClockReading,
  now: () => bigint,
): (monotonic: bigint) => bigint {
  let offset: bigint | undefined;
  let readAt = 0n;
  return (monotonic) => {
    const at = now();
    if (offset === undefined || at - readAt > readAgainAfter) {
      const clock = read();
      const fresh = clock.realtime - clock.monotonic;
      const change = fresh - (offset ?? fresh);
      if (offset === undefined || change > tolerance || change < -tolerance)
        offset = fresh;
      readAt = at;
    }
    return monotonic + offset;
  };
}

/** Turns a time of an event into ns since the epoch, as createWallClock() says. */
export const toWallClock = createWallClock(currentClock, monotonicNow);
