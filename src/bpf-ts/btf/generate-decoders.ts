import { BtfError } from './btf-error.js';
import type { BtfEnum } from './btf-type.js';
import {
  structLayouts,
  type Layout,
  type LayoutMember,
  type StructLayout,
} from './layout.js';
import { camelCase, enumeratorNames, pascalCase } from './names.js';
import { parseBtf } from './parse-btf.js';

export interface DecoderChoice {
  /** Names of structs; those within them come by themselves. */
  readonly structs: readonly string[];
  readonly enums?: readonly string[];
}

const helpers = {
  readString: `const knownStrings: string[] = new Array<string>(512).fill('');

/**
 * The bytes of a char array up to its NUL, one a code unit (latin1). The same
 * few names come again and again: a string seen before costs no memory.
 */
function readString(view: DataView, at: number, length: number): string {
  let hash = 0;
  let end = at;
  for (; end < at + length; end++) {
    const byte = view.getUint8(end);
    if (byte === 0) break;
    hash = (Math.imul(hash, 31) + byte) | 0;
  }
  const known = knownStrings[hash & 511] ?? '';
  if (known.length === end - at) {
    let same = 0;
    while (same < known.length && known.charCodeAt(same) === view.getUint8(at + same))
      same++;
    if (same === known.length) return known;
  }
  const bytes = new Uint8Array(view.buffer, view.byteOffset + at, end - at);
  const text = String.fromCharCode(...bytes);
  knownStrings[hash & 511] = text;
  return text;
}
`,
  readBytes: `/** A copy. */
function readBytes(view: DataView, at: number, length: number): Uint8Array {
  return new Uint8Array(view.buffer, view.byteOffset + at, length).slice();
}
`,
};

/**
 * Writes TypeScript that reads the structs of a BPF object, from the object's
 * own BTF, so that C and TypeScript can't disagree. For \`struct event_head\`:
 * the interface \`EventHead\`, \`eventHeadSize\`, \`eventHeadOffsets\` and
 * \`decodeEventHead(view, at)\`; for \`enum event_kind\`: \`eventKind\` with its
 * values, and the type \`EventKind\` of them.
 *
 * Integers of 64 bits are bigint, char arrays strings (latin1, up to the NUL),
 * u8 arrays Uint8Array.
 *
 * @example
 * const source = generateDecoders(readFileSync('exits.bpf.o'), { structs: ['exit_event'] });
 *
 * @throws BtfError that names a missing type, or the member that can't be read:
 *   a pointer, a union, a bit field.
 */
export function generateDecoders(objectBytes: Uint8Array, choice: DecoderChoice): string {
  const btf = parseBtf(objectBytes);
  const enums = (choice.enums ?? []).map((name) => {
    const type = btf.find('enum', name);
    if (!type)
      throw new BtfError(
        `The BTF has no enum ${name}. clang leaves out types that no global variable or map of the program refers to.`,
      );
    return enumSource(type);
  });
  const structs = structLayouts(btf, choice.structs).map(structSource);
  const body = [...enums, ...structs].join('\n');
  const used = Object.entries(helpers)
    .filter(([name]) => body.includes(`${name}(`))
    .map(([, source]) => source);
  return [
    '// Generated from the BTF of the BPF object. Do not edit.\n',
    body,
    ...used,
  ].join('\n');
}

function enumSource(type: BtfEnum): string {
  const names = enumeratorNames(
    type.name,
    type.values.map(({ name }) => name),
  );
  const rows = type.values.map(({ value }, index) => {
    const literal = type.size === 8 ? `${String(value)}n` : String(value);
    return `  ${names[index] ?? ''}: ${literal},\n`;
  });
  const constant = camelCase(type.name);
  return `/** enum ${type.name} */
export const ${constant} = {
${rows.join('')}} as const;

export type ${pascalCase(type.name)} = (typeof ${constant})[keyof typeof ${constant}];
`;
}

