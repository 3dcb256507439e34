import type { FindingKind } from '../../src/lifecycle/index.js';
import type { CgroupWorld, Stay, WorldCgroup } from './cgroup-world.js';

/** What stands at one path, and was removed from there while anything stood. */
export interface PathState {
  readonly path: string;
  readonly left: readonly WorldCgroup[];
  readonly removed: readonly WorldCgroup[];
  readonly isPopulated: boolean;
  readonly hasChildren: boolean;
  readonly kind: FindingKind | undefined;
  readonly changedAt: bigint;
}

/** All of it from scratch, from the history of the world. */
export function pathState(world: CgroupWorld, path: string, parents: boolean): PathState {
  const stays = world.stays.filter((stay) => stay.path === path);
  const left = stays.filter(({ to }) => to === Infinity).map(({ cgroup }) => cgroup);
  const sinceThen = stays.filter(({ to }) => to > begin(stays, world.step()));
  // Of each hierarchy the last that was there.
  const last = sinceThen.filter(
    (stay) =>
      !sinceThen.some(
        (other) =>
          other.cgroup.hierarchy === stay.cgroup.hierarchy && other.from > stay.from,
      ),
  );
  const removed = last.filter(({ end }) => end === 'rmdir').map(({ cgroup }) => cgroup);
  const isPopulated = left.some((cgroup) => world.isPopulated(cgroup));
  const hasChildren = left.some((cgroup) => world.children(cgroup).length > 0);
  const isParent = [...left, ...removed].some(({ everParent }) => everParent);
  const isUnused = !left.some(({ everPopulated }) => everPopulated);

  let kind: FindingKind | undefined;
  if (left.length > 0 && !isPopulated && !hasChildren && (parents || !isParent)) {
    if (removed.length > 0) kind = 'partial';
    else kind = isUnused ? 'unused' : 'abandoned';
  }
  const changedAt = world.touches
    .filter((touch) => touch.path === path)
    .reduce((latest, { time }) => (time > latest ? time : latest), 0n);
  return { path, left, removed, isPopulated, hasChildren, kind, changedAt };
}

/** Since which step something has stood there all the time. */
function begin(stays: readonly Stay[], now: number): number {
  let step = now;
  while (stays.some(({ from, to }) => from <= step && step < to)) step -= 1;
  return step;
}

export function allPaths(world: CgroupWorld): string[] {
  return [...new Set(world.stays.map(({ path }) => path))].sort();
}
