import assert from 'node:assert/strict';
import { Writable } from 'node:stream';
import { mock, test } from 'node:test';
import type { Finding } from '../../../src/lifecycle/index.js';
import { createLossWarning, lossText } from '../../../src/cli/loss-warning.js';
import { createOutput, OutputError, wantsColour } from '../../../src/cli/output.js';
import { startStatusLine } from '../../../src/cli/status-line.js';
import { createUpdateHolder } from '../../../src/cli/update-holder.js';
import { programWarnings } from '../../../src/cli/started-status.js';
import { BpfError } from '../../../src/bpf-ts/index.js';
import { opened } from '../report/fixtures.js';

const nothing = () => undefined;

function failing(code: string): Writable {
  return new Writable({
    write: (_chunk, _encoding, done) => {
      done(Object.assign(new Error(code), { code }));
    },
  });
}

test('a reader that has gone is a quiet end', async () => {
  let closed = 0;
  const output = createOutput(failing('EPIPE'), () => {
    closed += 1;
  });
  output.write('a line\n');
  await new Promise(setImmediate);
  assert.equal(output.write('another\n'), true);
  await output.flush();
  assert.equal(closed, 1);
});

test('a disk that is full is an error that says so', async () => {
  let closed = 0;
  const output = createOutput(failing('ENOSPC'), () => {
    closed += 1;
  });
  output.write('a line\n');
  await assert.rejects(
    output.flush(),
    (error: unknown) => error instanceof OutputError && error.message.includes('ENOSPC'),
  );
  assert.equal(closed, 1);
});

test('a slow reader is waited for', async () => {
  const pending: (() => void)[] = [];
  const stream = new Writable({
    highWaterMark: 4,
    write: (_chunk, _encoding, done) => {
      pending.push(done);
    },
  });
  const output = createOutput(stream, nothing);
  assert.equal(output.write('more than four\n'), false);
  let drained = false;
  output.onDrain(() => {
    drained = true;
  });
  const flushed = output.flush();
  for (let done = pending.shift(); done; done = pending.shift()) done();
  await new Promise(setImmediate);
  for (let done = pending.shift(); done; done = pending.shift()) done();
  await flushed;
  assert.equal(drained, true);
});

test('a reader that is stuck for good is an error: something is cut off', async (context) => {
  mock.timers.enable({ apis: ['setTimeout'] });
  context.after(() => {
    mock.timers.reset();
  });
  const output = createOutput(new Writable({ write: nothing }), nothing);
  output.write('a line\n');
  const flushed = output.flush();
  mock.timers.tick(2_000);
  await assert.rejects(
    flushed,
    (error: unknown) => error instanceof OutputError && error.message.includes('cut off'),
  );
});

test('colours are for terminals that want them', () => {
  assert.equal(wantsColour(true, { TERM: 'xterm' }), true);
  assert.equal(wantsColour(false, { TERM: 'xterm' }), false);
  assert.equal(wantsColour(true, { TERM: 'dumb' }), false);
  assert.equal(wantsColour(true, { TERM: 'xterm', NO_COLOR: '1' }), false);
  assert.equal(wantsColour(true, { TERM: 'xterm', NO_COLOR: '' }), true);
});

test('the status line is drawn, erased before other text, and drawn again', (context) => {
  mock.timers.enable({ apis: ['setTimeout'] });
  context.after(() => {
    mock.timers.reset();
  });
  const written: string[] = [];
  const stream = {
    isTTY: true,
    columns: 11,
    write: (text: string) => written.push(text) > 0,
  };
  const erase = '\r\x1b[K';
  const line = startStatusLine(stream, () => 'a text that is too long', {
    TERM: 'xterm',
  });
  assert.deepEqual(written.splice(0), [`${erase}a text tha`]);
  line.erase();
  line.erase();
  assert.deepEqual(written.splice(0), [erase]);
  mock.timers.tick(999);
  assert.deepEqual(written.splice(0), [`${erase}a text tha`]);
  line.stop();
  assert.deepEqual(written.splice(0), [erase]);
  mock.timers.tick(10_000);
  assert.deepEqual(written, []);
});

test('there is no status line but on a terminal', () => {
  const stream = {
    write: (): boolean => {
      throw new Error('written');
    },
  };
  startStatusLine({ ...stream, isTTY: false }, () => 'x').erase();
  startStatusLine({ ...stream, isTTY: true }, () => 'x', { TERM: 'dumb' }).stop();
  assert.throws(
    () => startStatusLine({ ...stream, isTTY: true }, () => 'x', {}),
    /written/,
  );
});

test('of changes that follow each other the last counts, and none after the end', (context) => {
  mock.timers.enable({ apis: ['setTimeout'] });
  context.after(() => {
    mock.timers.reset();
  });
  const told: string[] = [];
  const holder = createUpdateHolder(({ key, state }) => told.push(`${key} ${state}`));
  const take = (key: number, state: Finding['state']) => {
    holder.take({ ...opened, key, state });
  };
  take(1, 'opened');
  take(1, 'updated');
  take(2, 'updated');
  take(1, 'updated');
  take(2, 'closed');
  assert.deepEqual(told, ['1 opened', '2 closed']);
  mock.timers.tick(1_000);
  assert.deepEqual(told.slice(2), ['1 updated']);
  take(3, 'updated');
  holder.stop();
  assert.deepEqual(told.slice(3), ['3 updated']);
  mock.timers.tick(1_000);
  assert.equal(told.length, 4);
});

test('losses are told once a second, and the last of them in the end', (context) => {
  mock.timers.enable({ apis: ['setTimeout'] });
  context.after(() => {
    mock.timers.reset();
  });
  const told: (readonly number[])[] = [];
  const warning = createLossWarning((lost) => told.push(lost));
  warning.lost([1]);
  warning.lost([2]);
  warning.lost([3]);
  assert.deepEqual(told, [[1]]);
  mock.timers.tick(1_000);
  assert.deepEqual(told, [[1], [3]]);
  warning.lost([4]);
  warning.stop();
  assert.deepEqual(told.at(-1), [4]);
  assert.equal(
    lossText([1_000, 1], 'a pity'),
    'cgleak: 1,001 events lost so far: a pity.\n',
  );
});

test('a program that is missing is told by what it means', () => {
  const reason = new BpfError('refused', 1);
  const section = 'tp_btf/x';
  const warnings = programWarnings([
    { name: 'on_mkdir', section, state: 'attached' },
    { name: 'on_release', section, state: 'disabled' },
    { name: 'on_exit', section, state: 'unavailable', reason },
  ]);
  assert.equal(warnings.length, 1);
  assert.match(
    warnings[0] ?? '',
    /which task exited last stays unknown.*on_exit \(EPERM\)/,
  );
});
