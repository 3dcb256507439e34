import type { CgroupEvent } from '../../src/events/index.js';
import type { CgroupWorld } from './cgroup-world.js';
import type { Random } from './random.js';

export const worldHierarchies = [0, 4, 9];
const leafNames = ['a', 'b', 'c'];

/** Lets something happen in the world that the kernel allows; perhaps nothing. */
export function randomStep(
  world: CgroupWorld,
  random: Random,
  { renames = true } = {},
): CgroupEvent[] {
  const cgroup = random.pick(world.alive());
  const roll = random.below(100);
  if (roll < 32 || !cgroup) return randomMkdir(world, random);
  if (roll < 50) return cgroup.tasks < 2 ? world.enter(cgroup) : [];
  if (roll < 72) return cgroup.tasks > 0 ? world.leave(cgroup) : [];
  if (roll < 94) {
    const isRemovable = world.children(cgroup).length === 0 && cgroup.tasks === 0;
    return isRemovable ? world.rmdir(cgroup) : [];
  }
  // Only v1 has it.
  if (cgroup.hierarchy === 0 || !renames) return [];
  const name = random.pick(leafNames) ?? '';
  const path = world.pathOf(cgroup);
  const target = path.slice(0, path.lastIndexOf('/') + 1) + name;
  return world.at(cgroup.hierarchy, target) ? [] : world.rename(cgroup, name);
}

function randomMkdir(world: CgroupWorld, random: Random): CgroupEvent[] {
  const hierarchy = random.pick(worldHierarchies) ?? 0;
  const above = world.alive().filter((cgroup) => cgroup.hierarchy === hierarchy);
  const parent = random.chance(0.5) ? random.pick(above) : undefined;
  const path = `${parent ? world.pathOf(parent) : ''}/${random.pick(leafNames) ?? ''}`;
  if (path.length > 6 || world.at(hierarchy, path)) return [];
  return world.mkdir(hierarchy, path);
}
