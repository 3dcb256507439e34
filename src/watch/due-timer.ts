/** At least so long between two turns, whatever is due. */
const leastPauseMs = 50;
/** A longer delay would overflow, and fire at once. */
const longestPauseMs = 2 ** 31 - 1;

/** Calls back when something is due. */
export interface DueTimer {
  /** Sets when, CLOCK_MONOTONIC in ns; undefined for never. */
  set(due: bigint | undefined): void;
  stop(): void;
}

export function createDueTimer(now: () => bigint, onDue: () => void): DueTimer {
  let timer: NodeJS.Timeout | undefined;
  let timerDue = 0n;

  const stop = () => {
    clearTimeout(timer);
    timer = undefined;
  };

  return {
    set: (due) => {
      if (due === undefined) {
        stop();
        return;
      }
      // One that fires too early looks again: cheaper than a new timer each batch.
      if (timer && timerDue <= due) return;
      stop();
      timerDue = due;
      const pause = Number((due - now()) / 1_000_000n) + 1;
      timer = setTimeout(
        () => {
          timer = undefined;
          onDue();
        },
        Math.min(Math.max(pause, leastPauseMs), longestPauseMs),
      );
    },
    stop,
  };
}
