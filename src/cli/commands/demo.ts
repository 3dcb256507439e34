import type { Argv } from 'yargs';
import { countOf, listOf } from '../../text/index.js';
import { createDemoSubtree, removeStaleSubtrees } from '../demo/demo-subtree.js';
import { playTasks } from '../demo/play-tasks.js';
import { exitCode } from '../exit-code.js';
import { durationOptionOr, jsonOption } from '../options.js';
import { runWatch } from '../run-watch.js';
import { startSession } from '../session.js';

const grace = 3_000_000_000n;

export function demoCommand(parser: Argv) {
  return parser.command(
    'demo',
    'Play a leak in cgroups of its own, and watch it being found',
    (command) =>
      command
        .options({
          duration: durationOptionOr('20s', 'How long to play: 20s, 1m'),
          json: jsonOption,
        })
        .example('$0 demo', 'See a finding within seconds; all is removed in the end')
        .example('$0 demo --duration 1m', 'Longer'),
    async (options) => {
      process.exitCode = await demo(options);
    },
  );
}

interface Options {
  readonly duration: bigint;
  readonly json: boolean | undefined;
}

async function demo({ duration, json = false }: Options): Promise<number> {
  const session = startSession();
  const { stop, table } = session;
  const stale = removeStaleSubtrees(table.all());
  const subtree = createDemoSubtree(table.all());
  // Also when an exception or a second Ctrl-C ends the process.
  process.on('exit', subtree.removeNow);

  try {
    const running = runWatch(session, {
      command: 'demo',
      grace,
      under: [subtree.path],
      parents: false,
      json,
      greeting: [
        `Each second a short task runs in a cgroup of its own, ${subtree.path}/task-N, in ${countOf(subtree.hierarchies.length, 'hierarchy', 'hierarchies')};`,
        `then the demo removes that cgroup ${subtree.forgets}, as Nomad 0.10.2 did. First finding in about 4 s.`,
        ...subtree.leftOut.map((text) => `(${text})`),
        ...(stale > 0
          ? [`(Removed ${countOf(stale, 'cgroup')} of an earlier demo.)`]
          : []),
      ].join('\n'),
    });
    stop.after(duration);
    await playTasks(subtree, stop.stopped);
    await running.end();
  } finally {
    const left = await subtree.remove();
    process.off('exit', subtree.removeNow);
    const words =
      left.length === 0
        ? 'The demo has removed all that it made.'
        : `Still there, remove by hand: ${listOf(left)}`;
    if (!json || left.length > 0) process.stderr.write(`${words}\n`);
  }
  stop.dispose();
  return exitCode.fine;
}
