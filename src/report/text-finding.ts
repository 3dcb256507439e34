import { cgroupDirectory } from '../cgroupfs/index.js';
import type { ExitedTask, TaskName } from '../events/index.js';
import { parentPath, type Finding, type FindingMember } from '../lifecycle/index.js';
import {
  countOf,
  escapeText,
  formatClock,
  formatCount,
  formatDay,
  formatDuration,
  listOf,
} from '../text/index.js';
import { compactDirectories } from './compact-directories.js';
import { clockOf } from './finding-clock.js';
import { namesOfAll, type ReportContext } from './report-context.js';
import type { Style } from './style.js';
import { textDying } from './text-dying.js';
import { exitText } from './text-event.js';

/** A finding, or a change of it, for a human: a few lines and an empty one. */
export function textFinding(
  finding: Finding,
  context: ReportContext,
  style: Style,
): string {
  const lines = body(finding, context).map((line) => `  ${line}\n`);
  return `${title(finding, context, style)}${lines.join('')}\n`;
}

function title(finding: Finding, context: ReportContext, style: Style): string {
  const epoch = context.toWallClock(finding.time);
  const word = {
    opened: style.bold(style.red(finding.dying ? 'DYING  ' : 'LEAKED ')),
    updated: style.bold(style.yellow('CHANGED')),
    closed: style.bold(style.green('CLEARED')),
  }[finding.state];
  const path = style.bold(escapeText(finding.path));
  return `${word} ${path}  ${style.dim(`${formatDay(epoch)} ${formatClock(epoch)} UTC`)}\n`;
}

function body(finding: Finding, context: ReportContext): string[] {
  if (finding.dying) return textDying(finding, finding.dying, context);
  switch (finding.state) {
    case 'opened':
      return [
        where(finding, context),
        ...ownerOf(finding),
        ...directories(finding, context),
        created(finding, context),
        emptied(finding, context),
        ...siblings(finding),
      ];
    case 'updated':
      return [where(finding, context), ...directories(finding, context)];
    case 'closed':
      return [end(finding)];
  }
}

function where(finding: Finding, context: ReportContext): string {
  const left = namesOfAll(context, finding.left);
  const removed = namesOfAll(context, finding.removed);
  const parent = finding.parent ? 'parent whose children are gone, ' : '';
  return removed.length === 0
    ? `${finding.finding}: ${parent}still in ${hierarchies(left)}`
    : `${finding.finding}: ${parent}still in ${hierarchies(left)}, but removed from ${hierarchies(removed)}`;
}

/** `belongs to docker: container 4f5e...`. */
function ownerOf({ owner }: Finding): string[] {
  if (!owner) return [];
  const { owner: name, idKind, id } = owner;
  const what = id === undefined ? '' : `: ${idKind ?? 'id'} ${escapeText(id)}`;
  return [`belongs to ${escapeText(name)}${what}`];
}

/** `name=systemd`, or `12 hierarchies: cpu, ...`. */
function hierarchies(names: readonly string[]): string {
  return names.length <= 3
    ? listOf(names)
    : `${names.length} hierarchies (${names.join(', ')})`;
}

function directories(finding: Finding, context: ReportContext): string[] {
  const paths = finding.left.flatMap((member) => directoryOf(member, finding, context));
  const compact = compactDirectories(paths);
  return compact === undefined ? [] : [`at ${compact}`];
}

function directoryOf(
  member: FindingMember,
  { path }: Finding,
  context: ReportContext,
): string[] {
  const hierarchy = context.hierarchy(member.hierarchy);
  const directory = hierarchy && cgroupDirectory(hierarchy, path);
  return directory ? [directory.toString('latin1')] : [];
}

function created(finding: Finding, context: ReportContext): string {
  const { createdAt, creator } = finding;
  if (finding.unseen) return 'created while events were lost, by whom is unknown';
  if (createdAt === undefined) return 'created before cgleak started, by whom is unknown';
  const when = `created ${clockOf(createdAt, finding, context)}`;
  if (!creator) return when;
  const ancestors = creator.ancestors.map(
    ({ pid, comm }) => ` <- ${escapeText(comm)} (${pid})`,
  );
  return `${when} by ${person(creator)}${ancestors.join('')}`;
}

function emptied(finding: Finding, context: ReportContext): string {
  const { emptiedAt, lastTask, movedBy, time } = finding;
  if (emptiedAt === undefined) {
    if (finding.unseen) return 'empty since at the latest when the loss was made good';
    if (finding.preexisting)
      return 'empty since before cgleak started, for how long is unknown';
    return finding.finding === 'unused'
      ? 'no task has ever been in it'
      : 'no task has been in it; nobody has removed what is left';
  }
  const when = `at ${clockOf(emptiedAt, finding, context)}, ${formatDuration(time - emptiedAt)} ago; nobody has removed it since`;
  if (lastTask) return `last task ${personEnd(lastTask)} ${when}`;
  if (movedBy) return `last task moved out by ${person(movedBy)} ${when}`;
  return `emptied ${when}`;
}

function siblings({ path, owner, siblings: delay }: Finding): string[] {
  if (!delay) return [];
  const others = owner
    ? `others of ${escapeText(owner.owner)}`
    : `others under ${escapeText(parentPath(path) ?? '/')}`;
  const { count, p50, p99 } = delay;
  return count < 5
    ? [
        `${others} were removed ${formatDuration(p50)} after they became empty (${formatCount(count)} seen)`,
      ]
    : [
        `${others} are usually removed ${formatDuration(p50)} after they become empty (p99 ${formatDuration(p99)}, ${formatCount(count)} seen)`,
      ];
}

function end(finding: Finding): string {
  const { reason, removedBy, emptiedAt, time } = finding;
  const after =
    emptiedAt === undefined
      ? ''
      : `, ${formatDuration(time - emptiedAt)} after it became empty`;
  switch (reason) {
    case 'repopulated':
      return `in use${finding.finding === 'unused' ? '' : ' again'}: a task entered it${after}`;
    case 'parent':
      return `in use${finding.finding === 'unused' ? '' : ' again'}: it got a child${after}`;
    case 'renamed':
      return `renamed${after}: it is there under another path`;
    default: {
      const wasOne = finding.left.length + finding.removed.length === 1;
      const by = removedBy ? ` by ${person(removedBy)}` : '';
      return `${wasOne ? 'removed' : 'gone from all hierarchies, the last removed'}${by}${after}`;
    }
  }
}

function person({ pid, comm }: TaskName): string {
  return `${escapeText(comm)} (pid ${pid})`;
}

function personEnd(task: ExitedTask): string {
  return `${person(task)} ${exitText(task)}`;
}

/** The line that a terminal shows while nothing happens, without its end. */
export function textWatching(
  counts: {
    readonly created: number;
    readonly removed: number;
    readonly findings: number;
    readonly open: number;
  },
  lost: number,
  duration: bigint,
): string {
  return [
    `watching for ${formatDuration(duration - (duration % 1_000_000_000n))}: ${countOf(counts.created, 'cgroup')} created`,
    `${formatCount(counts.removed)} removed`,
    `${formatCount(counts.findings)} leaked${counts.findings === counts.open ? '' : ` (${formatCount(counts.open)} still there)`}`,
    `${countOf(lost, 'event')} lost`,
  ].join(', ');
}
