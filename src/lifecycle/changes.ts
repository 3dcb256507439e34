import type { ExitedTask, Task, TaskName } from '../events/event.js';
import type { OwnerOf, Ownership } from '../owners/index.js';
import type { CloseReason, Finding, FindingMember } from './finding.js';
import type { Group, Member, OpenFinding } from './group.js';
import { isParent, membersOf, unknownId } from './group.js';
import { creatorOf } from './lineages.js';
import { delayKey, type RemovalDelays } from './removal-delays.js';

/** The changes of findings that nobody has taken yet. */
export interface Changes {
  /** Successive updates that nobody took become one, and none before a closing. */
  add(group: Group, finding: OpenFinding, change: Change): void;
  take(): readonly Finding[];
}

export interface Change {
  readonly state: Finding['state'];
  readonly time: bigint;
  /** Where the path stands; for closed where it stood last. */
  readonly left: readonly Member[];
  readonly reason?: CloseReason;
  readonly removedBy?: Task | undefined;
}

export function createChanges(
  delays: RemovalDelays,
  ownerOf: OwnerOf | undefined,
): Changes {
  /** In the order of the last change: by key, one opening and one later change each. */
  let waiting = new Map<number, Finding>();

  return {
    add: (group, finding, change) => {
      const slot = finding.key * 2 + (change.state === 'opened' ? 0 : 1);
      waiting.delete(slot);
      waiting.set(slot, describe(group, finding, change, delays, ownerOf?.(group.path)));
    },
    take: () => {
      if (waiting.size === 0) return [];
      const taken = [...waiting.values()];
      waiting = new Map();
      return taken;
    },
  };
}

function describe(
  group: Group,
  { key, kind }: OpenFinding,
  { state, time, left, reason, removedBy }: Change,
  delays: RemovalDelays,
  ownership: Ownership | undefined,
): Finding {
  const stands = new Set(left.map(({ hierarchy }) => hierarchy));
  const members = membersOf(group);
  const removed = members.filter(
    ({ live, hierarchy, id }) => !live && id !== unknownId && !stands.has(hierarchy),
  );
  const siblings = delays.of(delayKey(group));
  const oldest = members[0] ?? left[0];
  const { emptiedAt, emptiedBy } = lastEmptied(left) ?? lastEmptied(removed) ?? {};
  return {
    key,
    state,
    finding: kind,
    time,
    path: group.path,
    ...(ownership && { owner: ownership }),
    left: identities(left),
    removed: identities(removed),
    preexisting: oldest?.createdAt === undefined && oldest?.origin !== 'unseen',
    parent: isParent(group),
    ...(oldest?.createdAt === undefined &&
      oldest?.origin === 'unseen' && { unseen: true }),
    ...(oldest?.createdAt !== undefined && { createdAt: oldest.createdAt }),
    ...(oldest?.creator && { creator: creatorOf(oldest.creator) }),
    ...(emptiedAt !== undefined && { emptiedAt }),
    ...(emptiedBy && describeLeaver(emptiedBy)),
    ...(siblings && { siblings }),
    ...(reason && { reason }),
    ...(removedBy && { removedBy }),
  };
}

function describeLeaver(
  by: ExitedTask | TaskName,
): Pick<Finding, 'lastTask' | 'movedBy'> {
  return 'exitCode' in by ? { lastTask: by } : { movedBy: by };
}

export function lastEmptied(members: readonly Member[]): Member | undefined {
  let last: Member | undefined;
  for (const member of members) {
    if (member.emptiedAt === undefined) continue;
    if (last?.emptiedAt === undefined || member.emptiedAt > last.emptiedAt) last = member;
  }
  return last;
}

export function identities(members: readonly Member[]): FindingMember[] {
  return members
    .map(({ hierarchy, id }) => ({ hierarchy, id }))
    .sort((a, b) => a.hierarchy - b.hierarchy);
}
