const slots = 4096;

/**
 * The last cgroups that the kernel removed, so that an event which comes late, or
 * twice, does not bring one back. A fixed table: a later one takes an earlier
 * one's place, and what is forgotten is then merely looked up in the file system.
 */
export interface RecentlyRemoved {
  add(hierarchy: number, id: bigint): void;
  has(hierarchy: number, id: bigint): boolean;
}

export function createRecentlyRemoved(): RecentlyRemoved {
  const ids = new BigUint64Array(slots);
  const hierarchies = new Int32Array(slots).fill(-1);

  function slotOf(hierarchy: number, id: bigint): number {
    return (Number(BigInt.asUintN(32, id)) ^ (hierarchy * 257)) & (slots - 1);
  }

  return {
    add: (hierarchy, id) => {
      const slot = slotOf(hierarchy, id);
      ids[slot] = id;
      hierarchies[slot] = hierarchy;
    },
    has: (hierarchy, id) => {
      const slot = slotOf(hierarchy, id);
      return hierarchies[slot] === hierarchy && ids[slot] === id;
    },
  };
}
