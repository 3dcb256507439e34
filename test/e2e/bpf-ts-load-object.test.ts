import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { BpfError, BpfLoadError, loadObject } from '../../src/bpf-ts/index.js';
import { compileBpf } from '../bpf/compile-bpf.js';
import { renameSelf } from '../bpf/rename-self.js';

let refused: Buffer;

before(() => {
  refused = compileBpf('refused.bpf.c');
});

const optional = ['unchecked', 'no_hook', 'no_type', 'locked_down'];

describe('loadObject', () => {
  it('leaves out optional programs that the kernel refuses, and says why', () => {
    const { object, programs } = loadObject(refused, { optional, globals: { step: 9 } });
    try {
      const states = Object.fromEntries(
        programs.map(({ name, state, reason }) => [name, { state, code: reason?.code }]),
      );
      assert.deepEqual(states['on_rename'], { state: 'attached', code: undefined });
      assert.deepEqual(states['unchecked'], { state: 'unavailable', code: 'EACCES' });
      assert.deepEqual(states['no_type'], { state: 'unavailable', code: 'ESRCH' });
      assert.deepEqual(states['no_hook'], { state: 'unavailable', code: 'ENOENT' });
      // Whether the kernel takes it depends on its lockdown: no third outcome.
      const { state, code } = states['locked_down'] ?? {};
      assert.ok(
        state === 'attached' || (state === 'unavailable' && code === 'EPERM'),
        code,
      );
      assert.deepEqual(
        programs.map(({ section }) => section),
        [
          'raw_tp/task_rename',
          'raw_tp/task_newtask',
          'raw_tp/no_such_tracepoint',
          'tp_btf/no_such_tracepoint',
          'fentry/do_exit',
        ],
      );

      // The rest works, settings included, although it was opened several times.
      renameSelf();
      const value = object.map('counts').lookup(new Uint8Array(4));
      assert.deepEqual(value && [...value], [9, 0, 0, 0, 0, 0, 0, 0]);
    } finally {
      object.close();
    }
  });

  it('keeps the log of the verifier in the reason', () => {
    const { object, programs } = loadObject(refused, { optional });
    object.close();
    const reason = programs.find(({ name }) => name === 'unchecked')?.reason;
    assert.ok(reason instanceof BpfLoadError);
    assert.equal(reason.program, 'unchecked');
    assert.match(reason.log, /invalid mem access/);
  });

  it('fails where a program that is not optional is refused', () => {
    assert.throws(
      () =>
        loadObject(refused, {
          optional: optional.filter((name) => name !== 'unchecked'),
        }),
      (error) => {
        assert.ok(error instanceof BpfLoadError);
        assert.equal(error.program, 'unchecked');
        return true;
      },
    );
  });

  it('fails where a program that is not optional cannot be attached', () => {
    assert.throws(
      () =>
        loadObject(refused, { optional: optional.filter((name) => name !== 'no_hook') }),
      (error) => error instanceof BpfError && error.code === 'ENOENT',
    );
  });

  it('does without disabled programs', () => {
    const { object, programs } = loadObject(refused, { disabled: optional });
    object.close();
    assert.deepEqual(
      programs.map(({ name, state }) => [name, state]),
      [['on_rename', 'attached'], ...optional.map((name) => [name, 'disabled'])],
    );
  });

  it('sets sizes of maps', () => {
    const { object } = loadObject(refused, {
      disabled: optional,
      maxEntries: { counts: 77 },
    });
    try {
      assert.equal(object.map('counts').maxEntries, 77);
    } finally {
      object.close();
    }
  });

  it('refuses names that the object does not have', () => {
    for (const options of [
      { globals: { stepp: 1 } },
      { maxEntries: { count: 1 } },
      { disabled: ['on_renam'] },
    ])
      assert.throws(
        () => loadObject(refused, { optional, ...options }),
        (error) =>
          error instanceof BpfError &&
          error.code === 'ENOENT' &&
          error.message.includes('It has: '),
      );
  });
});
