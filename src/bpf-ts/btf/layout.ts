import { BtfError } from './btf-error.js';
import type { BtfComposite, BtfId } from './btf-type.js';
import type { Btf } from './parse-btf.js';

/** How a value is read from memory. */
export type Layout =
  | { readonly kind: 'integer'; readonly size: 1 | 2 | 4 | 8; readonly signed: boolean }
  | { readonly kind: 'bool' }
  | { readonly kind: 'float'; readonly size: 4 | 8 }
  /** char[N]: up to its NUL. */
  | { readonly kind: 'string'; readonly length: number }
  /** u8[N]. */
  | { readonly kind: 'bytes'; readonly length: number }
  | { readonly kind: 'struct'; readonly name: string }
  | {
      readonly kind: 'array';
      readonly element: Layout;
      readonly count: number;
      readonly stride: number;
    };

export interface LayoutMember {
  readonly name: string;
  readonly offset: number;
  readonly layout: Layout;
}

export interface StructLayout {
  readonly name: string;
  readonly size: number;
  readonly members: readonly LayoutMember[];
}

/** A struct and the structs within it, those before it. */
export function structLayouts(btf: Btf, names: readonly string[]): StructLayout[] {
  const found = new Map<string, StructLayout>();

  function visit(name: string): void {
    if (found.has(name)) return;
    const type = btf.find('struct', name);
    if (!type)
      throw new BtfError(
        `The BTF has no struct ${name}. clang leaves out types that no global variable or map ` +
          `of the program refers to: add \`struct ${name} *const volatile ${name}_type = 0;\`.`,
      );
    const members = [...structMembers(btf, type, name, 0)];
    for (const { layout } of members) {
      const inner = innerStruct(layout);
      if (inner !== undefined) visit(inner);
    }
    found.set(name, { name, size: type.size, members });
  }

  names.forEach(visit);
  return [...found.values()];
}

function innerStruct(layout: Layout): string | undefined {
  if (layout.kind === 'array') return innerStruct(layout.element);
  return layout.kind === 'struct' ? layout.name : undefined;
}

/** The members, those of anonymous structs among them as C sees them. */
function* structMembers(
  btf: Btf,
  struct: BtfComposite,
  where: string,
  base: number,
): IterableIterator<LayoutMember> {
  for (const member of struct.members) {
    const path = `${where}.${member.name || '(anonymous)'}`;
    if (member.bitFieldSize > 0 || member.bitOffset % 8 !== 0)
      throw unfit(path, 'a bit field');
    const offset = base + member.bitOffset / 8;
    const type = btf.resolve(member.type);
    if (member.name === '' && type.kind === 'struct')
      yield* structMembers(btf, type, path, offset);
    else yield { name: member.name, offset, layout: layoutOf(btf, member.type, path) };
  }
}

function layoutOf(btf: Btf, id: BtfId, path: string): Layout {
  const type = btf.resolve(id);
  switch (type.kind) {
    case 'int': {
      if (type.bool) return { kind: 'bool' };
      if (type.bits !== type.size * 8) throw unfit(path, 'a bit field');
      return { kind: 'integer', size: integerSize(type.size, path), signed: type.signed };
    }
    case 'enum':
      return { kind: 'integer', size: integerSize(type.size, path), signed: type.signed };
    case 'float':
      if (type.size !== 4 && type.size !== 8) throw unfit(path, 'a long double');
      return { kind: 'float', size: type.size };
    case 'array':
      return arrayLayout(btf, type.element, type.count, path);
    case 'struct':
      if (type.name === '') throw unfit(path, 'a struct without a name');
      return { kind: 'struct', name: type.name };
    default:
      throw unfit(path, article(type.kind));
  }
}

function arrayLayout(btf: Btf, id: BtfId, count: number, path: string): Layout {
  if (count === 0) throw unfit(path, 'an array without a length');
  const type = btf.resolve(id);
  if (type.kind === 'int' && type.size === 1 && !type.bool) {
    if (type.name === 'char') return { kind: 'string', length: count };
    if (!type.signed) return { kind: 'bytes', length: count };
  }
  return {
    kind: 'array',
    element: layoutOf(btf, id, `${path}[]`),
    count,
    stride: sizeOf(btf, id),
  };
}

function sizeOf(btf: Btf, id: BtfId): number {
  const type = btf.resolve(id);
  if (type.kind === 'array') return type.count * sizeOf(btf, type.element);
  if ('size' in type) return type.size;
  throw new BtfError(`The BTF has an array of ${type.kind}, which has no size.`);
}

function integerSize(size: number, path: string): 1 | 2 | 4 | 8 {
  if (size === 1 || size === 2 || size === 4 || size === 8) return size;
  throw unfit(path, `an integer of ${String(size)} bytes`);
}

function article(kind: string): string {
  return kind === 'void' ? 'nothing' : `a ${kind}`;
}

function unfit(path: string, what: string): BtfError {
  return new BtfError(
    `${path} is ${what}, which no decoder is made for. Use integers, bool, enums, named structs and arrays of them.`,
  );
}
