export * from './finding.js';
export { createLifecycle } from './lifecycle.js';
export { settleAll } from './settle-all.js';
export type {
  Candidate,
  Counts,
  Lifecycle,
  LifecycleOptions,
  Observation,
} from './lifecycle-types.js';
