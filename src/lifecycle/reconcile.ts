import type { CgroupEvent } from '../events/event.js';
import type { CgroupTree } from './cgroup-tree.js';
import { unknownId, type Group, type Member, type Origin } from './group.js';
import type { Differences, Reconciliation } from './lifecycle-types.js';

/** What a reconciliation needs of the lifecycle. */
export interface ReconcileContext {
  readonly tree: CgroupTree;
  readonly feed: (event: CgroupEvent) => void;
  readonly refresh: (group: Group, time: bigint) => void;
}

/**
 * Makes the model of one hierarchy equal to a snapshot and the events since it
 * began. An event says more than a snapshot, and later: so what such an event told
 * of is left as the events have it. If no event has been lost since the snapshot
 * began, the model is right afterwards, whatever was lost before.
 *
 * @returns undefined where a rename came meanwhile: nobody can say then to which
 *   moment the paths of the snapshot belong. The events are fed all the same.
 */
export function reconcile(
  { tree, feed, refresh }: ReconcileContext,
  { snapshot, since, isWatched = () => true, origin }: Reconciliation,
  time: bigint,
): Differences | undefined {
  const { hierarchy, entries, root } = snapshot;
  const { paths, made, removed, isRenamed } = learn(hierarchy, since);
  if (isRenamed) {
    for (const event of since) feed(event);
    return undefined;
  }
  const isShown = (path: string) =>
    (root === '/' || path.startsWith(`${root}/`)) && isWatched(path);

  const known = new Set<Member>();
  for (const { path, id } of entries) {
    const member = tree.find(path, hierarchy);
    if (!member?.live || (member.id !== id && member.id !== unknownId)) continue;
    known.add(member);
    // It shows itself as one that was there before.
    if (member.id === unknownId && isWatched(path)) tree.identify(member, id);
  }

  const gone: Member[] = [];
  for (const member of tree.live(hierarchy)) {
    const { path } = member.group;
    // An event from another path tells that a rename was lost.
    if (isShown(path) && !known.has(member) && paths.get(member.id) !== path)
      gone.push(member);
  }
  // The deepest first: a cgroup takes with it what is below.
  gone.sort((a, b) => b.group.path.length - a.group.path.length);
  for (const member of gone) if (member.live) tree.remove(member, time);

  let found = 0;
  for (const { path, id } of entries) {
    // Of these the events tell more.
    if (!isWatched(path) || made.has(id) || removed.has(id)) continue;
    if (tree.find(path, hierarchy)?.live) continue;
    tree.track(path, hierarchy, id, time);
    found += 1;
  }

  for (const event of since) feed(event);

  let corrected = 0;
  for (const entry of entries) {
    const member = tree.find(entry.path, hierarchy);
    if (!member?.live || member.id !== entry.id || !isWatched(entry.path)) continue;
    const isNews = setOrigin(member, entry.populated, origin);
    const isWrong = member.populated !== entry.populated && !paths.has(entry.id);
    if (isWrong) setPopulated(member, entry.populated, time);
    if (isWrong && known.has(member)) corrected += 1;
    if (!isWrong && !isNews && !member.unseenChildren) continue;
    member.unseenChildren = false;
    refresh(member.group, time);
  }
  return { found, gone: gone.length, corrected };
}

/** Returns whether that is new. */
function setOrigin(
  member: Member,
  populated: boolean,
  origin: Origin | undefined,
): boolean {
  const isUncertain =
    member.createdAt === undefined ||
    // That a task came and went may have been lost.
    (origin === 'unseen' && !populated && member.emptiedAt === undefined);
  if (!isUncertain || !origin || member.origin) return false;
  member.origin = origin;
  return true;
}

function setPopulated(member: Member, populated: boolean, time: bigint): void {
  member.populated = populated;
  if (populated) return;
  // Its event was lost: it came some time before now.
  member.emptiedAt = time;
  member.emptiedBy = undefined;
}

/** Of which cgroups of the hierarchy the events tell, and what. */
function learn(hierarchy: number, events: readonly CgroupEvent[]) {
  /** Where each was last. */
  const paths = new Map<bigint, string>();
  const made = new Set<bigint>();
  const removed = new Set<bigint>();
  let isRenamed = false;
  for (const event of events) {
    if (event.hierarchy !== hierarchy) continue;
    paths.set(event.id, event.path);
    if (event.kind === 'mkdir') made.add(event.id);
    if (event.kind === 'rmdir' || event.kind === 'release') removed.add(event.id);
    if (event.kind === 'rename') isRenamed = true;
  }
  return { paths, made, removed, isRenamed };
}
