import type { Argv } from 'yargs';
import { createHierarchyTable } from '../../cgroupfs/index.js';
import { toWallClock } from '../../events/index.js';
import { createOwnerOf } from '../../owners/index.js';
import {
  colourStyle,
  jsonScan,
  plainStyle,
  textScan,
  textScanTree,
} from '../../report/index.js';
import { scan } from '../../watch/index.js';
import { exitCode } from '../exit-code.js';
import { requireLinux } from '../host/require-host.js';
import {
  cgroupRootOption,
  durationOption,
  hierarchyOption,
  jsonOption,
  underOption,
} from '../options.js';
import { createOutput, wantsColour } from '../output.js';
import { resolveChoice } from '../session.js';

export function scanCommand(parser: Argv) {
  return parser.command(
    'scan',
    'Tell once which cgroups stand empty now: no BPF and no root needed',
    (command) =>
      command
        .options({
          settle: durationOption(
            'Look twice, so far apart: only what is empty both times',
          ),
          under: underOption,
          hierarchy: hierarchyOption,
          'cgroup-root': cgroupRootOption,
          tree: { describe: 'Show each of them, as a tree', boolean: true },
          'fail-on-leak': {
            describe: 'Exit with code 3 if any stands empty',
            boolean: true,
          },
          json: jsonOption,
        })
        .conflicts('tree', 'json')
        .example('$0 scan', 'How many, and below which cgroups')
        .example(
          '$0 scan --settle 10s --fail-on-leak',
          'Without those just in the making',
        )
        .example('$0 scan --tree --under /docker', 'Each of them')
        .example('$0 scan --json | jq -r \'select(.type=="empty").path\'', 'For scripts'),
    async (options) => {
      process.exitCode = await runScan(options);
    },
  );
}

interface Options {
  readonly settle: bigint | undefined;
  readonly under: readonly string[] | undefined;
  readonly hierarchy: readonly string[] | undefined;
  readonly cgroupRoot: string | undefined;
  readonly tree: boolean | undefined;
  readonly failOnLeak: boolean | undefined;
  readonly json: boolean | undefined;
}

async function runScan(options: Options): Promise<number> {
  requireLinux();
  const table = createHierarchyTable({ cgroupRoot: options.cgroupRoot });
  const context = { toWallClock, hierarchy: table.get };
  let wake: () => void = () => undefined;
  const output = createOutput(process.stdout, () => {
    wake();
  });
  const style = wantsColour(output.isTerminal) ? colourStyle : plainStyle;

  const found = await scan({
    ...resolveChoice(options, table),
    ...(options.settle !== undefined && { settle: options.settle }),
    table,
    ownerOf: createOwnerOf(),
  });
  if (options.json === true) {
    for (const line of jsonScan(found, context)) {
      if (output.write(`${line}\n`)) continue;
      await new Promise<void>((resolve) => {
        wake = resolve;
        output.onDrain(resolve);
      });
    }
  } else {
    const text = options.tree === true ? textScanTree : textScan;
    output.write(text(found, context, style));
  }
  await output.flush();
  return options.failOnLeak === true && found.empty > 0 ? exitCode.leaked : exitCode.fine;
}
