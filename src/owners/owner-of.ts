import { createMatchState, matchPattern, type MatchState } from './match-pattern.js';
import { createOwnerIndex, type IndexedPattern, type OwnerIndex } from './owner-index.js';
import type { IdForm, OwnerRow } from './owner-row.js';
import { ownerRows } from './owner-rows.js';
import type { OwnerOf, Ownership } from './ownership.js';

/** The kernel makes no longer paths. */
const maxPathLength = 4095;
/** How far above a path its owner is looked for. */
const maxClimb = 32;

/**
 * Whose cgroup a path is, by a table: the first row that matches counts. If none
 * does, the nearest cgroup above that claims what is below it.
 *
 * @example
 * const ownerOf = createOwnerOf();
 * ownerOf(`/system.slice/docker-${'3f'.repeat(32)}.scope`);
 * // { owner: 'docker', idKind: 'container', id: '3f3f…', keepsEmpty: false, … }
 *
 * // Rows of one's own go first.
 * createOwnerOf([...defineOwnerRows(configuration.owners), ...ownerRows]);
 */
export function createOwnerOf(rows: readonly OwnerRow[] = ownerRows): OwnerOf {
  const state = createMatchState();
  const search = createOwnerSearch(rows);
  return (path) => search(path, state);
}

/** The same, and `state.count` grows by the bytes that were looked at. */
export function createOwnerSearch(
  rows: readonly OwnerRow[],
): (path: string, state: MatchState) => Ownership | undefined {
  const index = createOwnerIndex(rows);
  const own = new Map(rows.map((row) => [row, ownershipOf(row)]));
  const below = new Map(
    rows.map((row) => [
      row,
      { ...ownershipOf(row), keepsEmpty: false, isWholeParent: false },
    ]),
  );
  return (path, state) => {
    if (path.length > maxPathLength) return undefined;
    let end = path.length;
    for (let climbed = 0; climbed < maxClimb && end > 0; climbed++) {
      const found = findRow(index, path, end, state);
      if (found) {
        const ownership = climbed === 0 ? own.get(found.row) : below.get(found.row);
        if (ownership && (climbed === 0 || found.row.ownsBelow))
          return withId(ownership, found, path, end, state);
      }
      end = path.lastIndexOf('/', end - 1);
    }
    return undefined;
  };
}

/** The first pattern that matches, with its id in `state`. */
function findRow(
  index: OwnerIndex,
  path: string,
  end: number,
  state: MatchState,
): IndexedPattern | undefined {
  let first: IndexedPattern | undefined;
  let idStart = -1;
  let idEnd = -1;
  for (const bucket of index.bucketsFor(path, end)) {
    if (bucket === undefined) continue;
    for (const indexed of bucket) {
      if (first && indexed.order > first.order) break;
      if (!matchPattern(indexed.pattern, path, end, state)) continue;
      first = indexed;
      ({ idStart, idEnd } = state);
      break;
    }
  }
  state.idStart = idStart;
  state.idEnd = idEnd;
  return first;
}

function ownershipOf(row: OwnerRow): Ownership {
  return {
    owner: row.name,
    keepsEmpty: row.keepsEmpty ?? false,
    isWholeParent: row.isWholeParent ?? false,
    outlives: row.outlives ?? false,
    ...(row.grace !== undefined && { grace: row.grace }),
  };
}

function withId(
  ownership: Ownership,
  { pattern, row }: IndexedPattern,
  path: string,
  end: number,
  state: MatchState,
): Ownership {
  if (row.idKind === undefined) return ownership;
  const text = pattern.hasId
    ? path.slice(state.idStart, state.idEnd)
    : path.slice(path.lastIndexOf('/', end - 1) + 1, end);
  const { owner, keepsEmpty, isWholeParent, outlives, grace } = ownership;
  const { idKind } = row;
  const id = readId(text, row.idForm);
  // Written out, since spreading is several times slower than all the rest.
  return grace === undefined
    ? { owner, idKind, id, keepsEmpty, isWholeParent, outlives }
    : { owner, idKind, id, keepsEmpty, isWholeParent, outlives, grace };
}

function readId(text: string, form: IdForm = 'plain'): string {
  switch (form) {
    case 'plain':
      return text;
    case 'underscored':
      return text.replaceAll('_', '-');
    case 'systemd-escaped':
      return text.replace(/\\x([0-9a-f]{2})/g, (_, hex: string) =>
        String.fromCharCode(Number.parseInt(hex, 16)),
      );
  }
}
