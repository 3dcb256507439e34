import {
  cgroupState,
  createHierarchyTable,
  type HierarchyTable,
} from '../cgroupfs/index.js';
import type { CgroupState } from '../cgroupfs/index.js';
import type { ProgramStatus } from '../bpf-ts/index.js';
import * as events from '../events/index.js';
import type { CgroupEvent, Tracer, TracerOptions } from '../events/index.js';
import { createLifecycle } from '../lifecycle/index.js';
import type { Candidate, Counts, Finding, Observation } from '../lifecycle/index.js';
import { createDueTimer } from './due-timer.js';
import { createEventFilter } from './event-filter.js';
import type { WatchSummary } from './watch-summary.js';

export interface WatchOptions {
  /** How long a cgroup may stand empty before it is a finding, ns. */
  readonly grace: bigint;
  /** Paths of cgroups, raw bytes as latin1: only those, and all below. All by default. */
  readonly under?: readonly string[];
  /** Ids of hierarchies: only those. All by default. */
  readonly hierarchies?: readonly number[];
  /** Tells cgroups, too, that once had children. False by default. */
  readonly parents?: boolean;
  /** As in TracerOptions. */
  readonly ringBytes?: number;
  /** Called for each change of a finding, in order. */
  onFinding(finding: Finding): void;
  /** Called when events have been lost, with totals for each CPU since the start. */
  onLost?(lostPerCpu: readonly number[]): void;

  /** @internal For tests: what stands for the kernel. */
  readonly openTracer?: (options: TracerOptions) => Tracer;
  /** @internal */
  readonly table?: HierarchyTable;
  /** @internal */
  readonly observe?: (hierarchy: number, path: string, id: bigint) => CgroupState;
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
  /** Looks once more at what is due by now, tells it, and ends. Closing twice is fine. */
  close(): WatchSummary;
}

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
  const lifecycle = createLifecycle({
    grace: options.grace,
    parents: options.parents ?? false,
  });
  const waiting: Candidate[] = [];
  let summary: WatchSummary | undefined;

  const tracer = openTracer({
    ...(options.ringBytes !== undefined && { ringBytes: options.ringBytes }),
    ...(options.onLost && { onLost: options.onLost.bind(options) }),
    // When a removed cgroup is released matters to nobody here.
    without: ['release'],
    onEvents: (batch) => {
      feed(batch);
      tell();
      timer.set(waiting.length > 0 ? now() : lifecycle.nextDue());
    },
  });
  const startedAt = now();
  const timer = createDueTimer(now, () => {
    // What the kernel has reported by now may settle it.
    tracer.flush();
    takeDue();
    settle(candidatesPerTurn);
    tell();
    timer.set(waiting.length > 0 ? now() : lifecycle.nextDue());
  });

  function feed(batch: readonly CgroupEvent[]): void {
    for (const event of batch) if (!filter || filter(event)) lifecycle.feed(event);
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
  }

  function lost(): number {
    return tracer.lost().reduce((sum, count) => sum + count, 0);
  }

  function close(): WatchSummary {
    timer.stop();
    tracer.flush();
    takeDue();
    settle(waiting.length);
    tell();
    const counts = lifecycle.counts();
    const result: WatchSummary = {
      created: counts.created,
      removed: counts.removed,
      findings: counts.findings,
      open: counts.open,
      pending: lifecycle.due(now() + options.grace).length,
      emptyParents: counts.emptyParents,
      lost: lost(),
      duration: now() - startedAt,
    };
    tracer.close();
    return result;
  }

  return {
    programs: tracer.programs,
    table,
    counts: () => lifecycle.counts(),
    lost: () => summary?.lost ?? lost(),
    close: () => (summary ??= close()),
  };
}
