import { countOf, formatDuration } from '../text/index.js';
import type { Reconciled } from '../watch/index.js';

/** That the file system has been looked at, for a human: a line with its end. */
export function textReconciled(reconciled: Reconciled): string {
  const { reason, cgroups, found, gone, corrected, duration, skipped } = reconciled;
  const blind =
    skipped.length === 0
      ? ''
      : ` ${countOf(skipped.length, 'hierarchy', 'hierarchies')} could not be looked at: there events alone count.`;
  if (reason === 'start' && found === 0) return blind === '' ? '' : `${blind.trim()}\n`;
  if (reason === 'start')
    return `${countOf(found, 'cgroup')} ${found === 1 ? 'was' : 'were'} there before (${formatDuration(duration)} to look).${blind}\n`;
  return `cgleak: made good for the lost events by looking at ${countOf(cgroups, 'cgroup')} (${formatDuration(duration)}): ${countOf(found, 'unseen one')} taken up, ${countOf(gone, 'removed one')} dropped, ${corrected} corrected.${blind}\n`;
}
