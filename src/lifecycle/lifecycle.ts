import type { CgroupEvent, EmptiedEvent, MkdirEvent, Task } from '../events/event.js';
import { createCgroupTree } from './cgroup-tree.js';
import { createChanges, identities, lastEmptied } from './changes.js';
import type { CloseReason } from './finding.js';
import {
  hasLiveMember,
  isEmptyParent,
  isParent,
  isPopulated,
  isToldAsParent,
  judge,
  liveMembers,
  membersOf,
  memberOf,
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
import { createLineages } from './lineages.js';
import { createRecentlyRemoved } from './recently-removed.js';
import { reconcile } from './reconcile.js';
import { createRemovalDelays, delayKey } from './removal-delays.js';
import { createRules } from './rules.js';

/** Makes a model that knows of no cgroup yet. */
export function createLifecycle(options: LifecycleOptions): Lifecycle {
  const { parents = false } = options;
  const rules = createRules(options);
  const tree = createCgroupTree(refresh, (path) => rules.of(path));
  const delays = createRemovalDelays();
  const changes = createChanges(delays, options.ownerOf);
  const lineages = createLineages();
  const recentlyRemoved = createRecentlyRemoved();
  /** Given out as candidates, and unchanged since. */
  const told = new Set<Group>();
  /** To be looked at again even where the model sees no leak: it was wrong before. */
  const doubted = new Set<Group>();
  let created = 0;
  let removed = 0;
  let findings = 0;
  let open = 0;
  let emptyParents = 0;

  /** Something happened to the group: what does it mean for its finding and its grace? */
  function refresh(group: Group, time: bigint, gone?: Member, by?: Task): void {
    if (time > group.changedAt) group.changedAt = time;
    told.delete(group);
    if (!hasLiveMember(group)) doubted.delete(group);
    countEmptyParent(group);
    if (group.openFinding) updateFinding(group, time, gone, by);
    const { line } = group.rule;
    if (!group.openFinding && isToBeLookedAt(group)) line.append(group);
    else line.remove(group);
  }

  function isToBeLookedAt(group: Group): boolean {
    return judge(group, parents) !== undefined || doubted.has(group);
  }

  function countEmptyParent(group: Group): void {
    const is = isEmptyParent(group);
    if (is !== group.isEmptyParent) emptyParents += is ? 1 : -1;
    group.isEmptyParent = is;
  }

  function updateFinding(group: Group, time: bigint, gone?: Member, by?: Task): void {
    const finding = group.openFinding;
    if (!finding) return;
    const kind = judge(group, parents);
    if (!finding.members.some((member) => member.live && member.group === group)) {
      const reason = gone?.live === true ? 'renamed' : 'removed';
      close(
        group,
        time,
        reason,
        gone ? [gone] : [],
        reason === 'removed' ? by : undefined,
      );
    } else if (kind) {
      finding.kind = kind;
      changes.add(group, finding, { state: 'updated', time, left: liveMembers(group) });
    } else {
      const reason = isPopulated(group) ? 'repopulated' : 'parent';
      close(group, time, reason, liveMembers(group));
    }
  }

  function close(
    group: Group,
    time: bigint,
    reason: CloseReason,
    left: readonly Member[],
    removedBy?: Task,
  ): void {
    if (!group.openFinding) return;
    changes.add(group, group.openFinding, {
      state: 'closed',
      time,
      left,
      reason,
      removedBy,
    });
    group.openFinding = undefined;
    open -= 1;
  }

  /**
   * The live cgroup that a task has entered or left: one that was there before the
   * start if unknown. Undefined for one that is gone: the event came late.
   */
  function findOrTrack({ path, hierarchy, id, time }: CgroupEvent): Member | undefined {
    const known = tree.find(path, hierarchy);
    if (known?.id === id) return known.live ? known : undefined;
    if (recentlyRemoved.has(hierarchy, id)) return undefined;
    if (known?.live) {
      if (known.id === unknownId) {
        tree.identify(known, id);
        return known;
      }
      tree.remove(known, time);
    }
    return tree.track(path, hierarchy, id, time);
  }

  function onMkdir(event: MkdirEvent): void {
    const { path, hierarchy, id, time } = event;
    const known = tree.find(path, hierarchy);
    if (known?.id === id) {
      // It comes twice, or late: after an event of the cgroup that it tells of.
      if (!known.live || known.createdAt !== undefined) return;
      created += 1;
      known.createdAt = time;
      known.creator = lineages.of(event);
      return;
    }
    created += 1;
    if (known?.live) tree.remove(known, time);
    tree.track(path, hierarchy, id, time, { at: time, creator: lineages.of(event) });
  }

  function onPopulated(event: CgroupEvent): void {
    const member = findOrTrack(event);
    if (!member || member.populated) return;
    member.populated = true;
    refresh(member.group, event.time);
  }

  function onEmptied(event: EmptiedEvent): void {
    const member = findOrTrack(event);
    if (!member || (!member.populated && member.emptiedAt === event.time)) return;
    member.populated = false;
    member.emptiedAt = event.time;
    member.emptiedBy = event.lastTask ?? event.movedBy;
    refresh(member.group, event.time);
  }

  function onRmdir({ path, hierarchy, id, time, task }: CgroupEvent): void {
    const known = tree.find(path, hierarchy);
    const isDuplicate =
      known?.id === id ? !known.live : recentlyRemoved.has(hierarchy, id);
    if (isDuplicate) return;
    removed += 1;
    recentlyRemoved.add(hierarchy, id);
    if (!known?.live) {
      tree.markParentOf(path, hierarchy, time);
    } else if (known.id === id || known.id === unknownId) {
      const { group } = known;
      tree.identify(known, id);
      tree.remove(known, time, task);
      if (!hasLiveMember(group)) learnDelay(group, time);
    } else {
      tree.remove(known, time);
    }
  }

  /** A path counts once, when it has been removed from its last hierarchy. */
  function learnDelay(group: Group, time: bigint): void {
    const emptiedAt = lastEmptied(membersOf(group))?.emptiedAt;
    if (emptiedAt === undefined || time < emptiedAt) return;
    delays.add(delayKey(group), time - emptiedAt);
  }

  /** Tells something new only where the rmdir was lost. */
  function onRelease({ path, hierarchy, id, time }: CgroupEvent): void {
    const known = tree.find(path, hierarchy);
    if (!known?.live || known.id !== id) return;
    removed += 1;
    recentlyRemoved.add(hierarchy, id);
    tree.remove(known, time);
  }

  function onRename({ hierarchy, id, path, time, task }: CgroupEvent): void {
    const isKnown = tree.rename(hierarchy, id, path, time, task);
    if (isKnown || recentlyRemoved.has(hierarchy, id)) return;
    // Whatever it was called before, now it is there.
    const displaced = tree.find(path, hierarchy);
    if (displaced?.live) tree.remove(displaced, time);
    tree.track(path, hierarchy, id, time);
  }

  function feed(event: CgroupEvent): void {
    if (event.pathTruncated) {
      // Its path is not its own, and no file can be opened by it: it is counted only.
      if (event.kind === 'mkdir') created += 1;
      if (event.kind === 'rmdir') removed += 1;
      return;
    }
    switch (event.kind) {
      case 'mkdir':
        onMkdir(event);
        return;
      case 'populated':
        onPopulated(event);
        return;
      case 'emptied':
        onEmptied(event);
        return;
      case 'rmdir':
        onRmdir(event);
        return;
      case 'release':
        onRelease(event);
        return;
      case 'rename':
        onRename(event);
        return;
    }
  }

  function due(now: bigint): Candidate[] {
    const candidates: Candidate[] = [];
    for (
      let group = rules.firstDue(now);
      group !== undefined;
      group = rules.firstDue(now)
    ) {
      group.rule.line.remove(group);
      told.add(group);
      const known = liveMembers(group).filter(({ id }) => id !== unknownId);
      candidates.push({ path: group.path, members: identities(known) });
    }
    return candidates;
  }

  function settle(
    { path }: Candidate,
    observed: readonly Observation[],
    now: bigint,
  ): void {
    const group = tree.get(path);
    // It may have changed meanwhile, and is in the line again.
    if (!group || !told.has(group)) return;
    const wasDoubted = doubted.delete(group);
    let isDoubted = false;
    let isWrong = false;
    for (const observation of observed) {
      const member = memberOf(group, observation.hierarchy);
      if (!member?.live || member.id !== observation.id) continue;
      if (!correct(member, observation.state, now)) isWrong = true;
      // The event that ends what the model did not know of may have been lost, too.
      isDoubted ||=
        observation.state === 'populated' ||
        observation.state === 'parent' ||
        (wasDoubted && observation.state === 'unknown');
    }
    const mayBeTold = !isParent(group) || isToldAsParent(group, parents);
    if (isDoubted && mayBeTold && hasLiveMember(group)) doubted.add(group);

    const kind = judge(group, parents);
    if (isWrong || !kind) {
      refresh(group, now);
      return;
    }
    countEmptyParent(group);
    const left = liveMembers(group);
    told.delete(group);
    findings += 1;
    const key = options.nextKey?.() ?? findings;
    group.openFinding = { key, kind, members: left };
    open += 1;
    changes.add(group, group.openFinding, { state: 'opened', time: now, left });
  }

  /** Returns whether the model was right to take the cgroup for empty. */
  function correct(member: Member, state: Observation['state'], now: bigint): boolean {
    switch (state) {
      case 'unknown':
        return true;
      case 'empty':
        // Its event was lost: it came some time before now.
        if (member.populated) member.emptiedAt = now;
        member.populated = false;
        member.unseenChildren = false;
        tree.removeBelow(member, now);
        return true;
      case 'populated':
        member.populated = true;
        return false;
      case 'parent':
        member.unseenChildren = member.children === 0;
        member.everParent = true;
        return false;
      case 'absent':
      case 'replaced':
        tree.remove(member, now);
        return false;
    }
  }

  function postpone({ path }: Candidate, now: bigint): void {
    const group = tree.get(path);
    if (group && told.has(group)) refresh(group, now);
  }

  return {
    feed,
    due,
    settle,
    postpone,
    reconcile: (reconciliation, time) =>
      reconcile({ tree, feed, refresh }, reconciliation, time),
    nextDue: () => rules.nextDue(),
    takeChanges: () => changes.take(),
    counts: () => ({
      created,
      removed,
      findings,
      open,
      emptyParents,
      tracked: tree.tracked(),
    }),
  };
}
