import type { ExitedTask, TaskName } from '../events/event.js';
import type { Creator, FindingKind } from './finding.js';

/** The id of a cgroup that is known by its children alone. No cgroup has it. */
export const unknownId = 0n;

/** A cgroup, or one that was: what the model knows of it. */
export interface Member {
  readonly hierarchy: number;
  /** unknownId until its own first event. */
  id: bigint;
  /** False once it has been removed. */
  live: boolean;
  populated: boolean;
  everPopulated: boolean;
  /** For one that was there before the start no more than a lower bound. */
  children: number;
  everParent: boolean;
  emptiedAt: bigint | undefined;
}

/**
 * One path over all hierarchies. It lives as long as one of its members does, and
 * remembers the removed ones as long.
 */
export interface Group {
  readonly path: string;
  readonly members: Member[];
  creator: Creator | undefined;
  createdAt: bigint | undefined;
  emptiedAt: bigint | undefined;
  lastTask: ExitedTask | undefined;
  movedBy: TaskName | undefined;
  /** When something last happened to it: its grace begins there. */
  changedAt: bigint;
  /** To be looked at again even where the model sees no leak: it was wrong before. */
  doubted: boolean;
  openFinding: OpenFinding | undefined;
  /** Its neighbours in the line of those whose grace runs. */
  before: Group | undefined;
  behind: Group | undefined;
}

export interface OpenFinding {
  readonly key: number;
  kind: FindingKind;
  /** Where its last change stands among those not yet taken, and in which round of them. */
  changeIndex: number;
  changeRound: number;
}

export function newGroup(path: string, time: bigint): Group {
  return {
    path,
    members: [],
    creator: undefined,
    createdAt: undefined,
    emptiedAt: undefined,
    lastTask: undefined,
    movedBy: undefined,
    changedAt: time,
    doubted: false,
    openFinding: undefined,
    before: undefined,
    behind: undefined,
  };
}

export function newMember(hierarchy: number, id: bigint): Member {
  return {
    hierarchy,
    id,
    live: true,
    populated: false,
    everPopulated: false,
    children: 0,
    everParent: false,
    emptiedAt: undefined,
  };
}

export function memberOf(group: Group, hierarchy: number): Member | undefined {
  for (const member of group.members) if (member.hierarchy === hierarchy) return member;
  return undefined;
}

export function hasLiveMember(group: Group): boolean {
  for (const member of group.members) if (member.live) return true;
  return false;
}

/** Whether the path ever had children, in any hierarchy. */
export function isParent(group: Group): boolean {
  for (const member of group.members) if (member.everParent) return true;
  return false;
}

/** Whether a task or a child is in any of them. */
export function isInUse(group: Group): boolean {
  for (const member of group.members) {
    if (member.live && (member.populated || member.children > 0)) return true;
  }
  return false;
}

/** What the group is once its grace is over: a leak of some kind, or nothing. */
export function judge(group: Group, parents: boolean): FindingKind | undefined {
  let left = 0;
  let removed = 0;
  let everPopulated = false;
  for (const member of group.members) {
    if (member.live && member.id === unknownId) return undefined;
    if (member.live) left += 1;
    else removed += 1;
    everPopulated ||= member.live && member.everPopulated;
  }
  if (left === 0 || isInUse(group) || (!parents && isParent(group))) return undefined;
  if (removed > 0) return 'partial';
  return everPopulated ? 'abandoned' : undefined;
}

/** The path of the parent; undefined for one right below the root. */
export function parentPath(path: string): string | undefined {
  const slash = path.lastIndexOf('/');
  return slash > 0 ? path.slice(0, slash) : undefined;
}
