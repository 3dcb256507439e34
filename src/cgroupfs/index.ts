export {
  cgroupDirectory,
  cgroupPath,
  childOf,
  normalizePath,
} from './cgroup-directory.js';
export { isInitialCgroupNamespace } from './cgroup-namespace.js';
export { cgroupState, type CgroupFiles, type CgroupState } from './cgroup-state.js';
export { CgroupfsError } from './cgroupfs-error.js';
export {
  memoryCgroupLimit,
  memoryCgroupsInUse,
  readControllers,
  type Controller,
} from './controllers.js';
export { dyingDescendants, dyingMemory } from './dying-memory.js';
export type { Hierarchy } from './hierarchy.js';
export {
  createHierarchyTable,
  type HierarchyTable,
  type HierarchyTableOptions,
} from './hierarchy-table.js';
export { isWithin } from './mountinfo.js';
export { readHierarchies, type ProcOptions } from './read-hierarchies.js';
export {
  createSnapshotter,
  takeSnapshot,
  type Snapshot,
  type SnapshotEntry,
  type Snapshotter,
  type SnapshotterOptions,
  type SnapshotSource,
} from './snapshot.js';
export { withShortPath } from './with-short-path.js';
