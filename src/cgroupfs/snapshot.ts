import { currentClock } from '../bpf-ts/index.js';
import { openCgroupIterator, type CgroupIterator } from './cgroup-iterator.js';
import { CgroupfsError } from './cgroupfs-error.js';
import { walkCgroups } from './cgroup-walk.js';
import type { Hierarchy } from './hierarchy.js';
import { createSnapshotReader } from './snapshot-reader.js';

/** One cgroup in a snapshot. */
export interface SnapshotEntry {
  readonly id: bigint;
  readonly parentId: bigint;
  /** Below the hierarchy's root, raw bytes as latin1: as in events. */
  readonly path: string;
  /** A task is in it, or in a cgroup below it. */
  readonly populated: boolean;
  /** How many children it has. */
  readonly children: number;
}

/** How a snapshot came to be: the kernel's iterator sees one moment, a walk a while. */
export type SnapshotSource = 'iterator' | 'walk';

/** All cgroups of a hierarchy, but the one at its mount point. */
export interface Snapshot {
  readonly hierarchy: number;
  readonly source: SnapshotSource;
  /** CLOCK_MONOTONIC in ns: it shows what was there at some time between the two. */
  readonly begin: bigint;
  readonly end: bigint;
  /** The path of the cgroup at the mount point: `/`, but in a container. */
  readonly root: string;
  /** Parents before their children. */
  readonly entries: readonly SnapshotEntry[];
  /** How many cgroups could not be read: what is below them is missing. */
  readonly unreadable: number;
}

export interface Snapshotter {
  /**
   * @throws CgroupfsError where the hierarchy is not mounted, or can't be read.
   */
  readonly take: (hierarchy: Hierarchy) => Promise<Snapshot>;
  close(): void;
}

export interface SnapshotterOptions {
  /** By default the iterator where there is one, else the walk. */
  readonly source?: SnapshotSource;
}

/**
 * Takes snapshots of several hierarchies, one after another.
 *
 * @example
 * const snapshotter = createSnapshotter();
 * for (const hierarchy of readHierarchies()) {
 *   if (hierarchy.mountPoint === undefined) continue;
 *   const { source, entries } = await snapshotter.take(hierarchy);
 *   console.log(hierarchy.controllers.join(), source, entries.length);
 * }
 * snapshotter.close();
 */
export function createSnapshotter(options: SnapshotterOptions = {}): Snapshotter {
  const { source } = options;
  let iterator: CgroupIterator | undefined;
  let isMissing = false;
  /** Hierarchies that it does not go through: v1 on some kernels. */
  const refused = new Set<number>();

  /** @returns undefined where the iterator can't do it. */
  function iterate(hierarchy: Hierarchy, mountPoint: Buffer): Snapshot | undefined {
    if (isMissing || refused.has(hierarchy.id)) return undefined;
    const reader = createSnapshotReader(hierarchy);
    try {
      iterator ??= openCgroupIterator();
    } catch (error) {
      isMissing = true;
      if (source === 'iterator') throw error;
      return undefined;
    }
    try {
      // What ran before a larger ring was needed is no part of the snapshot.
      const begin = iterator.run(mountPoint, reader);
      return {
        hierarchy: hierarchy.id,
        source: 'iterator',
        begin,
        end: currentClock().monotonic,
        root: rootOf(hierarchy),
        entries: reader.entries(),
        unreadable: 0,
      };
    } catch (error) {
      refused.add(hierarchy.id);
      if (source === 'iterator') throw error;
      return undefined;
    }
  }

  async function walk(hierarchy: Hierarchy, mountPoint: Buffer): Promise<Snapshot> {
    const begin = currentClock().monotonic;
    const reader = createSnapshotReader(hierarchy);
    const { batch, unreadable } = await walkCgroups(mountPoint, hierarchy.version === 2);
    const end = currentClock().monotonic;
    reader.add(batch);
    if (hierarchy.version === 1) reader.populateAncestors();
    return {
      hierarchy: hierarchy.id,
      source: 'walk',
      begin,
      end,
      root: rootOf(hierarchy),
      entries: reader.entries(),
      unreadable,
    };
  }

  return {
    take: async (hierarchy) => {
      if (hierarchy.mountPoint === undefined)
        throw new CgroupfsError(
          `The hierarchy ${hierarchy.controllers.join()} is mounted nowhere that is seen from here: mount it to see its cgroups.`,
        );
      const mountPoint = Buffer.from(hierarchy.mountPoint, 'latin1');
      const iterated = source === 'walk' ? undefined : iterate(hierarchy, mountPoint);
      return iterated ?? (await walk(hierarchy, mountPoint));
    },
    close: () => {
      iterator?.close();
      iterator = undefined;
    },
  };
}

/** One snapshot; see {@link createSnapshotter} for several. */
export async function takeSnapshot(
  hierarchy: Hierarchy,
  options: SnapshotterOptions = {},
): Promise<Snapshot> {
  const snapshotter = createSnapshotter(options);
  try {
    return await snapshotter.take(hierarchy);
  } finally {
    snapshotter.close();
  }
}

function rootOf({ mountRoot = '/' }: Hierarchy): string {
  return mountRoot;
}
