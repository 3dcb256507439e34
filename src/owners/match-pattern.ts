import { matchClass, type Steps } from './match-class.js';
import type { OwnerPattern, PatternComponent, PatternPart } from './owner-pattern.js';

/** Where in the path the id is, and what the match has cost. */
export interface MatchState extends Steps {
  idStart: number;
  idEnd: number;
  /** Of use while matching only. */
  partsEnd: number;
}

/** One for many matches, one after another. */
export function createMatchState(): MatchState {
  return { count: 0, idStart: -1, idEnd: -1, partsEnd: -1 };
}

/** Whether the first `end` bytes of a path fit a pattern. Linear in them. */
export function matchPattern(
  pattern: OwnerPattern,
  path: string,
  end: number,
  state: MatchState,
): boolean {
  const { groups, isAnchored } = pattern;
  let position = matchGroup(groups.at(-1) ?? [], path, end, state);
  if (position < 0) return false;
  // Each group between two `**` is sought as far to the right as it fits.
  for (let at = groups.length - 2; at >= 0; at--) {
    const group = groups[at] ?? [];
    const isFirst = at === 0;
    if (isFirst && group.length === 0) return true;
    for (;;) {
      const start = matchGroup(group, path, position, state);
      if (start >= 0 && (!isFirst || !isAnchored || start === 0)) {
        position = start;
        break;
      }
      position = parentEnd(path, position, state);
      if (position <= 0) return false;
    }
  }
  return !isAnchored || position === 0;
}

/** Matches components backwards from `end`: where they begin, or -1. */
function matchGroup(
  group: readonly PatternComponent[],
  path: string,
  end: number,
  state: MatchState,
): number {
  let position = end;
  for (let at = group.length - 1; at >= 0; at--) {
    if (position <= 0) return -1;
    const slash = parentEnd(path, position, state);
    const component = group[at] ?? [];
    if (slash < 0 || !matchComponent(component, path, slash + 1, position, state))
      return -1;
    position = slash;
  }
  return position;
}

/** Where the parent of what ends at `end` ends: 0 for the root. */
function parentEnd(path: string, end: number, state: MatchState): number {
  const slash = path.lastIndexOf('/', end - 1);
  state.count += end - slash;
  return slash;
}

function matchComponent(
  parts: PatternComponent,
  path: string,
  start: number,
  end: number,
  state: MatchState,
): boolean {
  let position = start;
  let at = 0;
  while (at < parts.length) {
    const part = parts[at];
    if (part?.kind === 'run') {
      const next = nextRun(parts, at + 1);
      const from = position + part.least;
      const found = findParts(parts, at + 1, next, path, from, end, state);
      if (found < 0) return false;
      if (part.isId) setId(state, position, found);
      position = state.partsEnd;
      at = next;
    } else {
      const next = nextRun(parts, at);
      position = matchParts(parts, at, next, path, position, end, state);
      if (position < 0) return false;
      at = next;
    }
  }
  return position === end;
}

function nextRun(parts: PatternComponent, from: number): number {
  let at = from;
  while (at < parts.length && parts[at]?.kind !== 'run') at++;
  return at;
}

/**
 * The first place for the parts between two runs; for those after the last run, the
 * one that ends with the component; -1 for none. Where they end is in state.partsEnd.
 */
function findParts(
  parts: PatternComponent,
  from: number,
  to: number,
  path: string,
  start: number,
  end: number,
  state: MatchState,
): number {
  const isLast = to === parts.length;
  if (start > end) return -1;
  if (from === to) return (state.partsEnd = isLast ? end : start);
  const only = isLast && to === from + 1 ? parts[from] : undefined;
  let position = start;
  // The usual end of a name needs no search.
  if (only?.kind === 'text') position = Math.max(start, end - only.text.length);
  for (; position < end; position++) {
    const found = matchParts(parts, from, to, path, position, end, state);
    if (found >= 0 && (!isLast || found === end)) {
      state.partsEnd = found;
      return position;
    }
  }
  return -1;
}

/** Matches parts of which none is a run: where they end, or -1. */
function matchParts(
  parts: PatternComponent,
  from: number,
  to: number,
  path: string,
  start: number,
  end: number,
  state: MatchState,
): number {
  let position = start;
  for (let at = from; at < to; at++) {
    const part = parts[at];
    if (part === undefined || part.kind === 'run') return -1;
    const next = matchPart(part, path, position, end, state);
    if (next < 0) return -1;
    if (part.kind === 'class' && part.isId) setId(state, position, next);
    position = next;
  }
  return position;
}

function matchPart(
  part: Exclude<PatternPart, { kind: 'run' }>,
  path: string,
  at: number,
  end: number,
  state: MatchState,
): number {
  if (part.kind === 'class') return matchClass(part.class, path, at, end, state);
  const next = at + part.text.length;
  state.count += 1;
  if (next > end || !path.startsWith(part.text, at)) return -1;
  state.count += part.text.length;
  return next;
}

function setId(state: MatchState, start: number, end: number): void {
  state.idStart = start;
  state.idEnd = end;
}
