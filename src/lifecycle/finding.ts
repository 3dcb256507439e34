import type { ExitedTask, Task, TaskName } from '../events/event.js';
import type { Ownership } from '../owners/index.js';

/** The kinds of finding. */
export type FindingKind =
  /** Was populated, has neither task nor child for longer than its grace, and still stands. */
  | 'abandoned'
  /** Moreover, the same path was removed from some hierarchies and is left in others. */
  | 'partial'
  /** Never populated, and older than its grace. */
  | 'unused'
  /** Populated only by processes that outlived its first process and its creator. */
  | 'orphaned'
  /** Removed, yet not released: something that is charged to it keeps it in memory. */
  | 'dying'
  /** The kernel refused to remove it, or to make one below it. */
  | 'refused';

/** Why a finding closed. */
export type CloseReason =
  /** The cgroups that were left have all been removed. */
  | 'removed'
  /** A task entered one of them. */
  | 'repopulated'
  /** One of them has got a child: it is in use as a parent. */
  | 'parent'
  /** The last of them was renamed: it is there under another path. */
  | 'renamed'
  /** Of dying: as good as all of them have been released. */
  | 'released';

/** One cgroup of a finding, in one hierarchy. */
export interface FindingMember {
  readonly hierarchy: number;
  readonly id: bigint;
}

export interface Creator extends TaskName {
  readonly ancestors: readonly TaskName[];
}

/**
 * How long others took from emptied to rmdir, ns: those of the same owner, or, where
 * the owner is not known, those below the same parent.
 */
export interface RemovalDelay {
  readonly count: number;
  readonly p50: bigint;
  readonly p99: bigint;
}

/** Removed cgroups that are not released, of one owner or parent. */
export interface DyingEvidence {
  /** Removed longer than the grace ago; each hierarchy for itself. */
  readonly cgroups: number;
  /** Where, ids ascending. */
  readonly hierarchies: readonly number[];
  /** When the first of them was removed. */
  readonly oldestRemovedAt: bigint;
  /** What may be charged to them at most, bytes; absent where that can't be known. */
  readonly pinnedBytes?: number;
  /** On v2: how many the kernel counts below the path, also from before the start. */
  readonly nrDyingDescendants?: number;
}

/**
 * What is left of one path, over all hierarchies, with its evidence at the
 * moment `time`. Times are ns of CLOCK_MONOTONIC. A finding's changes come in
 * the order opened, updated..., closed, and share `key`.
 */
export interface Finding {
  /** Unique while the process lives; the same for all states of one finding. */
  readonly key: number;
  readonly state: 'opened' | 'updated' | 'closed';
  readonly finding: FindingKind;
  readonly time: bigint;
  /** Raw bytes as latin1. */
  readonly path: string;
  /** Whose it is, as its path tells. */
  readonly owner?: Ownership;
  /** Where the path still stands, by hierarchy id ascending. For closed: where it stood last. */
  readonly left: readonly FindingMember[];
  /** Where it has been removed. */
  readonly removed: readonly FindingMember[];
  /** First mkdir of the path; absent where it was there before the start. */
  readonly createdAt?: bigint;
  readonly preexisting: boolean;
  /** It was made while events were lost. */
  readonly unseen?: true;
  readonly creator?: Creator;
  /** When the last of them became empty; absent for one that never was populated here. */
  readonly emptiedAt?: bigint;
  readonly lastTask?: ExitedTask;
  readonly movedBy?: TaskName;
  /** Absent until one has been seen removed. */
  readonly siblings?: RemovalDelay;
  /** A cgroup that once had children; told where parents are asked for, or by its owner's row. */
  readonly parent: boolean;
  /** For closed. */
  readonly reason?: CloseReason;
  /** Who removed it, for reason removed where that was seen; of dying who removed the last. */
  readonly removedBy?: Task;
  /** Of dying: `path` is the parent of them all, and `left` and `removed` are empty. */
  readonly dying?: DyingEvidence;
}
