import type { Group } from './group.js';

/**
 * Groups in the order of their last change, the longest unchanged first. The
 * grace is the same for all, so that this is the order in which it ends.
 */
export interface GraceLine {
  first(): Group | undefined;
  /** Puts a group to the end, wherever it was. */
  append(group: Group): void;
  remove(group: Group): void;
}

export function createGraceLine(): GraceLine {
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
