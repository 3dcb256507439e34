/** Why a command ends: told to, its time is over, or nobody reads it any more. */
export type StopReason = 'signal' | 'duration' | 'closed';

export interface Stop {
  readonly stopped: Promise<StopReason>;
  now(reason: StopReason): void;
  /** Ends it after a duration in ns, of any length. */
  after(duration: bigint): void;
  dispose(): void;
}

const signals = { SIGINT: 2, SIGTERM: 15, SIGHUP: 1 } as const;
const longestTimeoutMs = 2n ** 31n - 1n;

let isHungUp = false;

/**
 * Ends by SIGHUP after one, as one would have: where the terminal is gone, Node 20
 * crashes when it exits by itself.
 */
export function dieIfHungUp(): void {
  if (isHungUp) process.kill(process.pid, 'SIGHUP');
}

/** Ends a command in good order at Ctrl-C, SIGTERM or SIGHUP; at the second one at once. */
export function createStop(): Stop {
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;
  let resolve: (reason: StopReason) => void = () => undefined;
  const stopped = new Promise<StopReason>((settle) => {
    resolve = settle;
  });

  const now = (reason: StopReason) => {
    isStopped = true;
    clearTimeout(timer);
    resolve(reason);
  };
  const onSignal = (signal: NodeJS.Signals) => {
    isHungUp ||= signal === 'SIGHUP';
    if (isStopped) process.exit(128 + signals[signal as keyof typeof signals]);
    now('signal');
  };
  const names = Object.keys(signals) as NodeJS.Signals[];
  for (const name of names) process.on(name, onSignal);

  const after = (duration: bigint) => {
    const milliseconds = duration / 1_000_000n;
    const pause = milliseconds > longestTimeoutMs ? longestTimeoutMs : milliseconds;
    timer = setTimeout(() => {
      if (pause === milliseconds) now('duration');
      else after(duration - pause * 1_000_000n);
    }, Number(pause));
  };

  return {
    stopped,
    now,
    after,
    dispose: () => {
      clearTimeout(timer);
      for (const name of names) process.off(name, onSignal);
    },
  };
}
