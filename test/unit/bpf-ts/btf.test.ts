import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { BtfError, kernelBtf, parseBtf, type Btf } from '../../../src/bpf-ts/index.js';
import { elfSection } from '../../../src/bpf-ts/btf/elf-section.js';
import { compileBpf } from '../../bpf/compile-bpf.js';

let object: Buffer;
let btf: Btf;

before(() => {
  object = compileBpf('types.bpf.c');
  btf = parseBtf(object);
});

describe('parseBtf', () => {
  it('reads structs with their members', () => {
    const struct = btf.find('struct', 'point');
    assert.ok(struct);
    assert.equal(struct.size, 8);
    assert.deepEqual(
      struct.members.map(({ name, bitOffset, bitFieldSize }) => [
        name,
        bitOffset,
        bitFieldSize,
      ]),
      [
        ['x_axis', 0, 0],
        ['y_axis', 32, 0],
      ],
    );
    const type = btf.resolve(struct.members[0]?.type ?? 0);
    assert.deepEqual(type, {
      kind: 'int',
      name: 'int',
      size: 4,
      signed: true,
      bool: false,
      bits: 32,
    });
  });

  it('reads bit fields', () => {
    assert.deepEqual(
      btf
        .find('struct', 'with_bits')
        ?.members.map(({ name, bitOffset, bitFieldSize }) => [
          name,
          bitOffset,
          bitFieldSize,
        ]),
      [
        ['low', 0, 3],
        ['high', 3, 29],
      ],
    );
  });

  it('reads enums, signed and of 64 bits', () => {
    const values = (name: string) =>
      btf.find('enum', name)?.values.map((each) => [each.name, each.value]);
    assert.deepEqual(values('color'), [
      ['COLOR_RED', 0n],
      ['COLOR_DARK_GREEN', 5n],
      ['COLOR_BLUE', 4294967295n],
    ]);
    assert.deepEqual(values('signed_level'), [
      ['LEVEL_LOW', -3n],
      ['LEVEL_HIGH', 7n],
    ]);
    assert.deepEqual(values('wide'), [
      ['WIDE_SMALL', 1n],
      ['WIDE_LARGE', 0x1122334455667788n],
    ]);
  });

  it('reads unions, arrays, typedefs, floats and variables', () => {
    assert.ok(btf.find('typedef', 'port_number'));
    assert.equal(btf.find('float', 'float')?.size, 4);
    assert.ok(btf.find('variable', 'all_types'));
    const grid = btf
      .find('struct', 'everything')
      ?.members.find(({ name }) => name === 'grid');
    const array = btf.resolve(grid?.type ?? 0);
    assert.equal(array.kind, 'array');
    assert.ok(btf.types.some(({ kind }) => kind === 'union'));
    assert.equal(btf.find('struct', 'no_such'), undefined);
  });

  it('reads bare BTF', () => {
    const section = elfSection(object, '.BTF');
    assert.ok(section);
    assert.equal(parseBtf(section).types.length, btf.types.length);
    // As it lies in a larger buffer, at an odd place.
    const moved = new Uint8Array(section.length + 3);
    moved.set(section, 3);
    assert.equal(parseBtf(moved.subarray(3)).types.length, btf.types.length);
  });

  it('reads the BTF of the running kernel', () => {
    const kernel = kernelBtf();
    assert.ok(kernel.types.length > 10_000);
    assert.ok(
      kernel.find('struct', 'task_struct')?.members.some(({ name }) => name === 'comm'),
    );
    assert.ok(kernel.find('enum', 'bpf_map_type'));
    assert.ok(kernel.find('function', 'schedule'));
    assert.throws(
      () => kernelBtf('/nonexistent'),
      (error) =>
        error instanceof BtfError && error.message.includes('CONFIG_DEBUG_INFO_BTF'),
    );
  });

  it('says what is wrong with bytes that are no BTF', () => {
    assert.throws(() => parseBtf(new Uint8Array(0)), BtfError);
    assert.throws(() => parseBtf(Buffer.from('hello')), /no BTF/);
    assert.throws(() => parseBtf(compileBpf('types.bpf.c', ['-g0'])), /clang -g/);
  });

  it('meets damage with a BtfError and nothing else', () => {
    const section = Buffer.from(elfSection(object, '.BTF') ?? []);
    let refused = 0;
    const attempt = (bytes: Uint8Array) => {
      try {
        const damaged = parseBtf(bytes);
        for (const [id] of damaged.types.entries()) damaged.resolve(id);
      } catch (error) {
        assert.ok(error instanceof BtfError, String(error));
        refused++;
      }
    };
    for (let length = 0; length < section.length; length += 3)
      attempt(section.subarray(0, length));
    for (let at = 0; at < section.length; at++) {
      const damaged = Buffer.from(section);
      damaged[at] = (damaged[at] ?? 0) ^ 0xff;
      attempt(damaged);
    }
    for (let length = 4; length < object.length; length += 11)
      attempt(object.subarray(0, length));
    assert.ok(refused > 100);
  });
});
