import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { describe, it } from 'node:test';
import { setImmediate as nextTurn, setTimeout as delay } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { openObject } from '../../src/bpf-ts/index.js';
import { compileBpf } from '../bpf/compile-bpf.js';
import { renameSelf } from '../bpf/rename-self.js';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

function openFiles(): number {
  return readdirSync('/proc/self/fd').length;
}

describe('open, load, attach, ring, close', () => {
  it('leaks neither files nor memory in 1,000 rounds', async () => {
    const bytes = compileBpf('records.bpf.c');
    let records = 0;

    async function rounds(count: number): Promise<{ files: number; resident: number }> {
      for (let round = 0; round < count; round++) {
        const object = openObject(bytes);
        object.setGlobal('watched', process.pid);
        object.load();
        object.attach('on_rename');
        const ring = object.ringBuffer('records', (batch) => {
          records += batch.count;
        });
        renameSelf();
        ring.flush();
        object.map('numbers').update(new Uint8Array(4), new Uint8Array(8));
        object.close();
        // libuv closes handles in a turn of the loop.
        if (round % 10 === 0) await nextTurn();
      }
      await nextTurn();
      collect();
      await nextTurn();
      return { files: openFiles(), resident: process.memoryUsage.rss() };
    }

    // The allocator's own pools fill up first.
    await rounds(1000);
    const before = await rounds(500);
    const after = await rounds(1000);
    assert.equal(records, 2500);
    assert.equal(after.files, before.files);
    // A ring alone maps a MiB, and an object has 30 KiB: a leak would be far beyond this.
    const growth = (after.resident - before.resident) / 1024;
    assert.ok(growth < 16 * 1024, `${String(growth)} KiB more`);
  });

  it('is undone by the garbage collector for what was not attached', async () => {
    const bytes = compileBpf('records.bpf.c');
    const before = openFiles();
    (() => {
      openObject(bytes).load();
    })();
    assert.ok(openFiles() > before);
    for (let turn = 0; turn < 50 && openFiles() > before; turn++) {
      collect();
      await delay(10);
    }
    assert.equal(openFiles(), before);
  });
});