function structSource({ name, size, members }: StructLayout): string {
  const type = pascalCase(name);
  const value = camelCase(name);
  function each(row: (member: LayoutMember) => string): string {
    return members.map((member) => row(member)).join('');
  }
  return `/** struct ${name} */
export interface ${type} {
${each(({ name: member, layout }) => `  readonly ${camelCase(member)}: ${typeSource(layout)};\n`)}}

export const ${value}Size = ${String(size)};

export const ${value}Offsets = {
${each(({ name: member, offset }) => `  ${camelCase(member)}: ${String(offset)},\n`)}} as const;

/** Reads the struct ${name} that begins at \`at\`. */
export function decode${type}(view: DataView, at: number): ${type} {
  return {
${each(({ name: member, offset, layout }) => memberSource(camelCase(member), offset, layout))}  };
}
`;
}

function typeSource(layout: Layout): string {
  switch (layout.kind) {
    case 'integer':
      return layout.size === 8 ? 'bigint' : 'number';
    case 'float':
      return 'number';
    case 'bool':
      return 'boolean';
    case 'string':
      return 'string';
    case 'bytes':
      return 'Uint8Array';
    case 'struct':
      return pascalCase(layout.name);
    case 'array':
      return `readonly ${arrayElement(typeSource(layout.element))}[]`;
  }
}

function arrayElement(type: string): string {
  return type.startsWith('readonly ') ? `(${type})` : type;
}

/** Longer arrays are read in a loop. */
const unrolled = 8;

const lineWidth = 90;

/** A line of the object literal, or some, broken as Prettier would. */
function memberSource(name: string, offset: number, layout: Layout): string {
  if (layout.kind !== 'array')
    return `    ${name}: ${readSource(layout, place('at', offset))},\n`;
  const { element, count, stride } = layout;
  if (count > unrolled) {
    const call = `    ${name}: Array.from({ length: ${String(count)} }, (_, index) =>`;
    const item = readSource(element, place('at', offset, stride), 1);
    const line = `${call} ${item}),\n`;
    return line.length <= lineWidth + 1 ? line : `${call}\n      ${item},\n    ),\n`;
  }
  const items = Array.from({ length: count }, (_, index) =>
    readSource(element, place('at', offset + index * stride)),
  );
  const line = `    ${name}: [${items.join(', ')}],\n`;
  return line.length <= lineWidth + 1
    ? line
    : `    ${name}: [\n${items.map((item) => `      ${item},\n`).join('')}    ],\n`;
}

function place(base: string, offset: number, stride?: number, index = 'index'): string {
  const start = offset === 0 ? base : `${base} + ${String(offset)}`;
  return stride === undefined ? start : `${start} + ${index} * ${String(stride)}`;
}

function readSource(layout: Layout, at: string, depth = 0): string {
  switch (layout.kind) {
    case 'integer': {
      const sign = layout.signed ? 'Int' : 'Uint';
      if (layout.size === 1) return `view.get${sign}8(${at})`;
      const big = layout.size === 8 ? 'Big' : '';
      return `view.get${big}${sign}${String(layout.size * 8)}(${at}, true)`;
    }
    case 'float':
      return `view.getFloat${String(layout.size * 8)}(${at}, true)`;
    case 'bool':
      return `view.getUint8(${at}) !== 0`;
    case 'string':
      return `readString(view, ${at}, ${String(layout.length)})`;
    case 'bytes':
      return `readBytes(view, ${at}, ${String(layout.length)})`;
    case 'struct':
      return `decode${pascalCase(layout.name)}(view, ${at})`;
    case 'array': {
      const index = `index${depth === 0 ? '' : String(depth)}`;
      const element = readSource(
        layout.element,
        place(at, 0, layout.stride, index),
        depth + 1,
      );
      return `Array.from({ length: ${String(layout.count)} }, (_, ${index}) => ${element})`;
    }
  }
}
