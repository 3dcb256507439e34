import assert from 'node:assert/strict';
import { closeSync, mkdirSync, openSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { BpfError, openObject, type BpfObject } from '../../src/bpf-ts/index.js';
import { compileBpf } from '../bpf/compile-bpf.js';
import { requireRoot } from '../support/require-root.js';
import { makeSubtree } from '../support/subtree.js';
import type { Subtree } from '../support/subtree.js';

requireRoot();

let object: BpfObject;
let subtree: Subtree;

before(() => {
  subtree = makeSubtree('iterate');
  object = openObject(compileBpf('iterators.bpf.c'));
  object.load();
});

after(async () => {
  object.close();
  await subtree.remove();
});

function numbers(bytes: Uint8Array): bigint[] {
  return [...new BigUint64Array(bytes.slice().buffer)];
}

test('it goes through a cgroup and all below, in the order asked for', () => {
  for (const directory of subtree.directories.values()) {
    mkdirSync(join(directory, 'a/b'), { recursive: true });
    const ids = ['', 'a', 'a/b'].map(
      (name) => statSync(join(directory, name), { bigint: true }).ino,
    );
    const fd = openSync(directory, 'r');
    try {
      const iterate = (order?: 'self' | 'descendants-pre' | 'descendants-post') =>
        numbers(
          object.iterate('dump_cgroup', { cgroup: { fd, ...(order && { order }) } }),
        );
      assert.deepEqual(iterate(), ids);
      assert.deepEqual(iterate('descendants-pre'), ids);
      assert.deepEqual(iterate('descendants-post'), ids.toReversed());
      assert.deepEqual(iterate('self'), ids.slice(0, 1));
    } finally {
      closeSync(fd);
    }
  }
});

test('it goes through all there is where nothing is named', () => {
  const pids = numbers(object.iterate('dump_task'));
  assert.ok(pids.length > 1, String(pids.length));
  assert.ok(pids.every((pid) => pid > 0n));
});

test('what can not be gone through is said, and leaves nothing open', () => {
  const open = () => readdirSync('/proc/self/fd').length;
  const before = open();
  const fd = openSync('/proc', 'r');
  for (let round = 0; round < 100; round++) {
    assert.throws(
      () => object.iterate('dump_cgroup', { cgroup: { fd } }),
      (error) =>
        error instanceof BpfError && /dump_cgroup did not run/.test(error.message),
    );
    object.iterate('dump_task');
  }
  assert.throws(() => object.iterate('no_such'), BpfError);
  closeSync(fd);
  assert.equal(open(), before);
});
