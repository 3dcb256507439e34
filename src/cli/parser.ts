import yargs from 'yargs';
import { demoCommand } from './commands/demo.js';
import { doctorCommand } from './commands/doctor.js';
import { scanCommand } from './commands/scan.js';
import { traceCommand } from './commands/trace.js';
import { watchCommand } from './commands/watch.js';
import { version } from './version.js';

/** The command line is wrong: what is, and the form that would be right. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
  constructor(
    message: string,
    /** The help of the command in question. */
    readonly help: string,
  ) {
    super(message);
  }
}

const commands = [watchCommand, scanCommand, demoCommand, traceCommand, doctorCommand];

/**
 * Runs the command that the arguments name.
 * @throws UsageError, and whatever the command throws.
 */
export async function run(args: readonly string[]): Promise<void> {
  let parser = yargs([...args])
    .scriptName('cgleak')
    // Its own messages are in no other language.
    .detectLocale(false)
    .usage('$0 COMMAND\n\nFinds cgroups that somebody created and then forgot.')
    .epilogue(
      'Exit codes: 0 fine, 1 failure, 3 leak (--fail-on-leak), 77 not on this host.',
    )
    .version(version())
    .alias({ help: 'h', version: 'V' })
    .recommendCommands()
    .strict()
    .demandCommand(1, 1, 'Name a command.', 'Name one command.')
    .completion('completion', 'Print a completion script for bash or zsh')
    .wrap(Math.min(100, process.stdout.columns || 100))
    .showHelpOnFail(false);
  for (const command of commands) parser = command(parser);

  await parser
    .fail((message: string | null, error: Error | undefined, failed) => {
      if (message === null && error) throw error;
      let help = '';
      failed.showHelp((text) => {
        help = text;
      });
      throw new UsageError(usageMessage(message ?? ''), help);
    })
    .parseAsync();
}

/** Says in yargs' place what it says too tersely. */
function usageMessage(message: string): string {
  return message.replace(
    /^Not enough arguments following: (.+)$/,
    '--$1 takes a value, as above.',
  );
}
