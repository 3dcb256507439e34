import type { Argv } from 'yargs';
import { eventKinds } from '../../events/event.js';
import { openTracer } from '../../events/index.js';
import type { CgroupEvent, EventKind, Tracer } from '../../events/index.js';
import { createEventTable, jsonEvent, jsonStatus } from '../../report/index.js';
import type { Status } from '../../report/index.js';
import { createEventFilter } from '../../watch/index.js';
import { exitCode } from '../exit-code.js';
import { createLossWarning, lossText } from '../loss-warning.js';
import {
  cgroupRootOption,
  durationOption,
  eventOption,
  hierarchyOption,
  jsonOption,
  underOption,
} from '../options.js';
import { resolveChoice, startSession } from '../session.js';
import { programWarnings, startedStatus } from '../started-status.js';
import { wallClockNow } from '../wall-clock-now.js';

export function traceCommand(parser: Argv) {
  return parser.command(
    'trace',
    'Show the lifecycle events of cgroups as they happen',
    (command) =>
      command
        .options({
          under: underOption,
          hierarchy: hierarchyOption,
          'cgroup-root': cgroupRootOption,
          event: eventOption,
          duration: durationOption('End by itself after this long: 10s, 1m30s'),
          json: jsonOption,
        })
        .example('$0 trace', 'Everything, until Ctrl-C')
        .example('$0 trace --under /nomad --event mkdir,rmdir', 'Who makes, who removes')
        .example(
          '$0 trace --hierarchy memory --duration 10s',
          'One hierarchy, for a while',
        )
        .example('$0 trace --json | jq .path', 'For scripts'),
    async (options) => {
      process.exitCode = await trace(options);
    },
  );
}

interface Options {
  readonly under: readonly string[] | undefined;
  readonly hierarchy: readonly string[] | undefined;
  readonly cgroupRoot: string | undefined;
  readonly event: readonly EventKind[] | undefined;
  readonly duration: bigint | undefined;
  readonly json: boolean | undefined;
}

async function trace(options: Options): Promise<number> {
  const session = startSession(options);
  const { output, stop, table, context } = session;
  const choice = resolveChoice(options, table);
  const kinds = options.event ?? eventKinds;
  const filter = createEventFilter({ ...choice, ...(options.event && { kinds }) });
  const { header, line } = options.json
    ? { header: '', line: (event: CgroupEvent) => `${jsonEvent(event, context)}\n` }
    : createEventTable(context, session.style, table.all());
  const tellStatus = (status: Status) => {
    if (options.json) output.write(`${jsonStatus(status, wallClockNow())}\n`);
  };
  const loss = createLossWarning((lostPerCpu) => {
    tellStatus({ state: 'lost', lostPerCpu });
    if (!options.json)
      process.stderr.write(lossText(lostPerCpu, 'they came faster than they were read'));
  });

  let events = 0;
  let isEnded = false;
  const tracer: Tracer = openTracer({
    without: (['rename', 'release'] as const).filter((kind) => !kinds.includes(kind)),
    onEvents: (batch) => {
      let text = '';
      for (const event of batch) {
        if (filter && !filter(event)) continue;
        events += 1;
        text += line(event);
      }
      if (output.write(text)) return;
      // The ring fills up meanwhile, and what does not fit is counted as lost.
      tracer.pause();
      output.onDrain(() => {
        if (!isEnded) tracer.resume();
      });
    },
    onLost: loss.lost,
  });

  const { under } = choice;
  tellStatus(startedStatus('trace', tracer.programs, table, under && { under }));
  if (!options.json) {
    const warnings = programWarnings(tracer.programs);
    process.stderr.write(warnings.map((text) => `${text}\n`).join(''));
    output.write(header);
  }
  if (options.duration !== undefined) stop.after(options.duration);
  const reason = await stop.stopped;

  isEnded = true;
  // What no one reads any more would be formatted for nothing.
  if (reason !== 'closed') tracer.flush();
  const lost = tracer.lost();
  tracer.close();
  loss.lost(lost);
  loss.stop();
  tellStatus({ state: 'ended', events, lost: sum(lost) });
  await output.flush();
  stop.dispose();
  return exitCode.fine;
}

function sum(counts: readonly number[]): number {
  return counts.reduce((total, count) => total + count, 0);
}
