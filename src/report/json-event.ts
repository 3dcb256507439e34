import type { CgroupEvent } from '../events/index.js';
import { formatRfc3339, jsonLine, jsonText } from '../text/index.js';
import { jsonLastTask, jsonTask, jsonTaskName } from './json-parts.js';
import { hierarchyNames, type ReportContext } from './report-context.js';

/** An event as a line of JSON, without its end. */
export function jsonEvent(event: CgroupEvent, context: ReportContext): string {
  const { text, base64 } = jsonText(event.path);
  // No spread here: a busy host has tens of thousands of these a second.
  const line: Record<string, unknown> = {
    v: 1,
    type: 'event',
    time: formatRfc3339(context.toWallClock(event.time)),
    event: event.kind,
    hierarchy: event.hierarchy,
    controllers: hierarchyNames(context, event.hierarchy),
    id: String(event.id),
    path: text,
  };
  if (base64 !== undefined) line['pathBase64'] = base64;
  if (event.pathTruncated) line['pathTruncated'] = true;
  line['task'] = jsonTask(event.task);
  if (event.kind === 'mkdir') line['ancestors'] = event.ancestors.map(jsonTaskName);
  if (event.kind === 'emptied') {
    if (event.lastTask) line['lastTask'] = jsonLastTask(event.lastTask);
    if (event.movedBy) line['movedBy'] = jsonTaskName(event.movedBy);
  }
  return jsonLine(line);
}
