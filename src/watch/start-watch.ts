import {
  cgroupState,
  createHierarchyTable,
  createSnapshotter,
  type HierarchyTable,
} from '../cgroupfs/index.js';
import type { CgroupState, Snapshotter, SnapshotSource } from '../cgroupfs/index.js';
import type { ProgramStatus } from '../bpf-ts/index.js';
import * as events from '../events/index.js';
import type { CgroupEvent, Tracer, TracerOptions } from '../events/index.js';
import { createDying, createLifecycle } from '../lifecycle/index.js';
import type {
  Candidate,
  Counts,
  DyingMeasure,
  DyingGroup,
  DyingOptions,
  Finding,
  Observation,
} from '../lifecycle/index.js';
import type { OwnerOf } from '../owners/index.js';
import { createDueTimer } from './due-timer.js';
import { createDyingWatch } from './dying-watch.js';
import { createEventFilter } from './event-filter.js';
import { isUnder } from './is-under.js';
import { measureDying } from './measure-dying.js';
import { createReconciler, type Reconciled } from './reconciler.js';
import type { WatchSummary } from './watch-summary.js';

export interface WatchOptions {
  /** How long a cgroup may stand empty before it is a finding, ns. */
  readonly grace: bigint;
  /** Whose cgroup a path is. Nobody's by default. */
  readonly ownerOf?: OwnerOf;
  /** As in LifecycleOptions. */
  readonly ownerGraces?: boolean;
  /** Paths of cgroups, raw bytes as latin1: only those, and all below. All by default. */
  readonly under?: readonly string[];
  /** Ids of hierarchies: only those. All by default. */
  readonly hierarchies?: readonly number[];
  /** Tells cgroups, too, that once had children. False by default. */
  readonly parents?: boolean;
  /** Leaves out what stood empty before the start, and stays so. False by default. */
  readonly newOnly?: boolean;
  /** When removed cgroups that are not released are told; the grace is the watch's by default. */
  readonly dying?: Partial<
    Pick<DyingOptions, 'grace' | 'leastCgroups' | 'leastPinnedBytes'>
  >;
  /** As in SnapshotterOptions. */
  readonly source?: SnapshotSource;
  /** As in TracerOptions. */
  readonly ringBytes?: number;
  /** Called for each change of a finding, in order. */
  onFinding(finding: Finding): void;
  /** Called when events have been lost, with totals for each CPU since the start. */
  onLost?(lostPerCpu: readonly number[]): void;
  /** Called when the file system has been looked at: at the start, and after a loss. */
  onReconciled?(reconciled: Reconciled): void;

  /** @internal For tests: what stands for the kernel. */
  readonly openTracer?: (options: TracerOptions) => Tracer;
  /** @internal */
  readonly table?: HierarchyTable;
  /** @internal */
  readonly snapshotter?: Snapshotter;
  /** @internal */
  readonly observe?: (hierarchy: number, path: string, id: bigint) => CgroupState;
  /** @internal */
  readonly measureDying?: (group: DyingGroup) => DyingMeasure;
  /** @internal CLOCK_MONOTONIC in ns. */
  readonly now?: () => bigint;
}

/** A watch at work. */
export interface Watch {
  readonly programs: readonly ProgramStatus[];
  /** Of the hierarchies it knows. */
  readonly table: HierarchyTable;
  counts(): Counts;
  lost(): number;
  /** Resolves once the model is known to equal the file system, as far as it can be seen. */
  reconciled(): Promise<void>;
  /** Looks once more at what is due by now, tells it, and ends. Closing twice is fine. */
  close(): WatchSummary;
}

/** ns */
const holdPause = 50_000_000n;

/** By then every grace is over, an owner's as well. */
const endOfTime = 2n ** 64n;

/** So many cgroups are looked at in one turn of the event loop: a few milliseconds. */
const candidatesPerTurn = 200;

/**
 * Watches this host for cgroups that are left behind, from now on. A finding is
 * checked against the file system before it is told. Needs CAP_BPF and
 * CAP_PERFMON.
 *
 * @example
 * const watch = startWatch({
 *   grace: 30_000_000_000n,
 *   onFinding: ({ state, finding, path }) => console.log(state, finding, path),
 * });
 * process.once('SIGINT', () => console.log(watch.close()));
 *
 * @throws BpfError where the kernel refuses the programs.
 * @throws CgroupfsError where the hierarchies can't be read.
 */
