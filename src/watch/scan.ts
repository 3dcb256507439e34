import { setTimeout as sleep } from 'node:timers/promises';
import {
  CgroupfsError,
  createHierarchyTable,
  createSnapshotter,
  type Hierarchy,
  type HierarchyTable,
  type SnapshotSource,
} from '../cgroupfs/index.js';
import type { OwnerOf } from '../owners/index.js';
import { findEmptyLeaves, type EmptyLeaf } from './empty-leaves.js';
import { isUnder } from './is-under.js';
import { groupLeaves, type ScanGroup } from './scan-groups.js';

export interface ScanOptions {
  /** Paths of cgroups, raw bytes as latin1: only those, and all below. All by default. */
  readonly under?: readonly string[];
  /** Ids of hierarchies: only those. All that are mounted by default. */
  readonly hierarchies?: readonly number[];
  /** Looks again so much later, ns, and tells only what is empty still. */
  readonly settle?: bigint;
  /** By default the kernel's iterator where there is one, else a walk. */
  readonly source?: SnapshotSource;
  /** Whose cgroup a path is. Nobody's by default. */
  readonly ownerOf?: OwnerOf;
  readonly table?: HierarchyTable;
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
  /** Those besides that their owners keep empty on purpose: paths. */
  readonly kept: number;
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
 * for (const { owner, parent, leaves } of groups) console.log(owner ?? parent, leaves.length);
 *
 * @throws CgroupfsError where no hierarchy can be seen.
 */
export async function scan(options: ScanOptions = {}): Promise<Scan> {
  const {
    table = createHierarchyTable(),
    ownerOf = () => undefined,
    settle,
    source,
    under,
  } = options;
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
  const isChosen = isUnder(under);
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
    const left = leaves
      .map((leaf) => ({ ...leaf, owner: ownerOf(leaf.path) }))
      .filter(({ owner }) => owner?.keepsEmpty !== true);
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
      groups: groupLeaves(left, table),
      empty: left.length,
      kept: leaves.length - left.length,
      emptyCgroups: left.reduce((sum, { members }) => sum + members.length, 0),
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
