import { countOf } from '../text/index.js';

const pauseMs = 1_000;

/** Tells of lost events as they grow, once a second at most. */
export interface LossWarning {
  readonly lost: (lostPerCpu: readonly number[]) => void;
  /** Tells the last of it. */
  stop(): void;
}

export function createLossWarning(
  tell: (lostPerCpu: readonly number[]) => void,
): LossWarning {
  let timer: NodeJS.Timeout | undefined;
  let untold: readonly number[] | undefined;
  let known = 0;

  const tellUntold = () => {
    timer = undefined;
    if (untold) tell(untold);
    untold = undefined;
  };
  return {
    lost: (lostPerCpu) => {
      const total = lostPerCpu.reduce((sum, count) => sum + count, 0);
      if (total <= known) return;
      known = total;
      untold = lostPerCpu;
      if (timer) return;
      tellUntold();
      timer = setTimeout(tellUntold, pauseMs);
    },
    stop: () => {
      clearTimeout(timer);
      tellUntold();
    },
  };
}

export function lossText(lostPerCpu: readonly number[], consequence: string): string {
  const lost = lostPerCpu.reduce((sum, count) => sum + count, 0);
  return `cgleak: ${countOf(lost, 'event')} lost so far: ${consequence}.\n`;
}
