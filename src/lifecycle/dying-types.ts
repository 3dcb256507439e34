import type { CgroupEvent, CgroupName } from '../events/index.js';
import type { OwnerOf } from '../owners/index.js';
import type { Finding } from './finding.js';

export interface DyingOptions {
  /** How long a removed cgroup may stay unreleased before it counts, ns. */
  readonly grace: bigint;
  /** As in LifecycleOptions. */
  readonly ownerOf?: OwnerOf;
  /** As in LifecycleOptions. By default 1, 2 and so on. */
  readonly nextKey?: () => number;
  /**
   * So many of one owner or parent are told, however little they pin. 10 by default:
   * a few are there on any healthy host, for as long as the page cache keeps them.
   */
  readonly leastCgroups?: number;
  /** Fewer are told, too, where they pin so much. 64 MiB by default. */
  readonly leastPinnedBytes?: number;
}

/** What the host says of the removed cgroups below a path. */
export interface DyingMeasure {
  /** What may be charged to them at most; absent where that can't be known. */
  readonly pinnedBytes?: number;
  /** Of cgroup.stat, v2: how many the kernel counts there. */
  readonly nrDyingDescendants?: number;
}

/** Removed cgroups of one owner, or else of one parent. */
export interface DyingGroup {
  /** The owner, or else the parent path; of each there is one group. */
  readonly name: string;
  /** The path below which all of them were. */
  readonly path: string;
  /** Where, ids. */
  readonly hierarchies: ReadonlySet<number>;
}

export interface DyingCounts {
  /** Removed longer than the grace ago, and not released; cgroups. */
  readonly dying: number;
  /** As in Counts. */
  readonly findings: number;
  readonly open: number;
}

/**
 * The model of removed cgroups that are not released. Like the lifecycle it has no
 * clock and does no I/O.
 */
export interface Dying {
  /** Takes in a cgroup that was not released some time after its rmdir. */
  add(rmdir: CgroupEvent): void;
  /** Cgroups in memory. */
  known(): number;
  /**
   * Forgets those that are released.
   * @returns what is to be measured and settled.
   */
  check(
    isUnreleased: (cgroup: CgroupName) => boolean,
    now: bigint,
  ): readonly DyingGroup[];
  /** Opens, updates or closes the finding of a group that check() returned. */
  settle(group: DyingGroup, measure: DyingMeasure, now: bigint): void;
  /** What has changed since the last call, in order. */
  takeChanges(): readonly Finding[];
  counts(): DyingCounts;
}
