import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'node:test';
import { setImmediate as nextTurn, setTimeout as delay } from 'node:timers/promises';
import { BpfError, type BpfObject, type RingBatch } from '../../src/bpf-ts/index.js';
import { checkedSequences, lostRecords, openRecords, upTo } from '../bpf/records.js';
import { renameSelf } from '../bpf/rename-self.js';

const patience = 10_000;

let object: BpfObject | undefined;

afterEach(() => {
  object?.close();
  object = undefined;
});

function open(...settings: Parameters<typeof openRecords>): BpfObject {
  object = openRecords(...settings);
  return object;
}

async function until(condition: () => boolean): Promise<void> {
  const end = Date.now() + patience;
  while (!condition()) {
    assert.ok(Date.now() < end, 'waited too long for records');
    await delay(1);
  }
}

describe('RingBuffer', () => {
  it('hands over every record once, in order, well framed', async () => {
    const seen: number[] = [];
    open({ burst: 3 }).ringBuffer('records', (batch) => {
      seen.push(...checkedSequences(batch));
    });
    for (let round = 0; round < 20; round++) {
      renameSelf(50);
      await delay(round % 7);
    }
    await until(() => seen.length >= 3000);
    assert.deepEqual(seen, upTo(3000));
  });

  it('calls back once for all that is there', async () => {
    const batches: number[] = [];
    open().ringBuffer('records', (batch) => {
      batches.push(batch.count);
    });
    renameSelf(500);
    await until(() => batches.length > 0);
    assert.deepEqual(batches, [500]);
  });

  it('gathers what comes within the coalescing time', async () => {
    const batches: number[] = [];
    open().ringBuffer(
      'records',
      (batch) => {
        batches.push(batch.count);
      },
      { coalesceMs: 300 },
    );
    renameSelf();
    await until(() => batches.length === 1);
    for (let turn = 0; turn < 20; turn++) {
      renameSelf();
      await nextTurn();
    }
    await until(() => batches.length > 1);
    assert.deepEqual(batches, [1, 20]);
  });

  it('works without coalescing, and with the shortest', async () => {
    for (const coalesceMs of [0, 1]) {
      let seen = 0;
      const ring = open().ringBuffer(
        'records',
        (batch) => {
          seen += batch.count;
        },
        { coalesceMs },
      );
      for (let round = 1; round <= 100; round++) {
        renameSelf();
        await until(() => seen === round);
      }
      ring.close();
      object?.close();
    }
  });

  it('splits a batch that reaches batchBytes, and gives the loop a turn between', async () => {
    const seen: number[] = [];
    const turns: number[] = [];
    let turn = 0;
    let counting = true;
    const count = () => {
      turn++;
      if (counting) setImmediate(count);
    };
    setImmediate(count);
    open().ringBuffer(
      'records',
      (batch) => {
        assert.ok(batch.bytes.length < 1000 + 8 + 40, String(batch.bytes.length));
        seen.push(...checkedSequences(batch));
        turns.push(turn);
      },
      { batchBytes: 1000 },
    );
    renameSelf(1000);
    await until(() => seen.length >= 1000);
    counting = false;
    assert.deepEqual(seen, upTo(1000));
    assert.ok(turns.length >= 24, `${String(turns.length)} batches`);
    assert.equal(new Set(turns).size, turns.length);
  });

  it('consumes nothing while paused: the ring fills up', async () => {
    const seen: number[] = [];
    const records = open({ ringBytes: 4096 });
    const ring = records.ringBuffer('records', (batch) => {
      seen.push(...checkedSequences(batch));
    });
    renameSelf(10);
    await until(() => seen.length === 10);
    ring.pause();
    ring.pause();
    renameSelf(1000);
    await delay(100);
    assert.equal(seen.length, 10);
    const lost = lostRecords(records);
    assert.ok(lost > 800 && lost < 1000, `${String(lost)} lost`);

    ring.resume();
    await until(() => seen.length === 1010 - lost);
    renameSelf(5);
    await until(() => seen.length === 1015 - lost);
    assert.equal(lostRecords(records), lost);
    assert.deepEqual(
      seen,
      [...seen].sort((a, b) => a - b),
    );
  });

  it('can be paused in the callback', async () => {
    let seen = 0;
    const ring = open().ringBuffer(
      'records',
      (batch) => {
        seen += batch.count;
        ring.pause();
      },
      { batchBytes: 100 },
    );
    renameSelf(100);
    await until(() => seen > 0);
    await delay(50);
    assert.ok(seen < 10, String(seen));
    while (seen < 100) {
      const before = seen;
      ring.resume();
      await until(() => seen > before);
    }
    assert.equal(seen, 100);
  });

  it('flushes at once, also while paused, and goes on after it', async () => {
    const seen: number[] = [];
    const ring = open().ringBuffer(
      'records',
      (batch) => {
        seen.push(...checkedSequences(batch));
      },
      { batchBytes: 200 },
    );
    ring.flush();
    assert.equal(seen.length, 0);
    renameSelf(100);
    ring.flush();
    assert.equal(seen.length, 100);
    ring.pause();
    renameSelf(100);
    ring.flush();
    assert.equal(seen.length, 200);
    await delay(20);
    ring.resume();
    renameSelf(100);
    await until(() => seen.length === 300);
    assert.deepEqual(seen, upTo(300));
  });

  it('gives what the callback throws to the caller of flush', async () => {
    let calls = 0;
    const ring = open().ringBuffer('records', () => {
      calls++;
      if (calls === 1) throw new TypeError('thrown on purpose');
    });
    renameSelf();
    assert.throws(() => {
      ring.flush();
    }, /thrown on purpose/);
    renameSelf();
    await until(() => calls === 2);
  });

  it('refuses to flush within its callback', () => {
    const errors: unknown[] = [];
    const ring = open().ringBuffer('records', () => {
      try {
        ring.flush();
      } catch (error) {
        errors.push(error);
      }
    });
    renameSelf();
    ring.flush();
    assert.equal(errors.length, 1);
    assert.ok(errors[0] instanceof BpfError);
    assert.equal(errors[0].code, 'EBUSY');
  });

  for (const how of ['ring', 'object'] as const)
    it(`may be closed in its callback, by its ${how}`, async () => {
      let calls = 0;
      let text = '';
      const records = open();
      const ring = records.ringBuffer(
        'records',
        (batch) => {
          calls++;
          if (how === 'ring') ring.close();
          else records.close();
          // What it holds stays readable for the rest of the callback.
          text = checkedSequences(batch).join();
        },
        { batchBytes: 1 },
      );
      renameSelf(10);
      await until(() => calls > 0);
      await delay(50);
      assert.equal(calls, 1);
      assert.equal(text, '0');
    });

  it('may be closed in a flush', () => {
    let calls = 0;
    const ring = open().ringBuffer(
      'records',
      () => {
        calls++;
        ring.close();
      },
      { batchBytes: 1 },
    );
    renameSelf(10);
    ring.flush();
    assert.equal(calls, 1);
  });

  it('uses its buffer again, and takes another where it was transferred', async () => {
    const batches: RingBatch[] = [];
    const kept: ArrayBuffer[] = [];
    open().ringBuffer('records', (batch) => {
      batches.push(batch);
      if (batches.length === 2) {
        const { buffer } = batch.bytes;
        assert.ok(buffer instanceof ArrayBuffer);
        kept.push(structuredClone(buffer, { transfer: [buffer] }));
      }
    });
    for (let round = 1; round <= 3; round++) {
      renameSelf(round);
      await until(() => batches.length === round);
    }
    assert.deepEqual(
      batches.map(({ count }) => count),
      [1, 2, 3],
    );
    assert.deepEqual(batches[2] && checkedSequences(batches[2]), [3, 4, 5]);
    assert.equal(new DataView(kept[0] ?? new ArrayBuffer(8)).getUint32(0, true), 9);
  });

  it('reads what was in the ring before it was opened', async () => {
    const seen: number[] = [];
    const records = open();
    renameSelf(7);
    records.ringBuffer('records', (batch) => {
      seen.push(...checkedSequences(batch));
    });
    await until(() => seen.length === 7);
    assert.deepEqual(seen, upTo(7));
  });

  it('refuses maps that are no ring, and options out of range', () => {
    const records = open();
    assert.throws(
      () => records.ringBuffer('numbers', () => undefined),
      (error) =>
        error instanceof BpfError &&
        error.code === 'EINVAL' &&
        error.message.includes('ring buffer numbers'),
    );
    for (const options of [{ coalesceMs: -1 }, { coalesceMs: 0.5 }, { batchBytes: 0 }])
      assert.throws(
        () => records.ringBuffer('records', () => undefined, options),
        RangeError,
      );
  });
});
