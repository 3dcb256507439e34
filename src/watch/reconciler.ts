import type { Hierarchy, Snapshot, SnapshotSource } from '../cgroupfs/index.js';
import type { CgroupEvent } from '../events/index.js';
import type { Differences } from '../lifecycle/index.js';

/** The model has been made equal to the file system. */
export interface Reconciled {
  /** start: with what was there before; loss: after events had been lost. */
  readonly reason: 'start' | 'loss';
  readonly sources: readonly SnapshotSource[];
  /** Those looked at. */
  readonly hierarchies: number;
  /** In all of them. */
  readonly cgroups: number;
  /** The model did not know of them. */
  readonly found: number;
  /** They had been removed unseen. */
  readonly gone: number;
  /** It was wrong about whether a task was in them. */
  readonly corrected: number;
  /** Hierarchies that could not be looked at, ids: about them events alone tell. */
  readonly skipped: readonly number[];
  /** ns */
  readonly duration: bigint;
}

export interface ReconcilerOptions {
  hierarchies(): readonly Hierarchy[];
  take(hierarchy: Hierarchy): Promise<Snapshot>;
  /** Delivers what is in the ring, to hold() or feed(). */
  flush(): void;
  feed(events: readonly CgroupEvent[]): void;
  /** Merges a snapshot, and feeds the events. */
  merge(
    snapshot: Snapshot,
    since: readonly CgroupEvent[],
    reason: Reconciled['reason'],
  ): Differences | undefined;
  onReconciled(reconciled: Reconciled): void;
  /** CLOCK_MONOTONIC in ns. */
  now(): bigint;
}

/** Keeps the model true: at the start, and whenever events have been lost. */
export interface Reconciler {
  start(): void;
  /** Events have been lost: looks soon, and not more often than it can afford. */
  lost(): void;
  /** Keeps events back while a snapshot is being taken; false where none is. */
  hold(events: readonly CgroupEvent[]): boolean;
  isHolding(): boolean;
  /** Feeds what it holds, and looks no more. */
  stop(): void;
  /** Resolves once nothing is to be reconciled any more. */
  idle(): Promise<void>;
}

const pauseMs = 250;
/** After a look that took long, a pause of so many times that. */
const pauseFactor = 4;
/** So many events may wait for a snapshot: then it is given up. */
const mostHeld = 200_000;

export function createReconciler(options: ReconcilerOptions): Reconciler {
  let held: CgroupEvent[] | undefined;
  let isWanted: Reconciled['reason'] | undefined;
  let isRunning = false;
  let isStopped = false;
  let isGivenUp = false;
  let timer: NodeJS.Timeout | undefined;
  let notBefore = 0n;
  let waiters: (() => void)[] = [];

  const wasGivenUp = () => isGivenUp;

  function release(): CgroupEvent[] {
    const events = held ?? [];
    held = undefined;
    return events;
  }

  function schedule(reason: Reconciled['reason']): void {
    isWanted = isWanted ?? reason;
    if (timer || isRunning || isStopped) return;
    const rest = Number((notBefore - options.now()) / 1_000_000n);
    timer = setTimeout(begin, Math.max(pauseMs, rest));
  }

  function begin(): void {
    timer = undefined;
    const reason = isWanted;
    isWanted = undefined;
    if (isStopped || !reason) return;
    isRunning = true;
    void run(reason)
      .catch((error: unknown) => {
        // As from any other callback.
        setImmediate(() => {
          throw error;
        });
      })
      .finally(() => {
        isRunning = false;
        if (isWanted) schedule(isWanted);
        else settle();
      });
  }

  function settle(): void {
    for (const wake of waiters) wake();
    waiters = [];
  }

  async function run(reason: Reconciled['reason']): Promise<void> {
    const start = options.now();
    const sources = new Set<SnapshotSource>();
    const sum = { cgroups: 0, found: 0, gone: 0, corrected: 0 };
    const skipped: number[] = [];
    let hierarchies = 0;
    for (const hierarchy of options.hierarchies()) {
      if (hierarchy.mountPoint === undefined) continue;
      const result = await look(hierarchy, reason);
      if (isStopped) return;
      if (!result) {
        skipped.push(hierarchy.id);
        continue;
      }
      hierarchies += 1;
      sources.add(result.snapshot.source);
      sum.cgroups += result.snapshot.entries.length;
      sum.found += result.differences.found;
      sum.gone += result.differences.gone;
      sum.corrected += result.differences.corrected;
      // Whatever else waits has its turn.
      await new Promise((resolve) => setImmediate(resolve));
    }
    const duration = options.now() - start;
    notBefore = options.now() + duration * BigInt(pauseFactor);
    if (isStopped || hierarchies + skipped.length === 0) return;
    options.onReconciled({
      reason,
      sources: [...sources],
      hierarchies,
      ...sum,
      skipped,
      duration,
    });
  }

  async function look(hierarchy: Hierarchy, reason: Reconciled['reason']) {
    // What has been reported by now comes before the snapshot.
    options.flush();
    held = [];
    isGivenUp = false;
    let snapshot: Snapshot | undefined;
    try {
      snapshot = await options.take(hierarchy);
    } catch {
      // It has been unmounted, or may not be read.
    }
    if (isStopped) return undefined;
    options.flush();
    const since = release();
    if (!snapshot || wasGivenUp()) {
      options.feed(since);
      if (wasGivenUp()) schedule(reason);
      return undefined;
    }
    const differences = options.merge(snapshot, since, reason);
    if (!differences) {
      schedule(reason);
      return undefined;
    }
    return { snapshot, differences };
  }

  return {
    start: () => {
      isWanted = 'start';
      timer = setTimeout(begin, 0);
    },
    lost: () => {
      schedule('loss');
    },
    hold: (events) => {
      if (!held) return false;
      for (const event of events) held.push(event);
      if (held.length > mostHeld) {
        isGivenUp = true;
        options.feed(release());
      }
      return true;
    },
    isHolding: () => held !== undefined,
    stop: () => {
      isStopped = true;
      clearTimeout(timer);
      timer = undefined;
      options.feed(release());
      settle();
    },
    idle: () =>
      isRunning || timer
        ? new Promise((resolve) => {
            waiters.push(resolve);
          })
        : Promise.resolve(),
  };
}
