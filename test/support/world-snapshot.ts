import type { CgroupEvent } from '../../src/events/index.js';
import type { Reconciliation } from '../../src/lifecycle/index.js';
import type { CgroupWorld, WorldCgroup } from './cgroup-world.js';
import type { Random } from './random.js';

/** The world's cgroups of a hierarchy, as the kernel's iterator would show them now. */
export function worldSnapshot(
  world: CgroupWorld,
  hierarchy: number,
): Reconciliation['snapshot'] {
  const below = (parent: WorldCgroup | undefined): WorldCgroup[] =>
    world
      .alive()
      .filter((cgroup) => cgroup.hierarchy === hierarchy && cgroup.parent === parent)
      .flatMap((cgroup) => [cgroup, ...below(cgroup)]);
  return {
    hierarchy,
    root: '/',
    entries: below(undefined).map((cgroup) => ({
      id: cgroup.id,
      parentId: cgroup.parent?.id ?? 1n,
      path: world.pathOf(cgroup),
      populated: world.isPopulated(cgroup),
      children: world.children(cgroup).length,
    })),
  };
}

/**
 * A walk through it while other things happen: what each cgroup was is seen at a
 * time of its own. Returns the events of that time, too.
 */
export function worldWalk(
  world: CgroupWorld,
  hierarchy: number,
  random: Random,
  happen: () => readonly CgroupEvent[],
): { snapshot: Reconciliation['snapshot']; since: CgroupEvent[] } {
  const since: CgroupEvent[] = [];
  const entries: Reconciliation['snapshot']['entries'][number][] = [];
  const goOn = () => {
    while (random.chance(0.4)) since.push(...happen());
  };
  const visit = (parent: WorldCgroup | undefined) => {
    const listed = world
      .alive()
      .filter((cgroup) => cgroup.hierarchy === hierarchy && cgroup.parent === parent);
    for (const cgroup of listed) {
      goOn();
      if (!cgroup.alive) continue;
      entries.push({
        id: cgroup.id,
        parentId: parent?.id ?? 1n,
        path: world.pathOf(cgroup),
        populated: world.isPopulated(cgroup),
        children: 0,
      });
      visit(cgroup);
    }
  };
  goOn();
  visit(undefined);
  goOn();
  return { snapshot: { hierarchy, root: '/', entries }, since };
}
