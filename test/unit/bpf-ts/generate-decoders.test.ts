import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { pathToFileURL } from 'node:url';
import { format } from 'prettier';
import { BtfError, generateDecoders } from '../../../src/bpf-ts/index.js';
import { enumeratorNames } from '../../../src/bpf-ts/btf/names.js';
import { compileBpf } from '../../bpf/compile-bpf.js';

interface Generated {
  readonly color: Record<string, number>;
  readonly signedLevel: Record<string, number>;
  readonly wide: Record<string, bigint>;
  readonly number: Record<string, number>;
  readonly everythingSize: number;
  readonly everythingOffsets: Record<string, number>;
  readonly pointSize: number;
  decodeEverything(view: DataView, at: number): unknown;
  decodePoint(view: DataView, at: number): unknown;
}

const choice = {
  structs: ['everything'],
  enums: ['color', 'signed_level', 'wide', 'number'],
};

let object: Buffer;
let directory: string;
let source: string;
let generated: Generated;

before(async () => {
  object = compileBpf('types.bpf.c');
  source = generateDecoders(object, choice);
  directory = mkdtempSync(join(tmpdir(), 'cgleak-test-decoders-'));
  const file = join(directory, 'generated.mts');
  writeFileSync(file, source);
  generated = (await import(pathToFileURL(file).href)) as Generated;
});

after(() => {
  rmSync(directory, { recursive: true, force: true });
});

/** Writes what C would, one after another, since the struct is packed. */
function written(base: number): Buffer {
  const bytes = Buffer.alloc(400);
  let at = base;
  const put = (size: number, write: (at: number) => unknown) => {
    write(at);
    at += size;
  };
  put(8, (to) => bytes.writeBigUInt64LE(0xffff_ffff_ffff_fffen, to));
  put(8, (to) => bytes.writeBigInt64LE(-2n, to));
  put(4, (to) => bytes.writeUInt32LE(0xffff_fffd, to));
  put(4, (to) => bytes.writeInt32LE(-3, to));
  put(2, (to) => bytes.writeUInt16LE(0xfffc, to));
  put(2, (to) => bytes.writeInt16LE(-4, to));
  put(1, (to) => bytes.writeUInt8(0xfb, to));
  put(1, (to) => bytes.writeInt8(-5, to));
  put(1, (to) => bytes.writeUInt8(1, to));
  put(4, (to) => bytes.writeUInt32LE(0xffff_ffff, to));
  put(4, (to) => bytes.writeInt32LE(-3, to));
  put(8, (to) => bytes.writeBigUInt64LE(0x1122334455667788n, to));
  put(6, (to) => bytes.write('a\xff\0bcd', to, 'latin1'));
  put(4, (to) => {
    bytes.set([127, 0, 0, 1], to);
  });
  put(2, (to) => {
    bytes.set([0xff, 2], to);
  });
  for (const count of [1, 2, 0xffff_ffff]) put(4, (to) => bytes.writeUInt32LE(count, to));
  for (const axis of [1, -1, 2, -2, 3, -3]) put(4, (to) => bytes.writeInt32LE(axis, to));
  for (const cell of [1, 2, 3, 4, 5, 6]) put(2, (to) => bytes.writeUInt16LE(cell, to));
  for (let axis = 0; axis < 18; axis++) put(4, (to) => bytes.writeInt32LE(axis, to));
  for (const inner of [8, 9]) put(2, (to) => bytes.writeUInt16LE(inner, to));
  put(1, (to) => bytes.writeInt8(-1, to));
  assert.equal(at - base, generated.everythingSize);
  return bytes;
}

const expected = {
  unsignedLong: 0xffff_ffff_ffff_fffen,
  signedLong: -2n,
  unsignedInt: 0xffff_fffd,
  signedInt: -3,
  unsignedShort: 0xfffc,
  signedShort: -4,
  unsignedByte: 0xfb,
  signedByte: -5,
  isSet: true,
  color: 0xffff_ffff,
  level: -3,
  wide: 0x1122334455667788n,
  name: 'a\xff',
  address: Uint8Array.of(127, 0, 0, 1),
  deltas: [-1, 2],
  counts: [1, 2, 0xffff_ffff],
  origin: { xAxis: 1, yAxis: -1 },
  corners: [
    { xAxis: 2, yAxis: -2 },
    { xAxis: 3, yAxis: -3 },
  ],
  grid: [
    [1, 2, 3],
    [4, 5, 6],
  ],
  path: Array.from({ length: 9 }, (_, index) => ({
    xAxis: 2 * index,
    yAxis: 2 * index + 1,
  })),
  innerA: 8,
  innerB: 9,
  last: -1,
};

