import type { DyingEvidence, Finding } from '../lifecycle/index.js';
import {
  countOf,
  escapeText,
  formatBytes,
  formatCount,
  formatDuration,
  listOf,
} from '../text/index.js';
import { clockOf } from './finding-clock.js';
import { hierarchyNames, type ReportContext } from './report-context.js';

/** What is to be said of a finding of removed cgroups, for a human: lines. */
export function textDying(
  finding: Finding,
  dying: DyingEvidence,
  context: ReportContext,
): string[] {
  if (finding.state === 'closed') {
    return [
      dying.cgroups === 0
        ? 'released: the kernel has freed them all'
        : `released: the kernel has freed them but for ${formatCount(dying.cgroups)}`,
    ];
  }
  const names = dying.hierarchies.flatMap((id) => hierarchyNames(context, id));
  const { owner } = finding;
  const of = owner ? ` of ${escapeText(owner.owner)}` : '';
  const lines = [
    `dying: ${countOf(dying.cgroups, 'cgroup')}${of} below it, removed from ${listOf(names)}, but not freed by the kernel`,
    removal(finding, dying, context),
    ...costs(dying, names),
  ];
  return finding.state === 'updated' ? lines : [...lines, ...advice(dying, names)];
}

function removal(
  finding: Finding,
  { oldestRemovedAt }: DyingEvidence,
  context: ReportContext,
): string {
  const when = `the first removed at ${clockOf(oldestRemovedAt, finding, context)}, ${formatDuration(finding.time - oldestRemovedAt)} ago`;
  const by = finding.removedBy;
  return by ? `${when}; the last by ${escapeText(by.comm)} (pid ${by.pid})` : when;
}

function costs(
  { pinnedBytes, nrDyingDescendants, cgroups }: DyingEvidence,
  names: readonly string[],
): string[] {
  const pinned =
    pinnedBytes === undefined
      ? []
      : [`they keep at most ${formatBytes(pinnedBytes)} of memory charged`];
  const ids = names.includes('memory')
    ? ['each keeps one of the 65,535 ids of memory cgroups']
    : [];
  const more =
    nrDyingDescendants !== undefined && nrDyingDescendants > cgroups
      ? [
          `the kernel counts ${formatCount(nrDyingDescendants)} there, recent ones and those from before cgleak started included`,
        ]
      : [];
  return [...pinned, ...ids, ...more];
}

/** Only where there is a memory controller something can be dropped. */
function advice({ pinnedBytes }: DyingEvidence, names: readonly string[]): string[] {
  if (!names.includes('memory') && pinnedBytes === undefined) return [];
  return [
    'most often page cache of files that their tasks read or wrote keeps them: the kernel frees them as it needs memory',
    'to have them freed now: sync; echo 1 > /proc/sys/vm/drop_caches (reads from disk are slower for a while, on the whole host)',
    'what stays then is held by something else: files left in tmpfs or shared memory, open sockets, or other kernel objects',
  ];
}
