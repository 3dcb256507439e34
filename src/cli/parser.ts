import yargs from 'yargs';
import { nearest } from '../text/index.js';
import { demoCommand } from './commands/demo.js';
import { doctorCommand } from './commands/doctor.js';
import { scanCommand } from './commands/scan.js';
import { traceCommand } from './commands/trace.js';
import { watchCommand } from './commands/watch.js';
import { completeValues } from './complete-values.js';
import { UsageError } from './usage-error.js';
import { version } from './version.js';

const commands = [watchCommand, scanCommand, demoCommand, traceCommand, doctorCommand];

/** How yargs' completion scripts ask, before the words of the command line. */
const completionFlag = '--get-yargs-completions';

const shells = ['bash', 'zsh'];

/**
 * Runs the command that the arguments name.
 * @returns what --help and its like print.
 * @throws UsageError, and whatever the command throws.
 */
export async function run(args: readonly string[]): Promise<string> {
  const [first, shell] = args;
  if (first === completionFlag) return complete(args);
  if (first === 'completion' && shell !== undefined) {
    if (!shells.includes(shell))
      throw new UsageError(
        `There is no completion script for ${JSON.stringify(shell)}: name one of ${shells.join(', ')}.`,
      );
    // Of its own accord yargs looks there for the shell that the script is for.
    process.env['SHELL'] = shell;
    return parse([first]);
  }
  return parse(args);
}

/** What fits at the end of the words behind the flag, a line each. */
async function complete(args: readonly string[]): Promise<string> {
  const values = completeValues(args.slice(1));
  if (values) return values.map((value) => `${value}\n`).join('');
  // What else stands in the line may be wrong, or not finished: nobody asked.
  return parse(args).catch(() => '');
}

async function parse(args: readonly string[]): Promise<string> {
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
    .demandCommand(1, 1, '', 'Name one command.')
    .completion(
      'completion',
      'Print a completion script for your shell, or for the one named: bash, zsh',
    )
    .wrap(Math.min(100, process.stdout.columns || 100))
    .showHelpOnFail(false)
    .exitProcess(false);
  for (const command of commands) parser = command(parser);

  let printed = '';
  await parser
    .fail((message: string | null, error: Error | undefined, failed) => {
      if (message === null && error) throw error;
      let help = '';
      failed.showHelp((text) => {
        help = text;
      });
      throw new UsageError(usageMessage(message ?? '', help));
    })
    .parseAsync([...args], {}, (_error, _argv, output) => {
      printed = output;
    });
  return printed === '' ? '' : `${printed}\n`;
}

/** Says in yargs' place what it says too tersely. */
function usageMessage(message: string, help: string): string {
  if (message === '') return `${help}\n\nName a command.`;
  const command = /^cgleak(?: [a-z]+)*/.exec(help)?.[0] ?? 'cgleak';
  const [, unknown] = /^Unknown arguments?: (.+)$/.exec(message) ?? [];
  const said =
    unknown === undefined
      ? message.replace(
          /^Not enough arguments following: (.+)$/,
          '--$1 takes a value, such as the help shows.',
        )
      : unknown
          .split(', ')
          // yargs tells a word with hyphens in both its forms.
          .filter((word, _, words) => !words.some((each) => isCamelCaseOf(word, each)))
          .map((word) => unknownWord(word, command, help))
          .join('\n');
  return `${said}\nSee ${command} --help.`;
}

function isCamelCaseOf(word: string, other: string): boolean {
  return (
    other.includes('-') &&
    other.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase()) === word
  );
}

function unknownWord(word: string, command: string, help: string): string {
  const options = [...help.matchAll(/--([a-z-]+)/g)].map(([, name = '']) => name);
  const near = nearest(word, options);
  const hint = near === undefined ? '' : `: did you mean --${near}?`;
  return `${command} knows no ${JSON.stringify(word)}${hint === '' ? '.' : hint}`;
}
