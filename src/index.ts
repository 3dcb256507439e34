/**
 * cgleak as a library: the lifecycle of cgroups, and those that are left behind.
 * @packageDocumentation
 */
export {
  eventKinds,
  monotonicNow,
  openTracer,
  toWallClock,
  trace,
  type CgroupEvent,
  type EmptiedEvent,
  type EventKind,
  type ExitedTask,
  type MkdirEvent,
  type PlainEvent,
  type Task,
  type TaskName,
  type TraceOptions,
  type Tracer,
  type TracerOptions,
} from './events/index.js';
export {
  cgroupDirectory,
  CgroupfsError,
  createSnapshotter,
  readHierarchies,
  takeSnapshot,
  type Hierarchy,
  type Snapshot,
  type SnapshotEntry,
  type Snapshotter,
  type SnapshotterOptions,
  type SnapshotSource,
  type HierarchyTable,
} from './cgroupfs/index.js';
export {
  createDying,
  createLifecycle,
  settleAll,
  type Candidate,
  type Counts,
  type CloseReason,
  type Creator,
  type Dying,
  type DyingCounts,
  type DyingEvidence,
  type DyingGroup,
  type DyingMeasure,
  type DyingOptions,
  type Finding,
  type FindingKind,
  type FindingMember,
  type Lifecycle,
  type LifecycleOptions,
  type Observation,
  type RemovalDelay,
} from './lifecycle/index.js';
export {
  createOwnerOf,
  defineOwnerRow,
  defineOwnerRows,
  OwnerRowError,
  ownerRows,
  type IdForm,
  type OwnerOf,
  type OwnerRow,
  type OwnerRowInput,
  type Ownership,
} from './owners/index.js';
export {
  scan,
  startWatch,
  type EmptyLeaf,
  type Scan,
  type OwnedLeaf,
  type ScanGroup,
  type ScanOptions,
  type Watch,
  type WatchOptions,
  type WatchSummary,
} from './watch/index.js';
export { escapeText } from './text/index.js';
export { BpfError, type ProgramStatus } from './bpf-ts/index.js';
