import type { Snapshot } from '../cgroupfs/index.js';
import type { FindingMember } from '../lifecycle/index.js';

/** A path where there are cgroups without tasks and without children. */
export interface EmptyLeaf {
  /** Raw bytes as latin1. */
  readonly path: string;
  readonly members: readonly FindingMember[];
}

/**
 * The empty leaves of snapshots of several hierarchies. A path that is in use in
 * one of them is none.
 */
export function findEmptyLeaves(
  snapshots: readonly Snapshot[],
  isChosen: (path: string) => boolean,
): EmptyLeaf[] {
  const found = new Map<string, FindingMember[]>();
  const inUse = new Set<string>();
  for (const { hierarchy, entries } of snapshots) {
    for (const { path, id, populated, children } of entries) {
      if (!isChosen(path)) continue;
      if (populated || children > 0) {
        inUse.add(path);
        continue;
      }
      const members = found.get(path);
      if (members) members.push({ hierarchy, id });
      else found.set(path, [{ hierarchy, id }]);
    }
  }
  return [...found]
    .filter(([path]) => !inUse.has(path))
    .map(([path, members]) => ({ path, members }));
}
