import type { Argv } from 'yargs';
import {
  canWatch,
  colourStyle,
  jsonDoctor,
  plainStyle,
  textDoctor,
} from '../../report/index.js';
import { examine } from '../doctor/examine.js';
import { exitCode } from '../exit-code.js';
import { cgroupRootOption, jsonOption } from '../options.js';
import { createOutput, wantsColour } from '../output.js';

export function doctorCommand(parser: Argv) {
  return parser.command(
    'doctor',
    'Tell what works on this host, what does not, and why',
    (command) =>
      command
        .options({ 'cgroup-root': cgroupRootOption, json: jsonOption })
        .example('$0 doctor', 'Exit code 1 if watch can not run')
        .example('$0 doctor --json | jq .memoryCgroups', 'How many ids are used up'),
    async ({ json = false, cgroupRoot }) => {
      process.exitCode = await doctor(json, cgroupRoot);
    },
  );
}

async function doctor(json: boolean, cgroupRoot: string | undefined): Promise<number> {
  const output = createOutput(process.stdout, () => undefined);
  const style = wantsColour(output.isTerminal) ? colourStyle : plainStyle;
  const report = examine(cgroupRoot);
  const epoch = BigInt(Date.now()) * 1_000_000n;
  output.write(json ? `${jsonDoctor(report, epoch)}\n` : textDoctor(report, style));
  await output.flush();
  return canWatch(report) ? exitCode.fine : exitCode.failure;
}
