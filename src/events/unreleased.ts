import type { BpfMap } from '../bpf-ts/index.js';

/** The name of a cgroup. */
export interface CgroupName {
  /** As in events. */
  readonly hierarchy: number;
  readonly id: bigint;
}

/**
 * Which cgroups have been removed since the start, and not been released. The kernel
 * keeps up to 65,536 of them, and passes over what is more. Each is here before its
 * rmdir is reported.
 */
export interface Unreleased {
  readonly has: (cgroup: CgroupName) => boolean;
  /** All of them. Where they change much meanwhile, some may be missed. */
  readonly all: () => CgroupName[];
}

export function createUnreleased(map: Pick<BpfMap, 'lookup' | 'entries'>): Unreleased {
  const key = new Uint8Array(16);
  const view = new DataView(key.buffer);
  return {
    has: ({ hierarchy, id }) => {
      view.setBigUint64(0, id, true);
      view.setBigUint64(8, BigInt(hierarchy), true);
      return map.lookup(key) !== undefined;
    },
    all: () =>
      [...map.entries()].map(([found]) => {
        const fields = new DataView(found.buffer, found.byteOffset);
        return {
          hierarchy: Number(fields.getBigUint64(8, true)),
          id: fields.getBigUint64(0, true),
        };
      }),
  };
}
