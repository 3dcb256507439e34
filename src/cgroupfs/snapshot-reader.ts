import { forEachRecord, type RingBatch } from '../bpf-ts/index.js';
import type { Hierarchy } from './hierarchy.js';
import { cgroupRecordOffsets, cgroupRecordSize } from './snapshot-layout.generated.js';
import type { SnapshotEntry } from './snapshot.js';

type Entry = { -readonly [Name in keyof SnapshotEntry]: SnapshotEntry[Name] };

/** Makes entries of the records of bpf/snapshot.h, which come parents first. */
export interface SnapshotReader {
  readonly add: (batch: RingBatch) => void;
  /** Begins anew. */
  clear(): void;
  /** Hands on that a cgroup is populated to all above it, where the records don't. */
  populateAncestors(): void;
  entries(): readonly SnapshotEntry[];
}

export function createSnapshotReader({ mountRoot = '/' }: Hierarchy): SnapshotReader {
  const rootPath = mountRoot === '/' ? '' : mountRoot;
  let entries: Entry[] = [];
  let parents: number[] = [];
  /** The path and the place of the last cgroup of each level, the topmost's first. */
  let paths: string[] = [];
  let places: number[] = [];
  let topLevel: number | undefined;

  return {
    add: (batch) => {
      const { view, bytes } = batch;
      forEachRecord(batch, (at) => {
        const absolute = view.getUint32(at + cgroupRecordOffsets.level, true);
        topLevel ??= absolute;
        const level = absolute - topLevel;
        if (level === 0) {
          paths[0] = rootPath;
          return;
        }
        const nameAt = at + cgroupRecordSize;
        const nameLength = view.getUint16(at + cgroupRecordOffsets.nameLength, true);
        const name = bytes.toString('latin1', nameAt, nameAt + nameLength);
        const path = `${paths[level - 1] ?? ''}/${name}`;
        const parent = level > 1 ? (places[level - 1] ?? -1) : -1;
        const above = entries[parent];
        if (above) above.children += 1;
        paths[level] = path;
        places[level] = entries.length;
        parents.push(parent);
        entries.push({
          id: view.getBigUint64(at + cgroupRecordOffsets.id, true),
          parentId: above?.id ?? view.getBigUint64(at + cgroupRecordOffsets.parent, true),
          path,
          populated: view.getUint8(at + cgroupRecordOffsets.populated) !== 0,
          children: 0,
        });
      });
    },
    clear: () => {
      entries = [];
      parents = [];
      paths = [];
      places = [];
      topLevel = undefined;
    },
    populateAncestors: () => {
      for (let at = entries.length - 1; at >= 0; at--) {
        const parent = entries[parents[at] ?? -1];
        if (parent && entries[at]?.populated) parent.populated = true;
      }
    },
    entries: () => entries,
  };
}
