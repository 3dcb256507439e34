import type { Hierarchy } from './hierarchy.js';
import { readHierarchies, type HierarchyOptions } from './read-hierarchies.js';

/** The hierarchies of this host, also as they come and go while we run. */
export interface HierarchyTable {
  /** As last read, by id. */
  all(): readonly Hierarchy[];
  /** Reads again, at most once a second, where the id is unknown or not mounted. */
  readonly get: (id: number) => Hierarchy | undefined;
}

export interface HierarchyTableOptions extends Pick<HierarchyOptions, 'cgroupRoot'> {
  /** @internal For tests. */
  readonly read?: () => Hierarchy[];
  /** @internal For tests: a clock in ms. */
  readonly now?: () => number;
}

const readAgainAfterMs = 1_000;

/** @throws CgroupfsError where the hierarchies can't be read now; later reads keep what was known. */
export function createHierarchyTable(
  options: HierarchyTableOptions = {},
): HierarchyTable {
  const {
    cgroupRoot,
    read = () => readHierarchies({ cgroupRoot }),
    now = () => performance.now(),
  } = options;
  let hierarchies = read();
  let byId = new Map(hierarchies.map((hierarchy) => [hierarchy.id, hierarchy]));
  let readAt = now();

  return {
    all: () => hierarchies,
    get: (id) => {
      const known = byId.get(id);
      if (known?.mountPoint !== undefined || now() - readAt < readAgainAfterMs)
        return known;
      readAt = now();
      try {
        hierarchies = read();
      } catch {
        return known;
      }
      byId = new Map(hierarchies.map((hierarchy) => [hierarchy.id, hierarchy]));
      return byId.get(id);
    },
  };
}
