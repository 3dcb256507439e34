import type { Task } from '../events/event.js';
import {
  hasLiveMember,
  joinGroup,
  leaveGroup,
  memberOf,
  newGroup,
  newMember,
  parentPath,
  unknownId,
  type Creation,
  type Group,
  type Member,
} from './group.js';
import type { Rule } from './rules.js';

/**
 * All cgroups of all hierarchies, as far as events tell. A tracked cgroup always
 * has a tracked parent in its hierarchy, which counts it.
 */
export interface CgroupTree {
  /** How many cgroups are live. */
  tracked(): number;
  get(path: string): Group | undefined;
  /** Live, or removed and remembered. */
  find(path: string, hierarchy: number): Member | undefined;
  /** The live ones of a hierarchy, while nothing changes. */
  live(hierarchy: number): Iterable<Member>;
  /** Takes up a cgroup that was not known, in place of a removed one. */
  track(
    path: string,
    hierarchy: number,
    id: bigint,
    time: bigint,
    creation?: Creation,
  ): Member;
  /** The id of one that was known by its children alone. */
  identify(member: Member, id: bigint): void;
  /** The path has been seen to have, or to have had, a child. */
  markParentOf(path: string, hierarchy: number, time: bigint): void;
  /** A live one goes, and whatever the model still has below it. */
  remove(member: Member, time: bigint, by?: Task): void;
  /** What the model has below it goes. */
  removeBelow(member: Member, time: bigint): void;
  /**
   * Moves the cgroup with all below it, in its hierarchy alone. Returns whether it
   * is known.
   */
  rename(hierarchy: number, id: bigint, path: string, time: bigint, by: Task): boolean;
}

/** Called after each change of a group, with the member that went, if one did. */
export type OnChange = (group: Group, time: bigint, gone?: Member, by?: Task) => void;

export function createCgroupTree(
  onChange: OnChange,
  ruleOf: (path: string) => Rule,
): CgroupTree {
  const groups = new Map<string, Group>();
  /** The live ones by id, of the hierarchies in which a rename has come: mostly none. */
  const indexes = new Map<number, Map<bigint, Member>>();
  let tracked = 0;

  function find(path: string, hierarchy: number): Member | undefined {
    const group = groups.get(path);
    return group && memberOf(group, hierarchy);
  }

  function* live(hierarchy: number): Generator<Member> {
    for (const group of groups.values()) {
      const member = memberOf(group, hierarchy);
      if (member?.live) yield member;
    }
  }

  function groupOf(path: string, time: bigint): Group {
    let group = groups.get(path);
    if (!group) {
      group = newGroup(path, ruleOf(path), time);
      groups.set(path, group);
    }
    return group;
  }

  function track(
    path: string,
    hierarchy: number,
    id: bigint,
    time: bigint,
    creation?: Creation,
  ): Member {
    const parent = trackParent(path, hierarchy, time);
    const group = groupOf(path, time);
    const member = newMember(group, parent, hierarchy, id, creation);
    joinGroup(group, member);
    indexes.get(hierarchy)?.set(id, member);
    tracked += 1;
    if (parent) addChild(parent, time);
    onChange(group, time);
    return member;
  }

  /** The parent: one that was there before the start if unknown. None below the root. */
  function trackParent(
    path: string,
    hierarchy: number,
    time: bigint,
  ): Member | undefined {
    const parent = parentPath(path);
    if (parent === undefined) return undefined;
    const known = find(parent, hierarchy);
    return known?.live ? known : track(parent, hierarchy, unknownId, time);
  }

  function addChild(parent: Member, time: bigint): void {
    parent.everParent = true;
    parent.children += 1;
    onChange(parent.group, time);
  }

  function removeChild(parent: Member, time: bigint): void {
    parent.children -= 1;
    onChange(parent.group, time);
  }

  function identify(member: Member, id: bigint): void {
    member.id = id;
    indexes.get(member.hierarchy)?.set(id, member);
  }

  function markParentOf(path: string, hierarchy: number, time: bigint): void {
    const parent = trackParent(path, hierarchy, time);
    if (!parent) return;
    parent.everParent = true;
    onChange(parent.group, time);
  }

  function remove(member: Member, time: bigint, by?: Task): void {
    const { group, parent } = member;
    // Their own removal was lost: the kernel removes no cgroup that has children.
    removeBelow(member, time);
    const index = indexes.get(member.hierarchy);
    if (index?.get(member.id) === member) index.delete(member.id);
    member.live = false;
    member.parent = undefined;
    member.children = 0;
    member.populated = false;
    member.unseenChildren = false;
    tracked -= 1;
    if (!hasLiveMember(group)) groups.delete(group.path);
    onChange(group, time, member, by);
    if (parent) removeChild(parent, time);
  }

  /** The deepest first. */
  function below({ group, hierarchy, children }: Member): Member[] {
    const found: Member[] = [];
    if (children === 0) return found;
    for (const each of groups.values()) {
      if (!each.path.startsWith(`${group.path}/`)) continue;
      const member = memberOf(each, hierarchy);
      if (member?.live) found.push(member);
    }
    return found.sort((a, b) => b.group.path.length - a.group.path.length);
  }

  function removeBelow(member: Member, time: bigint): void {
    for (const each of below(member)) remove(each, time);
  }

  function rename(
    hierarchy: number,
    id: bigint,
    path: string,
    time: bigint,
    by: Task,
  ): boolean {
    const top = indexOf(hierarchy).get(id);
    if (!top) return false;
    if (top.group.path === path) return true;
    const displaced = find(path, hierarchy);
    if (displaced?.live) remove(displaced, time);
    if (!top.live) return true;
    const oldPath = top.group.path;
    const oldParent = top.parent;
    const subtree = [top, ...below(top)];
    top.parent = trackParent(path, hierarchy, time);
    for (const member of subtree) {
      move(member, path + member.group.path.slice(oldPath.length), time, by);
    }
    if (top.parent) addChild(top.parent, time);
    if (oldParent) removeChild(oldParent, time);
    return true;
  }

  /** A search through all of them for each rename would take too long. */
  function indexOf(hierarchy: number): Map<bigint, Member> {
    let index = indexes.get(hierarchy);
    if (!index) {
      index = new Map();
      for (const member of live(hierarchy)) index.set(member.id, member);
      indexes.set(hierarchy, index);
    }
    return index;
  }

  function move(member: Member, path: string, time: bigint, by: Task): void {
    const from = member.group;
    leaveGroup(from, member);
    if (!hasLiveMember(from)) groups.delete(from.path);
    const to = groupOf(path, time);
    joinGroup(to, member);
    onChange(from, time, member, by);
    onChange(to, time);
  }

  return {
    tracked: () => tracked,
    get: (path) => groups.get(path),
    find,
    live,
    track,
    identify,
    markParentOf,
    remove,
    removeBelow,
    rename,
  };
}