describe('generateDecoders', () => {
  it('makes decoders that read what C writes, wherever it lies', () => {
    for (const [base, start] of [
      [0, 0],
      [13, 0],
      [21, 5],
    ] as const) {
      const bytes = written(base);
      const view = new DataView(bytes.buffer, bytes.byteOffset + start);
      assert.deepEqual(generated.decodeEverything(view, base - start), expected);
    }
  });

  it('copies byte arrays out of the batch', () => {
    const bytes = written(0);
    const view = new DataView(bytes.buffer, bytes.byteOffset);
    const { address } = generated.decodeEverything(view, 0) as { address: Uint8Array };
    bytes.fill(0);
    assert.deepEqual([...address], [127, 0, 0, 1]);
  });

  it('tells strings apart that its memory of them could take for each other', () => {
    const bytes = written(0);
    const view = new DataView(bytes.buffer, bytes.byteOffset);
    const name = (text: string) => {
      bytes.write(
        text.padEnd(6, '\0'),
        generated.everythingOffsets['name'] ?? 0,
        'latin1',
      );
      return (generated.decodeEverything(view, 0) as { name: string }).name;
    };
    // Aa and BB have one hash; \x01 and the empty string differ in length alone.
    for (const text of [
      'Aa',
      'BB',
      'Aa',
      'AaBB',
      'BBAa',
      '',
      '\x01',
      '',
      'abcdef',
      '\xff\xfe',
    ])
      assert.equal(name(text), text);
  });

  it('tells sizes and offsets, those of nested structs too', () => {
    assert.equal(generated.pointSize, 8);
    assert.equal(generated.everythingOffsets['unsignedLong'], 0);
    assert.equal(generated.everythingOffsets['color'], 31);
    assert.equal(generated.everythingOffsets['last'], generated.everythingSize - 1);
  });

  it('makes constants of enums', () => {
    assert.deepEqual(generated.color, { red: 0, darkGreen: 5, blue: 0xffff_ffff });
    assert.deepEqual(generated.signedLevel, { low: -3, high: 7 });
    assert.deepEqual(generated.wide, { small: 1n, large: 0x1122334455667788n });
    assert.deepEqual(generated.number, { number1One: 0, number2Two: 1 });
  });

  it('writes types as one would', () => {
    for (const line of [
      '  readonly unsignedLong: bigint;',
      '  readonly isSet: boolean;',
      '  readonly name: string;',
      '  readonly address: Uint8Array;',
      '  readonly corners: readonly Point[];',
      '  readonly grid: readonly (readonly number[])[];',
      'export type Color = (typeof color)[keyof typeof color];',
    ])
      assert.ok(source.includes(`${line}\n`), line);
  });

  it('writes what Prettier leaves alone, and the same each time', async () => {
    const options = { parser: 'typescript', singleQuote: true, printWidth: 90 } as const;
    assert.equal(await format(source, options), source);
    assert.equal(generateDecoders(object, choice), source);
    assert.ok(!generateDecoders(object, { structs: ['point'] }).includes('readString'));
  });

  it('names the member that it can not read', () => {
    const refusals = {
      with_pointer: /with_pointer\.pointer is a pointer/,
      with_union: /with_union\.either is a union/,
      with_bits: /with_bits\.low is a bit field/,
      with_nameless: /with_nameless\.inner is a struct without a name/,
      with_flexible: /with_flexible\.rest is an array without a length/,
      with_huge: /with_huge\.huge is an integer of 16 bytes/,
      within: /with_pointer\.pointer is a pointer/,
    };
    for (const [struct, message] of Object.entries(refusals))
      assert.throws(
        () => generateDecoders(object, { structs: [struct] }),
        (error) => {
          assert.ok(error instanceof BtfError);
          assert.match(error.message, message);
          return true;
        },
      );
  });

  it('says how a type comes into the BTF where it is not there', () => {
    assert.throws(
      () => generateDecoders(object, { structs: ['missing'] }),
      /no struct missing.*struct missing \*const volatile/,
    );
    assert.throws(
      () => generateDecoders(object, { structs: [], enums: ['missing'] }),
      /no enum missing/,
    );
  });
});

describe('enumeratorNames', () => {
  it('leaves out the words of the enum’s name, else those that all share', () => {
    const cases: [string, string[], string[]][] = [
      ['event_kind', ['EVENT_MKDIR', 'EVENT_RM_DIR'], ['mkdir', 'rmDir']],
      ['event_kind', ['EVENT_KIND_A', 'EVENT_KIND_B'], ['a', 'b']],
      ['emptied_cause', ['EMPTIED_BY_MOVE', 'EMPTIED_BY_EXIT'], ['byMove', 'byExit']],
      ['state', ['TASK_RUNNING', 'TASK_DEAD'], ['running', 'dead']],
      ['state', ['RUNNING', 'DEAD'], ['running', 'dead']],
      ['state', ['STATE', 'STATE_DEAD'], ['state', 'stateDead']],
      ['state', ['STATE_ONLY'], ['only']],
      ['state', ['ONLY'], ['only']],
    ];
    for (const [name, given, wanted] of cases)
      assert.deepEqual(enumeratorNames(name, given), wanted);
  });
});
