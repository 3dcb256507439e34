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

/**
 * The patterns by what is cheap to see of a path: few of them need be tried for
 * any one. Each is in one bucket, and those of a bucket are in order.
 */
export interface OwnerIndex {
  readonly buckets: ReadonlyMap<string, readonly IndexedPattern[]>;
  /** Those of which nothing is known. */
  readonly rest: readonly IndexedPattern[];
}

export function createOwnerIndex(rows: readonly OwnerRow[]): OwnerIndex {
  const buckets = new Map<string, IndexedPattern[]>();
  const rest: IndexedPattern[] = [];
  let order = 0;
  for (const row of rows) {
    for (const text of row.patterns) {
      const pattern = parseOwnerPattern(text);
      const key = keyOfPattern(pattern);
      const indexed = { pattern, row, order: order++ };
      if (key === undefined) {
        rest.push(indexed);
        continue;
      }
      const bucket = buckets.get(key);
      if (bucket) bucket.push(indexed);
      else buckets.set(key, [indexed]);
    }
  }
  return { buckets, rest };
}

/** Calls back with each bucket that may hold a pattern for the first `end` bytes of a path. */
export function forEachBucket(
  index: OwnerIndex,
  path: string,
  end: number,
  visit: (bucket: readonly IndexedPattern[]) => void,
): void {
  const { buckets, rest } = index;
  const start = path.lastIndexOf('/', end - 1) + 1;
  const name = path.slice(start, end);
  const dot = name.lastIndexOf('.');
  const parentStart = start > 1 ? path.lastIndexOf('/', start - 2) + 1 : 0;
  const parent = start > 1 ? path.slice(parentStart, start - 1) : '';
  for (const key of [
    `name ${name}`,
    dot < 0 ? '' : `suffix ${name.slice(dot)}`,
    `parent ${parent}`,
    `begin ${name.slice(0, beginLength)}`,
    `length ${name.length}`,
  ]) {
    const bucket = buckets.get(key);
    if (bucket) visit(bucket);
  }
  if (rest.length > 0) visit(rest);
}

const beginLength = 3;

function keyOfPattern({ groups }: OwnerPattern): string | undefined {
  const group = groups.at(-1) ?? [];
  const last = group.at(-1);
  if (last === undefined) return undefined;
  const name = onlyText(last);
  if (name !== undefined) return `name ${name}`;

  const tail = last.at(-1);
  // What follows the last dot of a name is sure only if the pattern has that dot.
  if (tail?.kind === 'text' && tail.text.includes('.'))
    return `suffix ${tail.text.slice(tail.text.lastIndexOf('.'))}`;
  const parent = onlyText(group.at(-2) ?? []);
  if (parent !== undefined) return `parent ${parent}`;
  const head = last[0];
  if (head?.kind === 'text' && head.text.length >= beginLength)
    return `begin ${head.text.slice(0, beginLength)}`;
  if (last.length === 1 && head?.kind === 'class') {
    if (head.class === 'hex64') return 'length 64';
    if (head.class === 'uuid') return 'length 36';
  }
  return undefined;
}

function onlyText(component: PatternComponent): string | undefined {
  const [part, ...others] = component;
  return part?.kind === 'text' && others.length === 0 ? part.text : undefined;
}
