import { readFileSync } from 'node:fs';
import type { CgroupEvent, Task } from '../../src/events/index.js';

/** What Nomad 0.10.2 did to the cgroups of 13 hierarchies: see test/data/README.md. */
export function readNomadTrace(): string {
  return readFileSync(
    new URL('../data/nomad-0.10.2.trace.txt', import.meta.url),
    'latin1',
  );
}

/** Between two lines, ns. Only mkdir lines have a time, and that in whole seconds. */
const step = 1_000_000n;

/** Makes events of the lines, a millisecond apart. */
export function parseNomadTrace(text: string): CgroupEvent[] {
  const events: CgroupEvent[] = [];
  let time = 1_000_000_000n;
  for (const line of text.split('\n')) {
    if (line === '' || line.startsWith('Attaching')) continue;
    time += step;
    events.push(parseLine(line, time));
  }
  return events;
}

function parseLine(line: string, time: bigint): CgroupEvent {
  const match =
    /^(?<kind>mkdir|pop|rmdir)(?: [\d:]{8})? root=(?<root>\d+) id=(?<id>\d+) (?<path>\/\S*)(?: val=(?<value>[01]))? comm=(?<comm>.*?)(?: pid=(?<pid>\d+))?$/.exec(
      line,
    );
  if (!match?.groups) throw new Error(`A line that is no event: ${line}`);
  const { kind, root, id, path, value, comm = '', pid = '0' } = match.groups;
  const task: Task = { pid: Number(pid), tid: Number(pid), uid: 0, comm };
  const base = {
    time,
    hierarchy: Number(root),
    id: BigInt(id ?? ''),
    path: path ?? '',
    pathTruncated: false,
    task,
  };
  switch (kind) {
    case 'mkdir':
      return { kind, ...base, ancestors: [] };
    case 'rmdir':
      return { kind, ...base };
    default:
      return value === '1'
        ? { kind: 'populated', ...base }
        : // Nobody had joined the exit to it then: the running task is the best guess.
          { kind: 'emptied', ...base, movedBy: { pid: task.pid, comm } };
  }
}