export function startWatch(options: WatchOptions): Watch {
  const {
    now = events.monotonicNow,
    openTracer = events.openTracer,
    table = createHierarchyTable(),
  } = options;
  const observe =
    options.observe ??
    ((hierarchy: number, path: string, id: bigint) => {
      const known = table.get(hierarchy);
      return known ? cgroupState(known, path, id) : 'unknown';
    });
  const filter = createEventFilter(options);
  const snapshotter =
    options.snapshotter ??
    createSnapshotter(options.source === undefined ? {} : { source: options.source });
  let lastKey = 0;
  const shared = {
    ...(options.ownerOf && { ownerOf: options.ownerOf }),
    nextKey: () => ++lastKey,
  };
  const dying = createDying({ grace: options.grace, ...options.dying, ...shared });
  const lifecycle = createLifecycle({
    grace: options.grace,
    parents: options.parents ?? false,
    ...shared,
    ownerGraces: options.ownerGraces ?? false,
  });
  const waiting: Candidate[] = [];
  let summary: WatchSummary | undefined;

  const tracer = openTracer({
    ...(options.ringBytes !== undefined && { ringBytes: options.ringBytes }),
    onLost: (lostPerCpu) => {
      options.onLost?.(lostPerCpu);
      reconciler.lost();
    },
    keepUnreleased: true,
    onEvents: (batch) => {
      const chosen = filter ? batch.filter(filter) : batch;
      if (reconciler.hold(chosen)) return;
      feed(chosen);
      tell();
      setTimer();
    },
  });
  const dyingWatch =
    tracer.unreleased &&
    createDyingWatch({
      dying,
      unreleased: tracer.unreleased,
      measure: options.measureDying ?? ((group) => measureDying(table, group)),
      onChecked: tell,
      now,
    });
  const { under, hierarchies } = options;
  const isWatched = isUnder(under);
  const reconciler = createReconciler({
    hierarchies: () => table.all().filter(({ id }) => hierarchies?.includes(id) ?? true),
    take: snapshotter.take,
    flush: () => {
      tracer.flush();
    },
    feed,
    merge: (snapshot, since, reason) => {
      const before = options.newOnly === true ? undefined : 'before';
      const origin = reason === 'start' ? before : 'unseen';
      for (const event of since) dyingWatch?.feed(event);
      const differences = lifecycle.reconcile(
        { snapshot, since, isWatched, origin },
        now(),
      );
      tell();
      setTimer();
      return differences;
    },
    onReconciled: (reconciled) => options.onReconciled?.(reconciled),
    now,
  });
  const startedAt = now();
  const timer = createDueTimer(now, () => {
    // What the kernel has reported by now may settle it.
    tracer.flush();
    if (reconciler.isHolding()) {
      timer.set(now() + holdPause);
      return;
    }
    takeDue();
    settle(candidatesPerTurn);
    tell();
    setTimer();
  });
  reconciler.start();

  function setTimer(): void {
    timer.set(waiting.length > 0 ? now() : lifecycle.nextDue());
  }

  function feed(batch: readonly CgroupEvent[]): void {
    for (const event of batch) {
      lifecycle.feed(event);
      dyingWatch?.feed(event);
    }
  }

  function takeDue(): void {
    for (const candidate of lifecycle.due(now())) waiting.push(candidate);
  }

  function settle(most: number): void {
    for (const candidate of waiting.splice(0, most)) {
      const observations = candidate.members.map(({ hierarchy, id }): Observation => ({
        hierarchy,
        id,
        state: observe(hierarchy, candidate.path, id),
      }));
      lifecycle.settle(candidate, observations, now());
    }
  }

  function tell(): void {
    for (const finding of lifecycle.takeChanges()) options.onFinding(finding);
    for (const finding of dying.takeChanges()) options.onFinding(finding);
  }

  function allCounts(): Counts {
    const counts = lifecycle.counts();
    const { findings, open } = dying.counts();
    return {
      ...counts,
      findings: counts.findings + findings,
      open: counts.open + open,
    };
  }

  function lost(): number {
    return tracer.lost().reduce((sum, count) => sum + count, 0);
  }

  function close(): WatchSummary {
    timer.stop();
    reconciler.stop();
    tracer.flush();
    takeDue();
    settle(waiting.length);
    tell();
    dyingWatch?.stop();
    const counts = allCounts();
    const { dying: dyingCgroups } = dying.counts();
    const result: WatchSummary = {
      created: counts.created,
      removed: counts.removed,
      findings: counts.findings,
      open: counts.open,
      pending: lifecycle.due(endOfTime).length,
      emptyParents: options.parents === true ? 0 : counts.emptyParents,
      ...(dyingCgroups > 0 && { dying: dyingCgroups }),
      lost: lost(),
      duration: now() - startedAt,
    };
    tracer.close();
    snapshotter.close();
    return result;
  }

  return {
    programs: tracer.programs,
    table,
    counts: allCounts,
    lost: () => summary?.lost ?? lost(),
    reconciled: () => {
      tracer.flush();
      return reconciler.idle();
    },
    close: () => (summary ??= close()),
  };
}
