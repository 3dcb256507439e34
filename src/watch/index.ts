export { createEventFilter, type EventChoice } from './event-filter.js';
export type { Reconciled } from './reconciler.js';
export { HierarchyError, resolveHierarchy } from './resolve-hierarchy.js';
export { scan, type Scan, type ScanOptions } from './scan.js';
export type { OwnedLeaf, ScanGroup } from './scan-groups.js';
export type { EmptyLeaf } from './empty-leaves.js';
export { resolveUnder, UnderError } from './resolve-under.js';
export { startWatch, type Watch, type WatchOptions } from './start-watch.js';
export type { WatchSummary } from './watch-summary.js';
