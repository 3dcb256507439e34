import type { Group } from './group.js';

/**
 * Groups in the order of their last change, the longest unchanged first. The
 * grace is the same for all of a line, so that this is the order in which it ends.
 */
export interface GraceLine {
  first(): Group | undefined;
  /** When the grace of the first ends. */
  nextDue(): bigint | undefined;
  /** Puts a group to the end, wherever it was. */
  append(group: Group): void;
  remove(group: Group): void;
}

/** @param grace - ns */
export function createGraceLine(grace: bigint): GraceLine {
  let head: Group | undefined;
  let tail: Group | undefined;

  function remove(group: Group): void {
    if (group.before) group.before.behind = group.behind;
    else if (head === group) head = group.behind;
    if (group.behind) group.behind.before = group.before;
    else if (tail === group) tail = group.before;
    group.before = undefined;
    group.behind = undefined;
  }

  return {
    first: () => head,
    nextDue: () => head && head.changedAt + grace,
    append: (group) => {
      remove(group);
      group.before = tail;
      if (tail) tail.behind = group;
      else head = group;
      tail = group;
    },
    remove,
  };
}
