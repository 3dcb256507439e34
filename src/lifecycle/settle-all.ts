import type { Lifecycle, Observation } from './lifecycle-types.js';

/**
 * Settles whatever is due by the events alone: for a replay, far from the file
 * system.
 */
export function settleAll(lifecycle: Lifecycle, now: bigint): void {
  for (const candidate of lifecycle.due(now)) {
    const observed = candidate.members.map((member): Observation => ({
      ...member,
      state: 'unknown',
    }));
    lifecycle.settle(candidate, observed, now);
  }
}
