import type { Argv } from 'yargs';
import type { HierarchyTable } from '../../cgroupfs/index.js';
import { countOf, escapeText, formatDuration, listOf } from '../../text/index.js';
import { exitCode } from '../exit-code.js';
import {
  cgroupRootOption,
  durationOption,
  hierarchyOption,
  jsonOption,
  ringSizeOption,
  underOption,
} from '../options.js';
import { resolveChoice, startSession } from '../session.js';
import { runWatch } from '../run-watch.js';

/** ns */
const defaultGrace = 30_000_000_000n;

export function watchCommand(parser: Argv) {
  return parser.command(
    'watch',
    'Stay quiet until a cgroup is left behind, then tell which, and by whom',
    (command) =>
      command
        .options({
          grace: {
            ...durationOption('How long a cgroup may stand empty: 500ms, 1m30s'),
            defaultDescription: `${formatDuration(defaultGrace)}, for some owners longer`,
          },
          under: underOption,
          hierarchy: hierarchyOption,
          'cgroup-root': cgroupRootOption,
          parents: {
            describe: 'Tell empty cgroups that once had children, too',
            boolean: true,
          },
          'new-only': {
            describe: 'Leave out what stood empty before the start',
            boolean: true,
          },
          'ring-size': ringSizeOption,
          'once-after': durationOption('End by itself after this long: 90s, 2h'),
          'fail-on-leak': {
            describe: 'Exit with code 3 if anything leaked',
            boolean: true,
          },
          json: jsonOption,
        })
        .check(({ grace = defaultGrace, failOnLeak, ...options }) => {
          const onceAfter = options['onceAfter'] as bigint | undefined;
          if (failOnLeak !== true || onceAfter === undefined || onceAfter > grace)
            return true;
          throw new Error(
            `--once-after ${formatDuration(onceAfter)} ends before the grace of ${formatDuration(grace)} is over, so that --fail-on-leak could find nothing: give a longer one, or a shorter --grace.`,
          );
        })
        .example('$0 watch', 'Until Ctrl-C, which prints a summary')
        .example('$0 watch --grace 5m --under /docker', 'For what is slow to tidy up')
        .example(
          '$0 watch --once-after 10m --fail-on-leak',
          'In a script: exit code 3 if anything leaked',
        )
        .example('$0 watch --json >> leaks.ndjson', 'For programs'),
    async (options) => {
      process.exitCode = await watch(options);
    },
  );
}

interface Options {
  readonly grace: bigint | undefined;
  readonly under: readonly string[] | undefined;
  readonly hierarchy: readonly string[] | undefined;
  readonly cgroupRoot: string | undefined;
  readonly parents: boolean | undefined;
  readonly newOnly: boolean | undefined;
  readonly ringSize: number | undefined;
  readonly onceAfter: bigint | undefined;
  readonly failOnLeak: boolean | undefined;
  readonly json: boolean | undefined;
}

async function watch(options: Options): Promise<number> {
  const session = startSession(options);
  const { stop, table } = session;
  const choice = resolveChoice(options, table);
  const grace = options.grace ?? defaultGrace;
  const running = runWatch(session, {
    ...choice,
    command: 'watch',
    grace,
    ownerGraces: options.grace === undefined,
    parents: options.parents === true,
    newOnly: options.newOnly === true,
    ...(options.ringSize !== undefined && { ringBytes: options.ringSize }),
    json: options.json === true,
    greeting: `Watching ${watched(choice, table)} for cgroups that stand empty for ${formatDuration(grace)} and that nobody removes. Ctrl-C ends with a summary.`,
  });
  if (options.onceAfter !== undefined) stop.after(options.onceAfter);
  await stop.stopped;

  const { findings } = await running.end();
  stop.dispose();
  return options.failOnLeak === true && findings > 0 ? exitCode.leaked : exitCode.fine;
}

/** What is watched, in words: `2 cgroup hierarchies (memory, pids), below /docker,`. */
function watched(
  { under, hierarchies }: ReturnType<typeof resolveChoice>,
  table: HierarchyTable,
): string {
  const count = hierarchies?.length ?? table.all().length;
  const names = hierarchies?.map((id) => table.get(id)?.controllers.join() ?? String(id));
  return [
    countOf(count, 'cgroup hierarchy', 'cgroup hierarchies'),
    ...(names ? [` (${names.join('; ')})`] : []),
    ...(under ? [`, below ${listOf(under.map(escapeText))},`] : []),
  ].join('');
}
