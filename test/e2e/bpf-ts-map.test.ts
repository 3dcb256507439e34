import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import {
  BpfError,
  openObject,
  possibleCpus,
  updateFlags,
  type BpfMap,
  type BpfObject,
} from '../../src/bpf-ts/index.js';
import { compileBpf } from '../bpf/compile-bpf.js';

let object: BpfObject;
let numbers: BpfMap;
let perCpu: BpfMap;

function u32(value: number): Uint8Array {
  return new Uint8Array(Uint32Array.of(value).buffer);
}

function u64(value: bigint): Uint8Array {
  return new Uint8Array(BigUint64Array.of(value).buffer);
}

function plain(bytes: Uint8Array | undefined): number[] | undefined {
  return bytes && [...bytes];
}

before(() => {
  object = openObject(compileBpf('records.bpf.c'));
  object.load();
  numbers = object.map('numbers');
  perCpu = object.map('per_cpu');
});

after(() => {
  object.close();
});

beforeEach(() => {
  for (const [key] of numbers.entries()) numbers.delete(key);
  for (const [key] of perCpu.entriesPerCpu()) perCpu.delete(key);
});

describe('BpfMap', () => {
  it('tells callers without types what it takes', () => {
    const wrong = [null, undefined, Number.NaN, 'text', {}] as unknown as Uint8Array[];
    for (const each of wrong) {
      const isNamed = { name: 'TypeError', message: /is a Uint8Array .*, not / };
      assert.throws(() => numbers.lookup(each), isNamed);
      assert.throws(() => numbers.delete(each), isNamed);
      assert.throws(() => {
        numbers.update(each, u64(1n));
      }, isNamed);
      assert.throws(() => {
        numbers.update(u32(1), each);
      }, isNamed);
      assert.throws(() => {
        perCpu.updatePerCpu(u32(0), [each]);
      }, isNamed);
      assert.throws(() => openObject(each), isNamed);
    }
    for (const flags of [null, Number.NaN, 3] as number[]) {
      assert.throws(
        () => {
          numbers.update(u32(1), u64(1n), flags);
        },
        { name: 'TypeError', message: /one of updateFlags/ },
      );
    }
  });

  it('updates, looks up and deletes', () => {
    assert.equal(numbers.lookup(u32(1)), undefined);
    numbers.update(u32(1), u64(0x0102_0304_0506_0708n));
    assert.deepEqual(plain(numbers.lookup(u32(1))), [8, 7, 6, 5, 4, 3, 2, 1]);
    assert.equal(numbers.delete(u32(1)), true);
    assert.equal(numbers.delete(u32(1)), false);
    assert.equal(numbers.lookup(u32(1)), undefined);
  });

  it('takes keys and values that lie anywhere in a larger buffer', () => {
    const large = Uint8Array.from({ length: 32 }, (_, index) => index);
    numbers.update(large.subarray(3, 7), large.subarray(9, 17));
    assert.deepEqual(
      plain(numbers.lookup(Uint8Array.of(3, 4, 5, 6))),
      [9, 10, 11, 12, 13, 14, 15, 16],
    );
  });

  it('keeps to the flags of an update', () => {
    const code = (flags: number) => {
      try {
        numbers.update(u32(1), u64(1n), flags);
        return undefined;
      } catch (error) {
        assert.ok(error instanceof BpfError);
        return error.code;
      }
    };
    assert.equal(code(updateFlags.exist), 'ENOENT');
    assert.equal(code(updateFlags.noExist), undefined);
    assert.equal(code(updateFlags.noExist), 'EEXIST');
    assert.equal(code(updateFlags.any), undefined);
  });

  it('goes through all entries', () => {
    for (let key = 0; key < 64; key++) numbers.update(u32(key), u64(BigInt(key * key)));
    const found = [...numbers.entries()].map(([key, value]) => [
      new DataView(key.buffer, key.byteOffset).getUint32(0, true),
      Number(new DataView(value.buffer, value.byteOffset).getBigUint64(0, true)),
    ]);
    found.sort(([a = 0], [b = 0]) => a - b);
    assert.deepEqual(
      found,
      Array.from({ length: 64 }, (_, key) => [key, key * key]),
    );
  });

  it('lets the key in hand be deleted while going through', () => {
    for (let key = 0; key < 64; key++) numbers.update(u32(key), u64(1n));
    let visited = 0;
    for (const [key] of numbers.entries()) {
      assert.equal(numbers.delete(key), true);
      visited++;
    }
    assert.equal(visited, 64);
    assert.deepEqual([...numbers.entries()], []);
  });

  it('holds a value for each possible CPU', () => {
    const values = Array.from({ length: possibleCpus() }, (_, cpu) => u32(cpu + 100));
    perCpu.updatePerCpu(u32(5), values);
    assert.deepEqual(perCpu.lookupPerCpu(u32(5))?.map(plain), values.map(plain));
    assert.equal(perCpu.lookupPerCpu(u32(6)), undefined);
    assert.deepEqual(
      [...perCpu.entriesPerCpu()].map(([key, each]) => [plain(key), each.map(plain)]),
      [[plain(u32(5)), values.map(plain)]],
    );
    assert.equal(perCpu.delete(u32(5)), true);
  });

  it('refuses the wrong sizes, and per-CPU calls on other maps and the other way round', () => {
    const wrong: [() => unknown, RegExp][] = [
      [() => numbers.lookup(new Uint8Array(3)), /keys of this map have 4 bytes, not 3/],
      [() => numbers.delete(new Uint8Array(8)), /keys of this map have 4 bytes, not 8/],
      [
        () => {
          numbers.update(u32(1), u32(1));
        },
        /values of this map have 8 bytes, not 4/,
      ],
      [() => numbers.lookupPerCpu(u32(1)), /one value a key: use lookup/],
      [() => [...numbers.entriesPerCpu()], /one value a key/],
      [() => perCpu.lookup(u32(1)), /use lookupPerCpu/],
      [() => [...perCpu.entries()], /use lookupPerCpu/],
      [
        () => {
          perCpu.updatePerCpu(u32(1), [u32(1)].slice(possibleCpus()));
        },
        /one for each possible CPU/,
      ],
    ];
    for (const [act, message] of wrong)
      assert.throws(act, (error) => {
        assert.ok(error instanceof BpfError);
        assert.equal(error.code, 'EINVAL');
        assert.match(error.message, message);
        return true;
      });
  });
});
