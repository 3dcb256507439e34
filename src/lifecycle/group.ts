import type { ExitedTask, TaskName } from '../events/event.js';
import type { FindingKind } from './finding.js';
import type { Lineage } from './lineages.js';
import type { Rule } from './rules.js';

/** The id of a cgroup that is known by its children alone. No cgroup has it. */
export const unknownId = 0n;

/** A cgroup, or one that was: what the model knows of it. */
export interface Member {
  readonly hierarchy: number;
  group: Group;
  /** The next younger one of its group. */
  next: Member | undefined;
  /** In the same hierarchy, while both live. Undefined right below the root. */
  parent: Member | undefined;
  /** unknownId until its own first event: then its state is unknown, too. */
  id: bigint;
  /** False once it has been removed. */
  live: boolean;
  populated: boolean;
  /** How many children are tracked. One from before the start may have others. */
  children: number;
  /** The file system showed children of which no event had told. */
  unseenChildren: boolean;
  everParent: boolean;
  /** Undefined for one that was there before the start. */
  createdAt: bigint | undefined;
  creator: Lineage | undefined;
  /** Of one that a snapshot showed and whose past is not known: all, or whether tasks were in it. */
  origin: Origin | undefined;
  emptiedAt: bigint | undefined;
  /** The last task, which exited, or who moved it out. */
  emptiedBy: ExitedTask | TaskName | undefined;
}

/** Made before the start, or while events were lost. */
export type Origin = 'before' | 'unseen';

export interface Creation {
  readonly at: bigint;
  readonly creator: Lineage;
}

/**
 * One path over all hierarchies. It lives as long as one of its members does, and
 * remembers the removed ones as long.
 */
export interface Group {
  readonly path: string;
  readonly rule: Rule;
  /**
   * The longest known of its members: with those that follow at most one for each
   * hierarchy. A list, since most have one alone, and there are many.
   */
  first: Member | undefined;
  /** When something last happened to it: its grace begins there. */
  changedAt: bigint;
  /** Whether it is among the parents that are counted as empty. */
  isEmptyParent: boolean;
  openFinding: OpenFinding | undefined;
  /** Its neighbours in the line of those whose grace runs. */
  before: Group | undefined;
  behind: Group | undefined;
}

export interface OpenFinding {
  readonly key: number;
  /** The cgroups that were left when it opened: it lasts no longer than they. */
  readonly members: readonly Member[];
  kind: FindingKind;
}

export function newGroup(path: string, rule: Rule, time: bigint): Group {
  return {
    path,
    rule,
    first: undefined,
    changedAt: time,
    isEmptyParent: false,
    openFinding: undefined,
    before: undefined,
    behind: undefined,
  };
}

export function newMember(
  group: Group,
  parent: Member | undefined,
  hierarchy: number,
  id: bigint,
  creation: Creation | undefined,
): Member {
  return {
    hierarchy,
    group,
    next: undefined,
    parent,
    id,
    live: true,
    populated: false,
    children: 0,
    unseenChildren: false,
    everParent: false,
    createdAt: creation?.at,
    creator: creation?.creator,
    origin: undefined,
    emptiedAt: undefined,
    emptiedBy: undefined,
  };
}

/** The longest known first. */
export function membersOf(group: Group): Member[] {
  const members: Member[] = [];
  for (let member = group.first; member; member = member.next) members.push(member);
  return members;
}

export function memberOf(group: Group, hierarchy: number): Member | undefined {
  for (let member = group.first; member; member = member.next) {
    if (member.hierarchy === hierarchy) return member;
  }
  return undefined;
}

export function liveMembers(group: Group): Member[] {
  return membersOf(group).filter(({ live }) => live);
}

export function hasLiveMember(group: Group): boolean {
  for (let member = group.first; member; member = member.next) {
    if (member.live) return true;
  }
  return false;
}

export function isPopulated(group: Group): boolean {
  for (let member = group.first; member; member = member.next) {
    if (member.live && member.populated) return true;
  }
  return false;
}

/** Whether the path ever had children, in any hierarchy. */
export function isParent(group: Group): boolean {
  for (let member = group.first; member; member = member.next) {
    if (member.everParent) return true;
  }
  return false;
}

/** Puts a member into a group as its youngest, in place of one of the same hierarchy. */
export function joinGroup(group: Group, member: Member): void {
  leaveGroup(group, memberOf(group, member.hierarchy));
  member.group = group;
  member.next = undefined;
  let last = group.first;
  while (last?.next) last = last.next;
  if (last) last.next = member;
  else group.first = member;
}

export function leaveGroup(group: Group, member: Member | undefined): void {
  if (!member) return;
  if (group.first === member) {
    group.first = member.next;
    return;
  }
  for (let before = group.first; before; before = before.next) {
    if (before.next === member) before.next = member.next;
  }
}

/** Whether a task or a child is in any of them, or may be. */
function isInUse(group: Group): boolean {
  for (let member = group.first; member; member = member.next) {
    if (
      member.live &&
      (member.populated ||
        member.children > 0 ||
        member.unseenChildren ||
        member.id === unknownId)
    ) {
      return true;
    }
  }
  return false;
}

export function isEmptyParent(group: Group): boolean {
  return isParent(group) && hasLiveMember(group) && !isInUse(group);
}

/** Whether it may be a finding although it once had children. */
export function isToldAsParent({ rule }: Group, parents: boolean): boolean {
  return parents || rule.isWholeParent;
}

/** What the group is once its grace is over: a leak of some kind, or nothing. */
export function judge(group: Group, parents: boolean): FindingKind | undefined {
  if (group.rule.keepsEmpty || isInUse(group)) return undefined;
  if (isParent(group) && !isToldAsParent(group, parents)) return undefined;
  let left = 0;
  let removed = 0;
  let everPopulated = false;
  let seenMade = false;
  for (let member = group.first; member; member = member.next) {
    if (member.live) {
      left += 1;
      // Nobody knows that of one that a snapshot showed.
      everPopulated ||= member.emptiedAt !== undefined || member.origin !== undefined;
      seenMade ||= member.createdAt !== undefined;
    } else {
      removed += 1;
    }
  }
  if (left === 0) return undefined;
  if (removed > 0) return 'partial';
  if (everPopulated) return 'abandoned';
  return seenMade ? 'unused' : undefined;
}

/** The path of the parent; undefined for one right below the root. */
export function parentPath(path: string): string | undefined {
  const slash = path.lastIndexOf('/');
  return slash > 0 ? path.slice(0, slash) : undefined;
}
