import type { CgroupEvent } from '../events/index.js';
import {
  commonPath,
  createDyingGroup,
  describeDying,
  type DyingGroupState,
} from './dying-group.js';
import type { Dying, DyingMeasure, DyingOptions } from './dying-types.js';
import type { Finding } from './finding.js';
import { parentPath } from './group.js';

interface DyingCgroup {
  readonly removedAt: bigint;
  readonly group: DyingGroupState;
}

/** v2, as in /proc/self/cgroup. */
const unified = 0;

/** Makes a model that knows of no removed cgroup yet. */
export function createDying(options: DyingOptions): Dying {
  const {
    grace,
    ownerOf,
    nextKey = counter(),
    leastCgroups = 10,
    leastPinnedBytes = 64 * 1024 * 1024,
  } = options;
  /** By hierarchy and id. */
  const cgroups = new Map<number, Map<bigint, DyingCgroup>>();
  /** By name: no parent path is without a slash, and no owner has one. */
  const groups = new Map<string, DyingGroupState>();
  let changes: Finding[] = [];
  let known = 0;
  let findings = 0;
  let open = 0;

  function groupOf(rmdir: CgroupEvent): DyingGroupState {
    const ownership = ownerOf?.(rmdir.path);
    const parent = parentPath(rmdir.path) ?? '/';
    const name = ownership?.owner ?? parent;
    let group = groups.get(name);
    if (!group) {
      group = createDyingGroup(name, rmdir, ownership);
      groups.set(name, group);
    }
    group.path = commonPath(group.path, parent);
    return group;
  }

  /** What was below a path that is removed in its turn belongs to where that was. */
  function takeInBelow(path: string, group: DyingGroupState): void {
    const below = groups.get(path);
    if (!below || below.open || below === group) return;
    below.mergedInto = group;
    groups.delete(path);
  }

  function add(rmdir: CgroupEvent): void {
    const { hierarchy, id, path, time, task } = rmdir;
    const ofHierarchy = cgroups.get(hierarchy) ?? new Map<bigint, DyingCgroup>();
    cgroups.set(hierarchy, ofHierarchy);
    if (ofHierarchy.has(id)) return;
    const group = groupOf(rmdir);
    takeInBelow(path, group);
    ofHierarchy.set(id, { removedAt: time, group });
    known += 1;
    if (time < group.lastRemovedAt) return;
    group.lastRemovedAt = time;
    group.lastRemovedBy = task;
  }

  const check: Dying['check'] = (isUnreleased, now) => {
    for (const group of groups.values()) {
      group.cgroups = 0;
      group.withinGrace = 0;
      // What a closing tells of is where they were.
      if (!group.open) group.hierarchies.clear();
    }
    const live = new Set<DyingGroupState>();
    for (const [hierarchy, ofHierarchy] of cgroups) {
      for (const [id, cgroup] of ofHierarchy) {
        if (!isUnreleased({ hierarchy, id })) {
          ofHierarchy.delete(id);
          known -= 1;
          continue;
        }
        const group = lastOf(cgroup.group);
        live.add(group);
        if (cgroup.removedAt + grace <= now) count(group, hierarchy, cgroup.removedAt);
        else group.withinGrace += 1;
      }
    }
    for (const [name, group] of groups)
      if (!live.has(group) && !group.open) groups.delete(name);
    return [...groups.values()].filter((group) => group.cgroups > 0 || group.open);
  };

  function settle(group: DyingGroupState, measure: DyingMeasure, now: bigint): void {
    // The kernel says itself that none is left: then a release went unseen.
    if (measure.nrDyingDescendants === 0) forget(group, now);
    if (!group.open) {
      if (!isAtLeast(group, measure, 1)) return;
      group.open = { key: nextKey(), told: group.cgroups };
      findings += 1;
      open += 1;
      tell(group, 'opened', measure, now);
    } else if (!isAtLeast(group, measure, 2)) {
      tell(group, 'closed', measure, now);
      group.open = undefined;
      open -= 1;
    } else if (
      group.cgroups >= group.open.told * 2 ||
      group.cgroups * 2 <= group.open.told
    ) {
      group.open.told = group.cgroups;
      tell(group, 'updated', measure, now);
    }
  }

  /** Half of it keeps a finding open, so that none comes and goes at the edge. */
  function isAtLeast(
    group: DyingGroupState,
    { pinnedBytes = 0 }: DyingMeasure,
    part: number,
  ): boolean {
    if (group.cgroups === 0) return false;
    // What is charged to those that may go yet is measured along: it opens no finding.
    const share = group.open ? 1 : group.cgroups / (group.cgroups + group.withinGrace);
    return (
      group.cgroups * part >= leastCgroups ||
      pinnedBytes * share * part >= leastPinnedBytes
    );
  }

  function forget(group: DyingGroupState, now: bigint): void {
    const ofHierarchy = cgroups.get(unified) ?? new Map<bigint, DyingCgroup>();
    for (const [id, cgroup] of ofHierarchy) {
      if (lastOf(cgroup.group) !== group) continue;
      ofHierarchy.delete(id);
      known -= 1;
      if (cgroup.removedAt + grace <= now) group.cgroups -= 1;
    }
  }

  function tell(
    group: DyingGroupState,
    state: Finding['state'],
    measure: DyingMeasure,
    now: bigint,
  ): void {
    if (group.open)
      changes.push(describeDying(group, group.open.key, state, measure, now));
  }

  return {
    add,
    known: () => known,
    check,
    settle: ({ name }, measure, now) => {
      const group = groups.get(name);
      if (group) settle(group, measure, now);
    },
    takeChanges: () => {
      const taken = changes;
      changes = [];
      return taken;
    },
    counts: () => {
      let dying = 0;
      for (const group of groups.values()) dying += group.cgroups;
      return { dying, findings, open };
    },
  };
}

function counter(): () => number {
  let key = 0;
  return () => ++key;
}

function lastOf(group: DyingGroupState): DyingGroupState {
  let last = group;
  while (last.mergedInto) last = last.mergedInto;
  return last;
}

function count(group: DyingGroupState, hierarchy: number, removedAt: bigint): void {
  if (group.cgroups === 0 || removedAt < group.oldestRemovedAt)
    group.oldestRemovedAt = removedAt;
  group.hierarchies.add(hierarchy);
  group.cgroups += 1;
}
