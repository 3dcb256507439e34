import type { CgroupEvent, ExitedTask, TaskName } from '../events/index.js';
import { escapeWord, formatClock, signalName } from '../text/index.js';
import { hierarchyNames, type ReportContext } from './report-context.js';
import type { Style } from './style.js';

/** Writes events as lines of a table. Columns widen as longer names come by. */
export interface EventTable {
  readonly header: string;
  /** A line with its end. */
  readonly line: (event: CgroupEvent) => string;
}

/** A path longer than this pushes the rest of its line, and not that of all others. */
const pathWidthLimit = 100;

const eventWidth = 'populated'.length;
const pidWidth = 7;
const commWidth = 15;

export function createEventTable(
  context: ReportContext,
  style: Style,
  hierarchies: readonly { readonly controllers: readonly string[] }[],
): EventTable {
  const hierarchyWidth = Math.max(
    'HIERARCHY'.length,
    ...hierarchies.map(({ controllers }) => controllers.join().length),
  );
  let pathWidth = 40;

  const row = (
    cells: readonly [string, string, string, string, string, string, string],
  ) => {
    const [time, event, hierarchy, path, pid, comm, details] = cells;
    const text = [
      time.padEnd('14:02:11.042'.length),
      event,
      hierarchy.padEnd(hierarchyWidth),
      path.padEnd(pathWidth),
      pid.padStart(pidWidth),
      comm.padEnd(details === '' ? 0 : commWidth),
      details,
    ].join('  ');
    return `${text.trimEnd()}\n`;
  };

  return {
    header: row([
      'TIME (UTC)',
      'EVENT'.padEnd(eventWidth),
      'HIERARCHY',
      'CGROUP',
      'PID',
      'COMM',
      'DETAILS',
    ]),
    line: (event) => {
      const path = `${event.pathTruncated ? '...' : ''}${escapeWord(event.path)}`;
      if (path.length > pathWidth) pathWidth = Math.min(path.length, pathWidthLimit);
      const who = cause(event);
      return row([
        formatClock(context.toWallClock(event.time), 3),
        paint(event.kind, style)(event.kind.padEnd(eventWidth)),
        hierarchyNames(context, event.hierarchy).join(),
        path,
        String(who.pid),
        escapeWord(who.comm),
        details(event),
      ]);
    },
  };
}

/** For an emptied cgroup: not whoever ran then, but who left it. */
function cause(event: CgroupEvent): TaskName {
  return event.kind === 'emptied'
    ? (event.lastTask ?? event.movedBy ?? event.task)
    : event.task;
}

function details(event: CgroupEvent): string {
  switch (event.kind) {
    case 'mkdir':
      return event.ancestors.map((task) => `<- ${taskWord(task)}`).join(' ');
    case 'emptied':
      if (event.lastTask) return `last task ${exitText(event.lastTask)}`;
      return event.movedBy ? 'moved the last task out' : '';
    default:
      return '';
  }
}

function taskWord({ pid, comm }: TaskName): string {
  return `${escapeWord(comm)}(${pid})`;
}

/** How a task ended: `exited with code 0`, `was killed by SIGKILL`. */
export function exitText({ exitCode, signal }: ExitedTask): string {
  return signal === null
    ? `exited with code ${exitCode ?? '?'}`
    : `was killed by ${signalName(signal)}`;
}

function paint(kind: CgroupEvent['kind'], style: Style): (text: string) => string {
  switch (kind) {
    case 'mkdir':
      return style.green;
    case 'emptied':
      return style.yellow;
    case 'rmdir':
      return style.red;
    default:
      return (text) => text;
  }
}
