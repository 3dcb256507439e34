import type { Snapshot } from '../cgroupfs/index.js';
import type { CgroupEvent } from '../events/event.js';
import type { OwnerOf } from '../owners/index.js';
import type { Finding, FindingMember } from './finding.js';
import type { Origin } from './group.js';

export interface LifecycleOptions {
  /** How long a cgroup may stand empty before it is a finding, ns. */
  readonly grace: bigint;
  /** Whether a cgroup that once had children may be a finding. False by default. */
  readonly parents?: boolean;
  /** Whose cgroup a path is. Nobody's by default. */
  readonly ownerOf?: OwnerOf;
  /** Whether the grace of an owner's row counts in place of `grace`. False by default. */
  readonly ownerGraces?: boolean;
  /** Gives each finding its key, another each time. 1, 2 and so on by default. */
  readonly nextKey?: () => number;
}

/** A path whose grace is over, before anybody looked at the file system. */
export interface Candidate {
  readonly path: string;
  /** The cgroups that would be left. */
  readonly members: readonly FindingMember[];
}

/** What the file system says of one cgroup. */
export interface Observation extends FindingMember {
  /**
   * absent: there is no such directory; replaced: one of another id; parent: it
   * has children; unknown: that hierarchy can't be seen, so the events are
   * trusted.
   */
  readonly state: 'absent' | 'replaced' | 'populated' | 'parent' | 'empty' | 'unknown';
}

/** A snapshot of a hierarchy, to be merged into the model. */
export interface Reconciliation {
  readonly snapshot: Pick<Snapshot, 'hierarchy' | 'root' | 'entries'>;
  /**
   * All events that were reported since before the snapshot began, of all
   * hierarchies, in order, and that have not been fed yet.
   */
  readonly since: readonly CgroupEvent[];
  /** Which paths the model is to know. All by default. */
  readonly isWatched?: (path: string) => boolean;
  /**
   * Where those come from that the model did not know: made before the start, or
   * while events were lost. Undefined for those that are not to be told as long as
   * no task has left them.
   */
  readonly origin: Origin | undefined;
}

/** In what the model was not like the snapshot, cgroups. */
export interface Differences {
  /** It did not know of them. */
  readonly found: number;
  /** They had been removed unseen. */
  readonly gone: number;
  /** It was wrong about whether a task was in them. */
  readonly corrected: number;
}

export interface Counts {
  /** By mkdir, cgroups. */
  readonly created: number;
  /** By rmdir, cgroups. */
  readonly removed: number;
  /** Ever opened. */
  readonly findings: number;
  /** Open now. */
  readonly open: number;
  /** Paths that once had children and have neither child nor task now. */
  readonly emptyParents: number;
  /** Cgroups in memory. */
  readonly tracked: number;
}

/**
 * The model of all cgroups, made of events. It has no clock and does no I/O: the
 * same events and observations always give the same findings.
 *
 * @example
 * const lifecycle = createLifecycle({ grace: 30_000_000_000n });
 * for (const event of recorded) lifecycle.feed(event);
 * settleAll(lifecycle, now);
 * console.log(lifecycle.takeChanges());
 */
export interface Lifecycle {
  feed(event: CgroupEvent): void;
  /** The paths whose grace ended by now, each told once until it changes again. */
  due(now: bigint): readonly Candidate[];
  /** Corrects the model by what the file system says; opens a finding if it still stands. */
  settle(candidate: Candidate, observed: readonly Observation[], now: bigint): void;
  /** Lets the grace of a candidate begin anew: its owner says that all is well. */
  postpone(candidate: Candidate, now: bigint): void;
  /**
   * Merges a snapshot of one hierarchy: it is the truth but for what events since
   * tell. Undefined, and only the events fed, where one of them was a rename.
   */
  reconcile(reconciliation: Reconciliation, time: bigint): Differences | undefined;
  /** When due() will next have something, at the earliest; undefined for never. */
  nextDue(): bigint | undefined;
  /** What has changed since the last call, in order. */
  takeChanges(): readonly Finding[];
  counts(): Counts;
}
