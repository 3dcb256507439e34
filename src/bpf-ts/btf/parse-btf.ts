import { BtfError } from './btf-error.js';
import type { BtfEnumerator, BtfId, BtfKind, BtfMember, BtfType } from './btf-type.js';
import { cString, elfSection, isElf } from './elf-section.js';

/** The types of a BPF object or of the kernel. */
export interface Btf {
  /** By id. */
  readonly types: readonly BtfType[];
  /** The first type of that kind and name. */
  find<Kind extends BtfKind>(
    kind: Kind,
    name: string,
  ): (BtfType & { readonly kind: Kind }) | undefined;
  /** A type by its id, behind its typedefs, const and volatile. */
  resolve(id: BtfId): BtfType;
}

const magic = 0xeb9f;

const referenceKinds = {
  2: 'pointer',
  8: 'typedef',
  9: 'volatile',
  10: 'const',
  11: 'restrict',
  12: 'function',
  18: 'typeTag',
} as const;

/**
 * Reads the BTF of a BPF object file (its .BTF section), or bare BTF such as
 * /sys/kernel/btf/vmlinux.
 *
 * @throws BtfError where there is none, or where it is damaged.
 */
export function parseBtf(bytes: Uint8Array): Btf {
  const data = isElf(bytes) ? elfSection(bytes, '.BTF') : bytes;
  if (!data)
    throw new BtfError('The object has no .BTF section. Compile it with clang -g.');
  try {
    return indexTypes(readTypes(data));
  } catch (error) {
    // A DataView throws it.
    if (error instanceof RangeError)
      throw new BtfError('The BTF ends within a type: it is damaged or cut short.', {
        cause: error,
      });
    throw error;
  }
}

function readTypes(data: Uint8Array): BtfType[] {
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
  if (data.length < 24 || view.getUint16(0, true) !== magic || view.getUint8(2) !== 1)
    throw new BtfError('These bytes are no BTF (version 1, little endian).');
  const headerSize = view.getUint32(4, true);
  const typesStart = headerSize + view.getUint32(8, true);
  const typesEnd = typesStart + view.getUint32(12, true);
  const stringsStart = headerSize + view.getUint32(16, true);
  const strings = data.subarray(stringsStart, stringsStart + view.getUint32(20, true));
  if (typesEnd > data.length) throw new BtfError('The BTF is cut short.');

  const types: BtfType[] = [{ kind: 'void', name: 'void' }];
  for (let at = typesStart; at < typesEnd;) {
    const reader = new TypeReader(view, strings, at);
    types.push(reader.type());
    at = reader.end();
  }
  return types;
}

function indexTypes(types: readonly BtfType[]): Btf {
  // Kernels have some hundred thousand types: a name is looked up, not scanned for.
  const byName = new Map<string, BtfType>();
  for (const type of types) {
    const key = `${type.kind} ${type.name}`;
    if (type.name !== '' && !byName.has(key)) byName.set(key, type);
  }
  return {
    types,
    find: <Kind extends BtfKind>(kind: Kind, name: string) =>
      byName.get(`${kind} ${name}`) as (BtfType & { readonly kind: Kind }) | undefined,
    resolve: (id) => {
      // In sound BTF no chain is longer than this.
      for (let step = 0; step < 64; step++) {
        const type = types[id];
        if (!type)
          throw new BtfError(`The BTF has no type ${String(id)}: it is damaged.`);
        switch (type.kind) {
          case 'typedef':
          case 'const':
          case 'volatile':
          case 'restrict':
          case 'typeTag':
            id = type.target;
            break;
          default:
            return type;
        }
      }
      throw new BtfError(
        'The BTF has types that name each other in a circle: it is damaged.',
      );
    },
  };
}

/** One type: three words of head, and behind it what its kind has. */
class TypeReader {
  readonly #kind: number;
  readonly #kindFlag: boolean;
  readonly #count: number;
  readonly #name: string;
  /** A size in bytes or a type, by kind. */
  readonly #word: number;
  #at: number;

  constructor(
    private readonly view: DataView,
    private readonly strings: Uint8Array,
    at: number,
  ) {
    const info = view.getUint32(at + 4, true);
    this.#at = at;
    this.#name = this.#string();
    this.#kind = (info >>> 24) & 0x1f;
    this.#kindFlag = info >>> 31 === 1;
    this.#count = info & 0xffff;
    this.#word = view.getUint32(at + 8, true);
    this.#at = at + 12;
  }

  end(): number {
    return this.#at;
  }

  type(): BtfType {
    const name = this.#name;
    switch (this.#kind) {
      case 1:
        return this.#integer();
      case 2:
      case 8:
      case 9:
      case 10:
      case 11:
      case 12:
      case 18:
        return { kind: referenceKinds[this.#kind], name, target: this.#word };
      case 3: {
        const element = this.#next();
        this.#at += 4;
        return { kind: 'array', name: '', element, count: this.#next() };
      }
      case 4:
      case 5: {
        const members = this.#list(() => this.#member());
        const kind = this.#kind === 4 ? 'struct' : 'union';
        return { kind, name, size: this.#word, members };
      }
      case 6:
      case 19: {
        const wide = this.#kind === 19;
        const values = this.#list(() => this.#enumerator(wide));
        return { kind: 'enum', name, size: this.#word, signed: this.#kindFlag, values };
      }
      case 7:
        return { kind: 'forward', name };
      case 13:
        this.#at += 8 * this.#count;
        return { kind: 'prototype', name };
      case 14:
        this.#at += 4;
        return { kind: 'variable', name, target: this.#word };
      case 15:
        this.#at += 12 * this.#count;
        return { kind: 'section', name };
      case 16:
        return { kind: 'float', name, size: this.#word };
      case 17:
        this.#at += 4;
        return { kind: 'declarationTag', name, target: this.#word };
      default:
        throw new BtfError(
          `The BTF has a type of kind ${String(this.#kind)}, which this version does not know.`,
        );
    }
  }

  #next(): number {
    const word = this.view.getUint32(this.#at, true);
    this.#at += 4;
    return word;
  }

  #string(): string {
    return cString(this.strings, this.#next());
  }

  #list<Item>(read: () => Item): Item[] {
    return Array.from({ length: this.#count }, read);
  }

  #integer(): BtfType {
    const encoding = this.#next();
    return {
      kind: 'int',
      name: this.#name,
      size: this.#word,
      signed: (encoding & 0x0100_0000) !== 0,
      bool: (encoding & 0x0400_0000) !== 0,
      bits: encoding & 0xff,
    };
  }

  #member(): BtfMember {
    const name = this.#string();
    const type = this.#next();
    const offset = this.#next();
    return this.#kindFlag
      ? { name, type, bitOffset: offset & 0xff_ffff, bitFieldSize: offset >>> 24 }
      : { name, type, bitOffset: offset, bitFieldSize: 0 };
  }

  #enumerator(wide: boolean): BtfEnumerator {
    const name = this.#string();
    const low = this.#next();
    const high = wide ? this.#next() : 0;
    const bits = wide ? 64 : 32;
    const value = (BigInt(high) << 32n) | BigInt(low);
    return { name, value: this.#kindFlag ? BigInt.asIntN(bits, value) : value };
  }
}
