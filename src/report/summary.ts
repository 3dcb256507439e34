import type { Finding } from '../lifecycle/index.js';
import {
  countOf,
  escapeText,
  formatCount,
  formatDuration,
  jsonLine,
} from '../text/index.js';
import type { WatchSummary } from '../watch/index.js';
import { head, seconds } from './json-parts.js';
import type { Style } from './style.js';

/** The summary of a watch as a line of JSON, without its end. */
export function jsonSummary(summary: WatchSummary, epoch: bigint): string {
  const { duration, ...counts } = summary;
  return jsonLine({
    ...head('summary', epoch),
    ...counts,
    durationSeconds: seconds(duration),
  });
}

/** Of an open finding, at the end. */
export type StillThere = Pick<Finding, 'path' | 'finding'>;

/** More are a number. */
const mostPaths = 20;

/**
 * The summary for a human: lines with their ends.
 *
 * @param stillThere - the findings that are open still, named below it.
 */
export function textSummary(
  summary: WatchSummary,
  style: Style,
  stillThere: Iterable<StillThere> = [],
): string {
  const { duration, created, removed, pending, emptyParents, lost } = summary;
  const parts = [
    `${countOf(created, 'cgroup')} created`,
    `${formatCount(removed)} removed`,
    leaked(summary, style),
    lost === 0 ? '0 events lost' : style.red(`${countOf(lost, 'event')} lost`),
  ];
  const lines = [`Watched for ${formatDuration(duration)}: ${parts.join(', ')}.`];
  const paths = [...stillThere];
  for (const { path, finding } of paths.slice(0, mostPaths))
    lines.push(
      `  ${escapeText(path)}${finding === 'dying' ? ' (removed from it, not freed)' : ''}`,
    );
  if (paths.length > mostPaths)
    lines.push(`  and ${formatCount(paths.length - mostPaths)} more: cgleak scan`);
  if (pending > 0)
    lines.push(
      `${countOf(pending, 'empty cgroup')} still within grace: too early to say whether ${pending === 1 ? 'it leaks' : 'they leak'}.`,
    );
  if (emptyParents > 0)
    lines.push(
      `${countOf(emptyParents, 'empty parent')}, whose children are gone: no leak for most owners, told with --parents.`,
    );
  if (summary.dying !== undefined)
    lines.push(
      `${countOf(summary.dying, 'removed cgroup')} not freed by the kernel yet: something is still charged to ${summary.dying === 1 ? 'it' : 'them'}.`,
    );
  return lines.join('\n') + '\n';
}

function leaked({ findings, open }: WatchSummary, style: Style): string {
  if (findings === 0) return style.green('0 leaked');
  const count = style.bold(style.red(`${formatCount(findings)} leaked`));
  if (open === findings) return `${count} (still there)`;
  return open === 0
    ? `${count} (gone by now)`
    : `${count} (${formatCount(open)} still there)`;
}
