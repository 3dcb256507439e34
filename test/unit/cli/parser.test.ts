import assert from 'node:assert/strict';
import { test } from 'node:test';
import { run, UsageError } from '../../../src/cli/parser.js';

async function usageError(...args: readonly string[]): Promise<UsageError> {
  try {
    await run(args);
  } catch (error) {
    assert.ok(error instanceof UsageError, String(error));
    return error;
  }
  throw new Error(`${args.join(' ')} was taken`);
}

test('a wrong command line is answered with the right form', async () => {
  const examples: readonly [readonly string[], RegExp, RegExp][] = [
    [[], /Name a command/, /cgleak watch/],
    [['frob'], /frob/, /cgleak watch/],
    [['wacth'], /Did you mean watch\?/, /cgleak watch/],
    [['watch', '--graec', '30s'], /graec/, /--grace/],
    [['watch', 'extra'], /extra/, /--grace/],
    [['watch', '--grace', '30x'], /"30x".*30s, 5m/, /--grace/],
    [['watch', '--grace', '-1s'], /./, /--grace/],
    [['watch', '--grace'], /--grace takes a value/, /--grace/],
    [['watch', '--once-after', 'soon'], /"soon".*30s, 5m/, /--once-after/],
    [['watch', '--ring-size', '0'], /"0".*power of two/, /--ring-size/],
    [['watch', '--ring-size', '5000'], /"5000".*power of two/, /--ring-size/],
    [['watch', '--ring-size', '4k'], /"4k".*power of two/, /--ring-size/],
    [
      ['watch', '--once-after', '30s', '--fail-on-leak'],
      /grace of 30 s.*--grace/,
      /--once-after/,
    ],
    [['trace', '--duration', '10'], /"10".*30s, 5m/, /--duration/],
    [['trace', '--event', 'mkdir,frob'], /"frob".*mkdir, populated/, /--event/],
    [['demo', '--duration', 'x'], /"x".*30s, 5m/, /--duration/],
    [['doctor', '--frob'], /frob/, /--json/],
    [['scan', '--cgroup-root', 'host'], /"host".*slash/, /--cgroup-root/],
  ];
  for (const [args, message, help] of examples) {
    const error = await usageError(...args);
    assert.match(error.message, message);
    assert.match(error.help, help);
    assert.match(error.help, /cgleak/);
  }
});
