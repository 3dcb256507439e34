import type { Task } from '../events/event.js';
import type { CloseReason, Finding, FindingMember } from './finding.js';
import type { Group, Member, OpenFinding } from './group.js';
import { isParent, parentPath } from './group.js';
import type { RemovalDelays } from './removal-delays.js';

/** The changes of findings that nobody has taken yet. */
export interface Changes {
  /** Successive updates that nobody took become one, and none before a closing. */
  add(group: Group, finding: OpenFinding, change: Change): void;
  take(): readonly Finding[];
}

export interface Change {
  readonly state: Finding['state'];
  readonly time: bigint;
  readonly reason?: CloseReason;
  readonly removedBy?: Task | undefined;
  /** For one whose last members are gone: what they were. */
  readonly leftBefore?: readonly FindingMember[] | undefined;
}

export function createChanges(delays: RemovalDelays): Changes {
  let waiting: Finding[] = [];
  let round = 0;

  return {
    add: (group, finding, change) => {
      const described = describe(group, finding, change, delays);
      const before =
        finding.changeRound === round ? waiting[finding.changeIndex] : undefined;
      if (before?.state === 'updated') {
        waiting[finding.changeIndex] = described;
        return;
      }
      finding.changeRound = round;
      finding.changeIndex = waiting.length;
      waiting.push(described);
    },
    take: () => {
      if (waiting.length === 0) return [];
      const taken = waiting;
      waiting = [];
      round += 1;
      return taken;
    },
  };
}

function describe(
  group: Group,
  { key, kind }: OpenFinding,
  { state, time, reason, removedBy, leftBefore }: Change,
  delays: RemovalDelays,
): Finding {
  const siblings = delays.of(parentPath(group.path) ?? '/');
  const left = leftBefore ?? identities(group.members.filter(({ live }) => live));
  const leftIds = new Set(left.map(({ hierarchy }) => hierarchy));
  const { createdAt, creator, emptiedAt, lastTask, movedBy } = group;
  return {
    key,
    state,
    finding: kind,
    time,
    path: group.path,
    left,
    removed: identities(
      group.members.filter(({ live, hierarchy }) => !live && !leftIds.has(hierarchy)),
    ),
    preexisting: createdAt === undefined,
    parent: isParent(group),
    ...(createdAt !== undefined && { createdAt }),
    ...(creator && { creator }),
    ...(emptiedAt !== undefined && { emptiedAt }),
    ...(lastTask && { lastTask }),
    ...(movedBy && { movedBy }),
    ...(siblings && { siblings }),
    ...(reason && { reason }),
    ...(removedBy && { removedBy }),
  };
}

export function identities(members: readonly Member[]): FindingMember[] {
  return members
    .map(({ hierarchy, id }) => ({ hierarchy, id }))
    .sort((a, b) => a.hierarchy - b.hierarchy);
}
