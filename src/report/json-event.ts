import type { CgroupEvent } from '../events/index.js';
import { jsonLine } from '../text/index.js';
import { head, jsonLastTask, jsonPath, jsonTask, jsonTaskName } from './json-parts.js';
import { hierarchyNames, type ReportContext } from './report-context.js';

/** An event as a line of JSON, without its end. */
export function jsonEvent(event: CgroupEvent, context: ReportContext): string {
  return jsonLine({
    ...head('event', context.toWallClock(event.time)),
    event: event.kind,
    hierarchy: event.hierarchy,
    controllers: hierarchyNames(context, event.hierarchy),
    id: String(event.id),
    ...jsonPath(event.path),
    ...(event.pathTruncated && { pathTruncated: true }),
    task: jsonTask(event.task),
    ...cause(event),
  });
}

function cause(event: CgroupEvent): object {
  switch (event.kind) {
    case 'mkdir':
      return { ancestors: event.ancestors.map(jsonTaskName) };
    case 'emptied':
      return {
        ...(event.lastTask && { lastTask: jsonLastTask(event.lastTask) }),
        ...(event.movedBy && { movedBy: jsonTaskName(event.movedBy) }),
      };
    default:
      return {};
  }
}
