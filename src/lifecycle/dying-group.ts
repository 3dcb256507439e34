import type { CgroupEvent, Task } from '../events/index.js';
import type { Ownership } from '../owners/index.js';
import type { DyingGroup, DyingMeasure } from './dying-types.js';
import type { Finding } from './finding.js';
import { parentPath } from './group.js';

/** What is known of the removed cgroups of one owner or parent. */
export interface DyingGroupState extends DyingGroup {
  path: string;
  readonly owner: Ownership | undefined;
  readonly hierarchies: Set<number>;
  /** Beyond their grace. */
  cgroups: number;
  /** Not released, and their grace is not over. */
  withinGrace: number;
  /** Of those the first rmdir, as far as any is left; else what it was last. */
  oldestRemovedAt: bigint;
  lastRemovedAt: bigint;
  lastRemovedBy: Task;
  /** Of an open finding: how many it told last. */
  open: { readonly key: number; told: number } | undefined;
  /** The group that has taken in this one. */
  mergedInto: DyingGroupState | undefined;
}

export function createDyingGroup(
  name: string,
  rmdir: CgroupEvent,
  ownership: Ownership | undefined,
): DyingGroupState {
  return {
    name,
    path: parentPath(rmdir.path) ?? '/',
    owner: ownership && withoutId(ownership),
    hierarchies: new Set(),
    cgroups: 0,
    withinGrace: 0,
    oldestRemovedAt: rmdir.time,
    lastRemovedAt: rmdir.time,
    lastRemovedBy: rmdir.task,
    open: undefined,
    mergedInto: undefined,
  };
}

/** The owner of many has no id. */
function withoutId({ owner, keepsEmpty, isWholeParent, outlives }: Ownership): Ownership {
  return { owner, keepsEmpty, isWholeParent, outlives };
}

/** The nearest path that is above both, or is both. */
export function commonPath(one: string, other: string): string {
  let path: string | undefined = one;
  while (path !== undefined && path !== '/') {
    if (other === path || other.startsWith(`${path}/`)) return path;
    path = parentPath(path);
  }
  return '/';
}

export function describeDying(
  group: DyingGroupState,
  key: number,
  state: Finding['state'],
  { pinnedBytes, nrDyingDescendants }: DyingMeasure,
  time: bigint,
): Finding {
  return {
    key,
    state,
    finding: 'dying',
    time,
    path: group.path,
    ...(group.owner && { owner: group.owner }),
    left: [],
    removed: [],
    preexisting: false,
    parent: false,
    ...(state === 'closed' && { reason: 'released' as const }),
    removedBy: group.lastRemovedBy,
    dying: {
      cgroups: group.cgroups,
      hierarchies: [...group.hierarchies].sort((a, b) => a - b),
      oldestRemovedAt: group.oldestRemovedAt,
      ...(pinnedBytes !== undefined && { pinnedBytes }),
      ...(nrDyingDescendants !== undefined && { nrDyingDescendants }),
    },
  };
}
