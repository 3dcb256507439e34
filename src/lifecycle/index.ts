export * from './finding.js';
export { createLifecycle, settleAll } from './lifecycle.js';
export type {
  Candidate,
  Counts,
  Lifecycle,
  LifecycleOptions,
  Observation,
} from './lifecycle-types.js';
