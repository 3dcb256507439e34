import { lstatSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  cgroupDirectory,
  CgroupfsError,
  createHierarchyTable,
  createSnapshotter,
  isWithin,
  type Hierarchy,
  type HierarchyTable,
  type SnapshotSource,
} from '../cgroupfs/index.js';
import { findEmptyLeaves, type EmptyLeaf } from './empty-leaves.js';

export interface ScanOptions {
  /** Paths of cgroups, raw bytes as latin1: only those, and all below. All by default. */
  readonly under?: readonly string[];
  /** Ids of hierarchies: only those. All that are mounted by default. */
  readonly hierarchies?: readonly number[];
  /** Looks again so much later, ns, and tells only what is empty still. */
  readonly settle?: bigint;
  /** By default the kernel's iterator where there is one, else a walk. */
  readonly source?: SnapshotSource;
  readonly table?: HierarchyTable;
}

/** The empty leaves right below one cgroup. */
export interface ScanGroup {
  /** Its path: `/` for the root. */
  readonly parent: string;
  readonly leaves: readonly EmptyLeaf[];
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

/** What is there, at one time. */
export interface Scan {
  /** ns since the epoch. */
  readonly time: bigint;
  readonly hierarchies: readonly {
    readonly hierarchy: Hierarchy;
    readonly source: SnapshotSource;
    readonly cgroups: number;
  }[];
  /** In all hierarchies, `under` counted in. */
  readonly cgroups: number;
  /** The most leaves first. */
  readonly groups: readonly ScanGroup[];
  /** Empty leaves: paths. */
  readonly empty: number;
  /** The cgroups that they are, in all hierarchies. */
  readonly emptyCgroups: number;
  /** How many cgroups could not be read: they are missing, or count as in use. */
  readonly unreadable: number;
  /** ns, without the wait. */
  readonly duration: bigint;
}

/**
 * Looks at all cgroups once, without BPF programs that stay, and without root
 * where the directories can be read.
 *
 * @example
 * const { groups } = await scan({ settle: 10_000_000_000n });
 * for (const { parent, leaves } of groups) console.log(parent, leaves.length);
 *
 * @throws CgroupfsError where no hierarchy can be seen.
 */
export async function scan(options: ScanOptions = {}): Promise<Scan> {
  const { table = createHierarchyTable(), settle, source, under } = options;
  const chosen = table
    .all()
    .filter(
      ({ id, mountPoint }) =>
        mountPoint !== undefined && (options.hierarchies?.includes(id) ?? true),
    );
  if (chosen.length === 0)
    throw new CgroupfsError(
      'No cgroup hierarchy is mounted where cgleak can see it, or their mounts are those of a cgroup namespace: run it on the host itself, with /sys/fs/cgroup mounted.',
    );
  const isChosen =
    under === undefined || under.includes('/')
      ? () => true
      : (path: string) => under.some((directory) => isWithin(path, directory));
  const snapshotter = createSnapshotter(source === undefined ? {} : { source });
  let duration = 0n;

  const look = async () => {
    const begin = process.hrtime.bigint();
    const snapshots = [];
    for (const hierarchy of chosen) snapshots.push(await snapshotter.take(hierarchy));
    const leaves = findEmptyLeaves(snapshots, isChosen);
    duration += process.hrtime.bigint() - begin;
    return { snapshots, leaves };
  };

  try {
    let { snapshots, leaves } = await look();
    if (settle !== undefined) {
      await sleep(Number(settle / 1_000_000n));
      const before = leaves;
      ({ snapshots, leaves } = await look());
      leaves = emptyBoth(before, leaves);
    }
    const counts = snapshots.map(
      ({ entries }) => entries.filter(({ path }) => isChosen(path)).length,
    );
    return {
      time: BigInt(Date.now()) * 1_000_000n,
      hierarchies: chosen.map((hierarchy, at) => ({
        hierarchy,
        source: snapshots[at]?.source ?? 'walk',
        cgroups: counts[at] ?? 0,
      })),
      cgroups: counts.reduce((sum, count) => sum + count, 0),
      groups: groupByParent(leaves, table),
      empty: leaves.length,
      emptyCgroups: leaves.reduce((sum, { members }) => sum + members.length, 0),
      unreadable: snapshots.reduce((sum, { unreadable }) => sum + unreadable, 0),
      duration,
    };
  } finally {
    snapshotter.close();
  }
}

/** Those of the second look that are the very same cgroups as in the first. */
function emptyBoth(
  first: readonly EmptyLeaf[],
  second: readonly EmptyLeaf[],
): EmptyLeaf[] {
  const before = new Map(first.map(({ path, members }) => [path, members]));
  return second.filter(({ path, members }) =>
    members.every(({ hierarchy, id }) =>
      before
        .get(path)
        ?.some((member) => member.hierarchy === hierarchy && member.id === id),
    ),
  );
}

function groupByParent(
  leaves: readonly EmptyLeaf[],
  table: HierarchyTable,
): readonly ScanGroup[] {
  const byParent = new Map<string, EmptyLeaf[]>();
  for (const leaf of leaves) {
    const parent = leaf.path.slice(0, leaf.path.lastIndexOf('/')) || '/';
    const siblings = byParent.get(parent);
    if (siblings) siblings.push(leaf);
    else byParent.set(parent, [leaf]);
  }
  return [...byParent]
    .sort(
      ([a, leavesA], [b, leavesB]) => leavesB.length - leavesA.length || (a < b ? -1 : 1),
    )
    .map(([parent, siblings]) => ({
      parent,
      leaves: siblings,
      oldest: oldestOf(siblings, table),
    }));
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
