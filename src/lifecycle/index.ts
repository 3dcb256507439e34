export { createDying } from './dying.js';
export type {
  Dying,
  DyingCounts,
  DyingGroup,
  DyingMeasure,
  DyingOptions,
} from './dying-types.js';
export * from './finding.js';
export { parentPath, type Origin } from './group.js';
export { createLifecycle } from './lifecycle.js';
export { settleAll } from './settle-all.js';
export type {
  Candidate,
  Counts,
  Differences,
  Lifecycle,
  LifecycleOptions,
  Observation,
  Reconciliation,
} from './lifecycle-types.js';
