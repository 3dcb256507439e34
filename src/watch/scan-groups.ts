import { lstatSync } from 'node:fs';
import {
  cgroupDirectory,
  type Hierarchy,
  type HierarchyTable,
} from '../cgroupfs/index.js';
import { parentPath } from '../lifecycle/index.js';
import type { Ownership } from '../owners/index.js';
import type { EmptyLeaf } from './empty-leaves.js';

/** An empty leaf, and whose it is. */
export interface OwnedLeaf extends EmptyLeaf {
  readonly owner: Ownership | undefined;
}

/** The empty leaves of one owner, or, of nobody known, those right below one cgroup. */
export interface ScanGroup {
  /** Its name. */
  readonly owner?: string;
  /** The path of the cgroup that they are below, `/` for the root; absent for several. */
  readonly parent?: string;
  readonly leaves: readonly OwnedLeaf[];
  /** The one made first, as its id tells. */
  readonly oldest: {
    readonly path: string;
    /**
     * It was there at that time already, ns since the epoch. The kernel keeps no
     * time of creation: a directory's times begin when somebody first looks at it.
     */
    readonly standsSince?: bigint;
  };
}

/** By owner, else by parent; the most leaves first. */
export function groupLeaves(
  leaves: readonly OwnedLeaf[],
  table: HierarchyTable,
): readonly ScanGroup[] {
  const groups = new Map<string, OwnedLeaf[]>();
  for (const leaf of leaves) {
    // A path begins with a slash, an owner's name does not.
    const key = leaf.owner?.owner ?? parentOf(leaf);
    const alike = groups.get(key);
    if (alike) alike.push(leaf);
    else groups.set(key, [leaf]);
  }
  return [...groups]
    .sort(
      ([a, leavesA], [b, leavesB]) => leavesB.length - leavesA.length || (a < b ? -1 : 1),
    )
    .map(([, alike]) => {
      const owner = alike[0]?.owner?.owner;
      const [parent, ...others] = new Set(alike.map(parentOf));
      return {
        ...(owner !== undefined && { owner }),
        ...(parent !== undefined && others.length === 0 && { parent }),
        leaves: alike,
        oldest: oldestOf(alike, table),
      };
    });
}

function parentOf({ path }: EmptyLeaf): string {
  return parentPath(path) ?? '/';
}

/** The kernel gives ids in ascending order, within a hierarchy. */
function oldestOf(
  leaves: readonly EmptyLeaf[],
  table: HierarchyTable,
): ScanGroup['oldest'] {
  const oldest = new Map<number, { path: string; id: bigint }>();
  for (const { path, members } of leaves) {
    for (const { hierarchy, id } of members) {
      const known = oldest.get(hierarchy);
      if (!known || id < known.id) oldest.set(hierarchy, { path, id });
    }
  }
  let result: ScanGroup['oldest'] | undefined;
  for (const [hierarchy, { path, id }] of oldest) {
    const standsSince = timeOf(table.get(hierarchy), path, id);
    if (
      !result ||
      (standsSince !== undefined &&
        (result.standsSince === undefined || standsSince < result.standsSince))
    )
      result = standsSince === undefined ? { path } : { path, standsSince };
  }
  return result ?? { path: leaves[0]?.path ?? '/' };
}

function timeOf(
  hierarchy: Hierarchy | undefined,
  path: string,
  id: bigint,
): bigint | undefined {
  const directory = hierarchy && cgroupDirectory(hierarchy, path);
  if (!directory) return undefined;
  try {
    const { ino, mtimeNs, ctimeNs } = lstatSync(directory, { bigint: true });
    if (ino !== id) return undefined;
    return mtimeNs < ctimeNs ? mtimeNs : ctimeNs;
  } catch {
    return undefined;
  }
}
