import { createRequire } from 'node:module';
import { getSystemErrorName } from 'node:util';
import type { RingBatch } from '../bpf-ts/index.js';
import { CgroupfsError } from './cgroupfs-error.js';

interface WalkAddon {
  walk(
    directory: Uint8Array,
    isV2: boolean,
  ): Promise<{ readonly bytes: Buffer; readonly unreadable: number }>;
}

let addon: WalkAddon | undefined;

export interface CgroupWalk {
  /** Records of bpf/snapshot.h, in the form in which a ring buffer has them. */
  readonly batch: RingBatch;
  readonly unreadable: number;
}

/**
 * Goes through a cgroup's directory and all below, in a thread of its own. On v1
 * only a cgroup's own tasks make it populated.
 *
 * @throws CgroupfsError where the directory can't be read.
 */
export async function walkCgroups(directory: Buffer, isV2: boolean): Promise<CgroupWalk> {
  addon ??= createRequire(import.meta.url)(
    '../../build/Release/cgroupfs.node',
  ) as WalkAddon;
  try {
    const { bytes, unreadable } = await addon.walk(directory, isV2);
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    return { batch: { bytes, view, count: 0 }, unreadable };
  } catch (cause) {
    const { errno } = cause as { readonly errno?: number };
    const code = errno === undefined ? 'error' : getSystemErrorName(-errno);
    throw new CgroupfsError(
      `The cgroups in ${directory.toString('utf8')} can't be read (${code}): see that it is still mounted, and that you may read it.`,
      { cause },
    );
  }
}
