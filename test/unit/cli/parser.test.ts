import assert from 'node:assert/strict';
import { test } from 'node:test';
import { run } from '../../../src/cli/parser.js';
import { UsageError } from '../../../src/cli/usage-error.js';

async function usageError(...args: readonly string[]): Promise<UsageError> {
  try {
    await run(args);
  } catch (error) {
    assert.ok(error instanceof UsageError, String(error));
    return error;
  }
  throw new Error(`${args.join(' ')} was taken`);
}

test('a wrong command line is answered with what is wrong, and where the right form is', async () => {
  const examples: readonly [readonly string[], RegExp, string][] = [
    [['frob'], /knows no "frob"\./, 'cgleak'],
    [['wacth'], /Did you mean watch\?/, 'cgleak'],
    [['watch', '--graec', '30s'], /no "graec": did you mean --grace\?/, 'cgleak watch'],
    [['watch', '--onceafter', '3s'], /did you mean --once-after\?/, 'cgleak watch'],
    [['watch', '--one-after', '3s'], /^.*"one-after": [^"]+$/m, 'cgleak watch'],
    [['watch', 'extra'], /no "extra"\./, 'cgleak watch'],
    [['watch', '--grace', '30x'], /"30x".*30s, 5m/, 'cgleak watch'],
    [['watch', '--grace'], /--grace takes a value/, 'cgleak watch'],
    [['watch', '--once-after', 'soon'], /"soon".*30s, 5m/, 'cgleak watch'],
    [['watch', '--ring-size', '0'], /"0".*power of two/, 'cgleak watch'],
    [['watch', '--ring-size', '5000'], /"5000".*power of two/, 'cgleak watch'],
    [['watch', '--ring-size', '4k'], /"4k".*power of two/, 'cgleak watch'],
    [
      ['watch', '--once-after', '30s', '--fail-on-leak'],
      /grace of 30 s.*--grace/,
      'cgleak watch',
    ],
    [['trace', '--duration', '10'], /"10".*30s, 5m/, 'cgleak trace'],
    [['trace', '--event', 'mkdir,frob'], /"frob".*mkdir, populated/, 'cgleak trace'],
    [['demo', '--duration', 'x'], /"x".*30s, 5m/, 'cgleak demo'],
    [['doctor', '--frob'], /no "frob"/, 'cgleak doctor'],
    [['scan', '--cgroup-root', 'host'], /"host".*slash/, 'cgleak scan'],
  ];
  for (const [args, message, command] of examples) {
    const error = await usageError(...args);
    assert.match(error.message, message);
    assert.ok(error.message.endsWith(`\nSee ${command} --help.`), error.message);
    // Short, so that it can be seen: the help fills a screen.
    assert.ok(error.message.split('\n').length <= 3, error.message);
  }
});

test('where no command is named the whole help is the answer', async () => {
  const { message } = await usageError();
  assert.match(message, /cgleak watch .*Stay quiet[^]*Name a command\.$/);
});

test('a completion script is for the shell that is named', async () => {
  assert.match(await run(['completion', 'zsh']), /#compdef cgleak/);
  assert.match(await run(['completion', 'bash']), /complete .* cgleak/);
  const { message } = await usageError('completion', 'fish');
  assert.match(message, /"fish".*bash, zsh/);
});

test('the shell is offered commands, options, and values of options', async () => {
  const offered = async (...words: readonly string[]) =>
    (await run(['--get-yargs-completions', 'cgleak', ...words])).split('\n');
  assert.ok((await offered('wa')).includes('watch'));
  assert.ok((await offered('watch', '--gr')).includes('--grace'));
  assert.deepEqual(await offered('trace', '--event', 'r'), [
    'rmdir',
    'release',
    'rename',
    '',
  ]);
  // As bash has it, as zsh has it, and in a list.
  assert.deepEqual(await offered('trace', '--event', '=', 'mk'), ['mkdir', '']);
  assert.deepEqual(await offered('trace', '--event=mk'), ['--event=mkdir', '']);
  assert.deepEqual(await offered('trace', '--event', 'rmdir,mk'), ['rmdir,mkdir', '']);
  // Files are the shell's own.
  assert.deepEqual(await offered('watch', '--under', ''), ['']);
  assert.deepEqual(await offered('trace', '--event', 'frob', '--du'), ['']);
});
