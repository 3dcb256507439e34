import {
  parseOwnerPattern,
  type OwnerPattern,
  type PatternComponent,
} from './owner-pattern.js';
import type { OwnerRow } from './owner-row.js';

/** A pattern of a row. */
export interface IndexedPattern {
  readonly pattern: OwnerPattern;
  readonly row: OwnerRow;
  /** Its place in the table: the first that matches counts. */
  readonly order: number;
}

/** Patterns in the order of the table. */
export type Bucket = readonly IndexedPattern[];

/**
 * The patterns by what is cheap to see of a path: few of them need be tried for
 * any one. Each is in one bucket.
 */
export interface OwnerIndex {
  /** Buckets that may hold a pattern for the first `end` bytes of a path, and undefined. */
  bucketsFor(path: string, end: number): readonly (Bucket | undefined)[];
}

type Trait = 'name' | 'parent' | 'begin' | 'suffix' | 'length';

const beginLength = 3;

export function createOwnerIndex(rows: readonly OwnerRow[]): OwnerIndex {
  const newMap = () => new Map<string | number, IndexedPattern[]>();
  const maps: Readonly<Record<Trait, Map<string | number, IndexedPattern[]>>> = {
    name: newMap(),
    parent: newMap(),
    begin: newMap(),
    suffix: newMap(),
    length: newMap(),
  };
  const withColon: IndexedPattern[] = [];
  const rest: IndexedPattern[] = [];

  const bucketOf = (pattern: OwnerPattern): IndexedPattern[] => {
    const trait = traitOf(pattern);
    if (trait === undefined) return rest;
    if (trait === 'colon') return withColon;
    const [kind, value] = trait;
    const bucket = maps[kind].get(value) ?? [];
    maps[kind].set(value, bucket);
    return bucket;
  };
  let order = 0;
  for (const row of rows) {
    for (const text of row.patterns) {
      const pattern = parseOwnerPattern(text);
      bucketOf(pattern).push({ pattern, row, order: order++ });
    }
  }

  const { name, parent, begin, suffix, length } = maps;
  // One array for all look-ups: they come with every event.
  const found: (Bucket | undefined)[] = new Array<undefined>(7).fill(undefined);
  const bucketsFor = (path: string, end: number): readonly (Bucket | undefined)[] => {
    const start = path.lastIndexOf('/', end - 1) + 1;
    const own = path.slice(start, end);
    const dot = own.lastIndexOf('.');
    found[0] = name.get(own);
    found[1] =
      start > 1
        ? parent.get(path.slice(path.lastIndexOf('/', start - 2) + 1, start - 1))
        : undefined;
    found[2] = begin.get(own.slice(0, beginLength));
    found[3] = dot < 0 ? undefined : suffix.get(own.slice(dot));
    found[4] = length.get(own.length);
    found[5] = withColon.length > 0 && own.includes(':') ? withColon : undefined;
    found[6] = rest;
    return found;
  };
  return { bucketsFor };
}

/** What any path has that the pattern fits. */
function traitOf({
  groups,
}: OwnerPattern): readonly [Trait, string | number] | 'colon' | undefined {
  const group = groups.at(-1) ?? [];
  const last = group.at(-1);
  if (last === undefined) return undefined;
  const name = onlyText(last);
  if (name !== undefined) return ['name', name];
  const parent = onlyText(group.at(-2) ?? []);
  if (parent !== undefined) return ['parent', parent];
  const head = last[0];
  if (head?.kind === 'text' && head.text.length >= beginLength)
    return ['begin', head.text.slice(0, beginLength)];
  if (last.some((part) => part.kind === 'text' && part.text.includes(':')))
    return 'colon';
  // What follows the last dot of a name is sure only if the pattern has that dot.
  const tail = last.at(-1);
  if (tail?.kind === 'text' && tail.text.includes('.'))
    return ['suffix', tail.text.slice(tail.text.lastIndexOf('.'))];
  if (last.length === 1 && head?.kind === 'class') {
    if (head.class === 'hex64') return ['length', 64];
    if (head.class === 'uuid') return ['length', 36];
  }
  return undefined;
}

function onlyText(component: PatternComponent): string | undefined {
  const [part, ...others] = component;
  return part?.kind === 'text' && others.length === 0 ? part.text : undefined;
}
