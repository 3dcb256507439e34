import { closeSync, constants, openSync } from 'node:fs';
import { currentClock, openObject, type BpfObject } from '../bpf-ts/index.js';
import { linkedObject } from '../events/objects.js';
import { decodeSnapshotTotals, snapshotTotalsSize } from './snapshot-layout.generated.js';
import type { SnapshotReader } from './snapshot-reader.js';

/** The kernel's own iterator over cgroups. */
export interface CgroupIterator {
  /**
   * Goes through a cgroup and all below it in one consistent pass.
   * @returns when it began, CLOCK_MONOTONIC in ns.
   * @throws BpfError where the kernel does not do that for this hierarchy.
   */
  run(directory: Buffer, reader: SnapshotReader): bigint;
  close(): void;
}

const key = new Uint8Array(4);
/** Enough for some 15,000 cgroups. */
const firstRingBytes = 1024 * 1024;

/** @throws BpfError where this kernel has no such iterator, or one may not use it. */
export function openCgroupIterator(): CgroupIterator {
  let ringBytes = firstRingBytes;
  let object = load(ringBytes);

  /** @returns how large the ring has to be where it was too small. */
  function runOnce(fd: number, reader: SnapshotReader): number | undefined {
    const totals = object.map('totals');
    totals.update(key, new Uint8Array(snapshotTotalsSize));
    const ring = object.ringBuffer('records', reader.add);
    try {
      object.iterate('on_cgroup', { cgroup: { fd, order: 'descendants-pre' } });
      ring.flush();
    } finally {
      ring.close();
    }
    const value = totals.lookup(key);
    if (!value) return undefined;
    const view = new DataView(value.buffer, value.byteOffset, value.byteLength);
    const { lost, bytesNeeded } = decodeSnapshotTotals(view, 0);
    return lost === 0n ? undefined : Number(bytesNeeded);
  }

  return {
    run: (directory, reader) => {
      const fd = openSync(directory, constants.O_RDONLY | constants.O_DIRECTORY);
      try {
        for (;;) {
          const begin = currentClock().monotonic;
          const needed = runOnce(fd, reader);
          if (needed === undefined) return begin;
          reader.clear();
          object.close();
          // More may come before the next try.
          while (ringBytes < needed * 1.25) ringBytes *= 2;
          object = load(ringBytes);
        }
      } finally {
        closeSync(fd);
      }
    },
    close: () => {
      object.close();
    },
  };
}

function load(ringBytes: number): BpfObject {
  const object = openObject(linkedObject('snapshot'), { name: 'cgleak_snapshot' });
  try {
    object.setMaxEntries('records', ringBytes);
    object.load();
  } catch (error) {
    object.close();
    throw error;
  }
  return object;
}
