import type { CgroupEvent, CgroupName, Unreleased } from '../events/index.js';
import type { Dying, DyingGroup, DyingMeasure } from '../lifecycle/index.js';

export interface DyingWatchOptions {
  readonly dying: Dying;
  readonly unreleased: Unreleased;
  readonly measure: (group: DyingGroup) => DyingMeasure;
  /** Called when findings may have changed. */
  readonly onChecked: () => void;
  /** CLOCK_MONOTONIC in ns. */
  readonly now: () => bigint;
}

/** Asks the kernel now and then which removed cgroups it has not released. */
export interface DyingWatch {
  readonly feed: (event: CgroupEvent) => void;
  /** Looks once more, and no more after that. */
  stop(): void;
}

/** Most are released by then, and nothing is kept of those; ns. */
const quickRelease = 1_000_000_000n;
const pauseMs = 1_000;
/** After a look that took long, a pause of so many times that. */
const pauseFactor = 20;
/** So many rmdirs may wait: of what is more, the oldest are passed over. */
const mostRecent = 200_000;

export function createDyingWatch(options: DyingWatchOptions): DyingWatch {
  const { dying, unreleased, measure, onChecked, now } = options;
  let recent: CgroupEvent[] = [];
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;

  function schedule(durationMs: number): void {
    if (timer || isStopped || (recent.length === 0 && dying.known() === 0)) return;
    timer = setTimeout(
      () => {
        timer = undefined;
        const before = now();
        check();
        schedule(Number((now() - before) / 1_000_000n));
      },
      Math.max(pauseMs, durationMs * pauseFactor),
    );
  }

  function check(): void {
    takeIn();
    for (const group of dying.check(unreleased.has, now()))
      dying.settle(group, measure(group), now());
    onChecked();
  }

  /** Of those removed a while ago, keeps what is not released. */
  function takeIn(): void {
    const until = now() - quickRelease;
    const end = recent.findIndex(({ time }) => time > until);
    const waited = end < 0 ? recent : recent.slice(0, end);
    recent = end < 0 ? [] : recent.slice(end);
    if (waited.length === 0) return;
    // One by one would take a system call for each, and few are left of many.
    const isLeft = membership(unreleased.all());
    for (const event of waited) if (isLeft(event)) dying.add(event);
  }

  return {
    feed: (event) => {
      if (event.kind !== 'rmdir' || event.pathTruncated || isStopped) return;
      recent.push(event);
      if (recent.length > mostRecent) recent = recent.slice(mostRecent / 2);
      schedule(0);
    },
    stop: () => {
      if (isStopped) return;
      isStopped = true;
      clearTimeout(timer);
      check();
    },
  };
}

function membership(cgroups: readonly CgroupName[]): (cgroup: CgroupName) => boolean {
  const ids = new Map<number, Set<bigint>>();
  for (const { hierarchy, id } of cgroups) {
    const ofHierarchy = ids.get(hierarchy) ?? new Set();
    ids.set(hierarchy, ofHierarchy.add(id));
  }
  return ({ hierarchy, id }) => ids.get(hierarchy)?.has(id) ?? false;
}
