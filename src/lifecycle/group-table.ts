import { memberOf, newGroup, newMember, parentPath, unknownId } from './group.js';
import type { Group, Member } from './group.js';

/** A cgroup of the model, in the group of its path. */
export interface Tracked {
  readonly group: Group;
  readonly member: Member;
}

/** All groups, by path. */
export interface GroupTable {
  /** How many live cgroups there are. */
  tracked: number;
  get(path: string): Group | undefined;
  groups(): IterableIterator<Group>;
  add(group: Group): void;
  delete(path: string): void;
  /** Live, or removed and remembered. */
  find(path: string, hierarchy: number): Tracked | undefined;
  /** Takes up a cgroup that was not known, in place of a removed one. */
  track(path: string, hierarchy: number, id: bigint, time: bigint): Tracked;
  /**
   * The parent, which is one by what is below it, and was there before the start
   * if unknown. Its id is learned from its own first event. Undefined below the root.
   */
  trackParent(path: string, hierarchy: number, time: bigint): Tracked | undefined;
}

export function createGroupTable(): GroupTable {
  const groups = new Map<string, Group>();

  const table: GroupTable = {
    tracked: 0,
    get: (path) => groups.get(path),
    groups: () => groups.values(),
    add: (group) => {
      groups.set(group.path, group);
    },
    delete: (path) => {
      groups.delete(path);
    },
    find: (path, hierarchy) => {
      const group = groups.get(path);
      const member = group && memberOf(group, hierarchy);
      return member && { group, member };
    },
    track: (path, hierarchy, id, time) => {
      let group = groups.get(path);
      if (!group) {
        group = newGroup(path, time);
        groups.set(path, group);
      }
      const member = newMember(hierarchy, id);
      const at = group.members.findIndex((each) => each.hierarchy === hierarchy);
      if (at < 0) group.members.push(member);
      else group.members[at] = member;
      table.tracked += 1;
      return { group, member };
    },
    trackParent: (path, hierarchy, time) => {
      const parent = parentPath(path);
      if (parent === undefined) return undefined;
      const known = table.find(parent, hierarchy);
      if (known?.member.live) {
        known.member.everParent = true;
        return known;
      }
      table.trackParent(parent, hierarchy, time);
      const tracked = table.track(parent, hierarchy, unknownId, time);
      tracked.member.everParent = true;
      return tracked;
    },
  };
  return table;
}
