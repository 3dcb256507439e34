import { dyingDescendants, dyingMemory } from '../cgroupfs/index.js';
import type { HierarchyTable } from '../cgroupfs/index.js';
import type { DyingGroup, DyingMeasure } from '../lifecycle/index.js';

/** What the file system says of removed cgroups, in the hierarchies where they were. */
export function measureDying(
  table: HierarchyTable,
  { path, hierarchies }: DyingGroup,
): DyingMeasure {
  let pinnedBytes: number | undefined;
  let nrDyingDescendants: number | undefined;
  for (const id of hierarchies) {
    const hierarchy = table.get(id);
    if (!hierarchy) continue;
    pinnedBytes ??= dyingMemory(hierarchy, path);
    nrDyingDescendants ??= dyingDescendants(hierarchy, path);
  }
  return {
    ...(pinnedBytes !== undefined && { pinnedBytes }),
    ...(nrDyingDescendants !== undefined && { nrDyingDescendants }),
  };
}
