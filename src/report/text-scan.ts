import {
  countOf,
  escapeText,
  formatCount,
  formatDuration,
  listOf,
} from '../text/index.js';
import type { EmptyLeaf, Scan, ScanGroup } from '../watch/index.js';
import { namesOfAll, type ReportContext } from './report-context.js';
import type { Style } from './style.js';

/** A younger bound than this tells nothing: it is as old as our own look. */
const leastAge = 60_000_000_000n;

/** A scan for a human, grouped by owner or parent: lines with their ends. */
export function textScan(scan: Scan, context: ReportContext, style: Style): string {
  const rows = scan.groups.map((group) => row(group, scan, context));
  const countWidth = widthOf(rows.map(({ count }) => count));
  const ownerWidth = widthOf(rows.map(({ owner }) => owner));
  const parentWidth = Math.min(60, widthOf(rows.map(({ parent }) => parent)));
  const table =
    rows.length === 0
      ? []
      : [
          style.dim(
            `${'EMPTY'.padStart(countWidth)}  ${'OWNER'.padEnd(ownerWidth)}  ${'BELOW'.padEnd(parentWidth)}  IN`,
          ),
          ...rows.flatMap(({ count, owner, parent, names, oldest }) => [
            `${style.bold(count.padStart(countWidth))}  ${owner.padEnd(ownerWidth)}  ${parent.padEnd(parentWidth)}  ${names}`,
            `${' '.repeat(countWidth)}  ${style.dim(oldest)}`,
          ]),
          '',
        ];
  return [...table, ...ending(scan, style), ''].join('\n');
}

/** The same as a tree: each empty cgroup, and those above it. */
export function textScanTree(scan: Scan, context: ReportContext, style: Style): string {
  const lines: string[] = [];
  const byPath = scan.groups
    .flatMap(({ leaves }) => leaves)
    .map((leaf) => ({ leaf, parts: leaf.path.slice(1).split('/') }))
    .sort((a, b) => compareParts(a.parts, b.parts));
  let above: readonly string[] = [];
  for (const { leaf, parts } of byPath) {
    let same = 0;
    while (same < parts.length - 1 && parts[same] === above[same]) same += 1;
    for (let level = same; level < parts.length - 1; level++)
      lines.push(`${indent(level)}${escapeText(parts[level] ?? '')}`);
    lines.push(
      `${indent(parts.length - 1)}${style.bold(escapeText(parts.at(-1) ?? ''))}  ${style.dim(`empty in ${names([leaf], context)}`)}`,
    );
    above = parts.slice(0, -1);
  }
  if (lines.length > 0) lines.push('');
  return [...lines, ...ending(scan, style), ''].join('\n');
}

function row(
  { owner, parent, leaves, oldest }: ScanGroup,
  scan: Scan,
  context: ReportContext,
) {
  const name = escapeText(oldest.path.slice(oldest.path.lastIndexOf('/') + 1));
  const { standsSince } = oldest;
  const age = standsSince === undefined ? 0n : scan.time - standsSince;
  return {
    count: formatCount(leaves.length),
    owner: escapeText(owner ?? '?'),
    parent: parent === undefined ? 'several' : escapeText(parent),
    names: names(leaves, context),
    oldest: `the first made is ${name}${age < leastAge ? '' : `, ${formatDuration(age)} old at least`}`,
  };
}

/** Of a column, its head of up to five letters included; there may be very many rows. */
function widthOf(texts: readonly string[]): number {
  return texts.reduce((width, { length }) => Math.max(width, length), 5);
}

/** Of all hierarchies in which any of them stands. */
function names(leaves: readonly EmptyLeaf[], context: ReportContext): string {
  const hierarchies = new Set(
    leaves.flatMap(({ members }) => members.map(({ hierarchy }) => hierarchy)),
  );
  const ids = [...hierarchies].sort((a, b) => a - b).map((hierarchy) => ({ hierarchy }));
  const list = namesOfAll(context, ids);
  return list.length <= 3
    ? listOf(list)
    : `${list.length} hierarchies: ${list.slice(0, 2).join(', ')}, …`;
}

function ending(scan: Scan, style: Style): string[] {
  const { empty, emptyCgroups, kept, cgroups, hierarchies, unreadable } = scan;
  const sources = [...new Set(hierarchies.map(({ source }) => source))];
  const by = sources
    .map((source) => (source === 'walk' ? 'a walk' : "the kernel's iterator"))
    .join(' and ');
  const verdict =
    empty === 0
      ? style.green('No cgroup stands empty.')
      : `${style.bold(style.red(`${countOf(empty, 'path')} ${empty === 1 ? 'stands' : 'stand'} empty`))}, without task or child${emptyCgroups === empty ? '' : `: ${countOf(emptyCgroups, 'cgroup')} in all hierarchies`}.`;
  return [
    verdict,
    `${countOf(cgroups, 'cgroup')} in ${countOf(hierarchies.length, 'hierarchy', 'hierarchies')} looked at in ${formatDuration(scan.duration)} by ${by}.`,
    ...(kept === 0
      ? []
      : [
          `${countOf(kept, 'more stands', 'more stand')} empty because ${kept === 1 ? 'its owner keeps it' : 'their owners keep them'} so on purpose.`,
        ]),
    ...(unreadable === 0
      ? []
      : [
          style.yellow(
            `${countOf(unreadable, 'cgroup')} could not be read, and count as in use: run as root to see them.`,
          ),
        ]),
    ...(empty === 0
      ? []
      : [
          style.dim(
            'The kernel keeps no time of creation, and who made them is unknown: cgleak watch tells that of new ones.',
          ),
        ]),
  ];
}

function indent(level: number): string {
  return '  '.repeat(level);
}

function compareParts(a: readonly string[], b: readonly string[]): number {
  for (let at = 0; ; at++) {
    const [one, other] = [a[at], b[at]];
    if (one === undefined || other === undefined) return a.length - b.length;
    if (one !== other) return one < other ? -1 : 1;
  }
}
