import type { Finding } from '../lifecycle/index.js';
import { formatClock, formatDay } from '../text/index.js';
import type { ReportContext } from './report-context.js';

/** The time of day, and the day where it is another than the finding's. */
export function clockOf(
  monotonic: bigint,
  finding: Finding,
  context: ReportContext,
): string {
  const epoch = context.toWallClock(monotonic);
  const day = formatDay(epoch);
  const sameDay = day === formatDay(context.toWallClock(finding.time));
  return sameDay ? formatClock(epoch) : `${day} ${formatClock(epoch)}`;
}
