import type { CgroupEvent, EmptiedEvent, MkdirEvent, Task } from '../events/event.js';
import { createChanges, identities } from './changes.js';
import type { CloseReason, Creator, FindingMember } from './finding.js';
import { createGraceLine } from './grace-line.js';
import { createGroupTable, type Tracked } from './group-table.js';
import {
  hasLiveMember,
  isInUse,
  isParent,
  judge,
  memberOf,
  newGroup,
  parentPath,
  unknownId,
  type Group,
  type Member,
} from './group.js';
import type {
  Candidate,
  Lifecycle,
  LifecycleOptions,
  Observation,
} from './lifecycle-types.js';
import { createRemovalDelays } from './removal-delays.js';

/** Makes a model that knows of no cgroup yet. */
export function createLifecycle({ grace, parents = false }: LifecycleOptions): Lifecycle {
  const table = createGroupTable();
  const line = createGraceLine();
  const delays = createRemovalDelays();
  const changes = createChanges(delays);
  let created = 0;
  let removed = 0;
  let findings = 0;
  let open = 0;
  let lastCreator: Creator | undefined;

  /** The cgroup that an event speaks of. A live one of another id there is gone unseen. */
  function find(event: CgroupEvent): Tracked | undefined {
    const known = table.find(event.path, event.hierarchy);
    if (!known) return undefined;
    const { group, member } = known;
    if (member.id === unknownId) member.id = event.id;
    if (member.id === event.id) return known;
    if (member.live) remove(group, member, event.time);
    return undefined;
  }

  /** The cgroup that the event speaks of: one that was there before the start if unknown. */
  function findOrTrack(event: CgroupEvent): Tracked {
    const { path, hierarchy, id, time } = event;
    const known = find(event);
    if (known) return known;
    table.trackParent(path, hierarchy, time);
    return table.track(path, hierarchy, id, time);
  }

  /** Something happened to the group at that time: what does it mean for its finding? */
  function refresh(group: Group, time: bigint, removedBy?: Task): void {
    if (time > group.changedAt) group.changedAt = time;
    const { openFinding } = group;
    const kind = judge(group, parents);
    if (openFinding) {
      if (kind) {
        openFinding.kind = kind;
        changes.add(group, openFinding, { state: 'updated', time });
      } else {
        close(group, time, isPopulated(group) ? 'repopulated' : 'parent', removedBy);
      }
    } else if (kind ?? group.doubted) {
      line.append(group);
    } else {
      line.remove(group);
    }
  }

  function close(
    group: Group,
    time: bigint,
    reason: CloseReason,
    removedBy?: Task,
    leftBefore?: readonly FindingMember[],
  ): void {
    if (!group.openFinding) return;
    changes.add(group, group.openFinding, {
      state: 'closed',
      time,
      reason,
      removedBy,
      leftBefore,
    });
    group.openFinding = undefined;
    open -= 1;
  }

  function remove(group: Group, member: Member, time: bigint, by?: Task): void {
    const leftBefore =
      group.openFinding && identities(group.members.filter(({ live }) => live));
    member.live = false;
    member.populated = false;
    member.children = 0;
    table.tracked -= 1;
    if (hasLiveMember(group)) {
      refresh(group, time, by);
    } else {
      close(group, time, 'removed', by, leftBefore);
      line.remove(group);
      if (table.get(group.path) === group) table.delete(group.path);
    }
    countChild(group.path, member.hierarchy, time, -1);
  }

  /** A child has come to the parent of that path, or gone from it. */
  function countChild(
    path: string,
    hierarchy: number,
    time: bigint,
    difference: 1 | -1,
  ): void {
    const parent = table.trackParent(path, hierarchy, time);
    if (!parent) return;
    parent.member.children = Math.max(0, parent.member.children + difference);
    refresh(parent.group, time);
  }

  function onMkdir(event: MkdirEvent): void {
    created += 1;
    if (find(event)) return;
    const again = table.find(event.path, event.hierarchy) !== undefined;
    const { group } = table.track(event.path, event.hierarchy, event.id, event.time);
    if (again || group.members.length === 1) {
      group.createdAt = event.time;
      group.creator = creatorOf(event);
    }
    countChild(event.path, event.hierarchy, event.time, 1);
    refresh(group, event.time);
  }

  /** One object for all that a creator makes in a row: 13 hierarchies, for instance. */
  function creatorOf({ task, ancestors }: MkdirEvent): Creator {
    const creator = { pid: task.pid, comm: task.comm, ancestors };
    if (!lastCreator || !isSame(lastCreator, creator)) lastCreator = creator;
    return lastCreator;
  }

  function onEmptied(event: EmptiedEvent): void {
    const { group, member } = findOrTrack(event);
    if (!member.live) return;
    member.populated = false;
    member.everPopulated = true;
    member.emptiedAt = event.time;
    group.emptiedAt = event.time;
    group.lastTask = event.lastTask;
    group.movedBy = event.movedBy;
    refresh(group, event.time);
  }

  function onRmdir(event: CgroupEvent): void {
    removed += 1;
    const known = find(event);
    if (!known?.member.live) {
      countChild(event.path, event.hierarchy, event.time, -1);
      return;
    }
    const { group, member } = known;
    if (member.emptiedAt !== undefined && event.time >= member.emptiedAt) {
      delays.add(parentPath(event.path) ?? '/', event.time - member.emptiedAt);
    }
    remove(group, member, event.time, event.task);
  }

  function onRename(event: CgroupEvent): void {
    const from = [...table.groups()].find((group) =>
      group.members.some(
        ({ live, hierarchy, id }) =>
          live && hierarchy === event.hierarchy && id === event.id,
      ),
    );
    if (!from || from.path === event.path) return;
    const below = [...table.groups()].filter(({ path }) =>
      path.startsWith(`${from.path}/`),
    );
    for (const group of [from, ...below]) {
      moveMember(group, event.path + group.path.slice(from.path.length), event);
    }
  }

  /** Moves the group's cgroup of one hierarchy to the group of its new path. */
  function moveMember(
    from: Group,
    path: string,
    { hierarchy, time, task }: CgroupEvent,
  ): void {
    const at = from.members.findIndex(
      (member) => member.live && member.hierarchy === hierarchy,
    );
    const member = from.members[at];
    if (!member) return;
    const leftBefore = identities(from.members.filter(({ live }) => live));
    from.members.splice(at, 1);
    if (hasLiveMember(from)) {
      refresh(from, time);
    } else {
      close(from, time, 'removed', task, leftBefore);
      line.remove(from);
      table.delete(from.path);
    }

    let to = table.get(path);
    if (!to) {
      to = newGroup(path, time);
      to.createdAt = from.createdAt;
      to.creator = from.creator;
      to.emptiedAt = from.emptiedAt;
      to.lastTask = from.lastTask;
      to.movedBy = from.movedBy;
      table.add(to);
    }
    const removedBefore = to.members.findIndex((each) => each.hierarchy === hierarchy);
    if (removedBefore >= 0) to.members.splice(removedBefore, 1);
    to.members.push(member);
    refresh(to, time);
  }

  function feed(event: CgroupEvent): void {
    switch (event.kind) {
      case 'mkdir':
        onMkdir(event);
        return;
      case 'populated': {
        const { group, member } = findOrTrack(event);
        if (!member.live) return;
        member.populated = true;
        member.everPopulated = true;
        refresh(group, event.time);
        return;
      }
      case 'emptied':
        onEmptied(event);
        return;
      case 'rmdir':
        onRmdir(event);
        return;
      case 'release': {
        // Only for one whose rmdir was lost.
        const known = find(event);
        if (known?.member.live) {
          removed += 1;
          remove(known.group, known.member, event.time);
        }
        return;
      }
      case 'rename':
        onRename(event);
        return;
    }
  }

  function due(now: bigint): Candidate[] {
    const candidates: Candidate[] = [];
    for (
      let group = line.first();
      group && group.changedAt + grace <= now;
      group = line.first()
    ) {
      line.remove(group);
      candidates.push({
        path: group.path,
        members: identities(group.members.filter(({ live }) => live)),
      });
    }
    return candidates;
  }

  function settle(
    { path }: Candidate,
    observed: readonly Observation[],
    now: bigint,
  ): void {
    const group = table.get(path);
    // It may have changed meanwhile, and is in the line again.
    if (!group || group.openFinding || group.changedAt + grace > now) return;
    let wrong = false;
    for (const { hierarchy, id, state } of observed) {
      const member = memberOf(group, hierarchy);
      if (!member?.live || member.id !== id) continue;
      if (state === 'absent' || state === 'replaced') remove(group, member, now);
      else if (state !== 'unknown') wrong = correct(member, state) || wrong;
    }
    // The event that ends what the model did not know of may have been lost, too.
    group.doubted = wrong && (parents || !isParent(group));
    if (table.get(path) !== group || group.changedAt === now) return;

    line.remove(group);
    const kind = judge(group, parents);
    if (kind) {
      group.openFinding = { key: ++findings, kind, changeIndex: -1, changeRound: -1 };
      open += 1;
      changes.add(group, group.openFinding, { state: 'opened', time: now });
    } else if (group.doubted) {
      group.changedAt = now;
      line.append(group);
    }
  }

  /** Returns whether the model was wrong: it took the cgroup for empty. */
  function correct(member: Member, state: 'populated' | 'parent' | 'empty'): boolean {
    member.populated = state === 'populated';
    member.everPopulated ||= member.populated;
    if (state === 'parent') {
      member.children = Math.max(member.children, 1);
      member.everParent = true;
    } else if (state === 'empty') {
      member.children = 0;
    }
    return state !== 'empty';
  }

  function emptyParents(): number {
    let count = 0;
    for (const group of table.groups()) {
      if (!isInUse(group) && isParent(group)) count += 1;
    }
    return count;
  }

  return {
    feed,
    due,
    settle,
    nextDue: () => {
      const first = line.first();
      return first && first.changedAt + grace;
    },
    takeChanges: () => changes.take(),
    counts: () => ({
      created,
      removed,
      findings,
      open,
      emptyParents: emptyParents(),
      tracked: table.tracked,
    }),
  };
}

function isSame(a: Creator, b: Creator): boolean {
  return (
    a.pid === b.pid &&
    a.comm === b.comm &&
    a.ancestors.length === b.ancestors.length &&
    a.ancestors.every(({ pid }, at) => pid === b.ancestors[at]?.pid)
  );
}

function isPopulated(group: Group): boolean {
  return group.members.some(({ live, populated }) => live && populated);
}

/** Settles whatever is due with the events alone: for a replay, far from the file system. */
export function settleAll(lifecycle: Lifecycle, now: bigint): void {
  for (const candidate of lifecycle.due(now)) {
    const observed = candidate.members.map((member): Observation => ({
      ...member,
      state: 'unknown',
    }));
    lifecycle.settle(candidate, observed, now);
  }
}
