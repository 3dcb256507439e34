import { escapeText } from '../text/index.js';
import { characterClasses, openClasses, type CharacterClass } from './match-class.js';
import { OwnerRowError } from './owner-row-error.js';

/** A part of a component: text as it is, a run of any bytes, or a text of a class. */
export type PatternPart =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'run'; readonly least: 0 | 1; readonly isId: boolean }
  | { readonly kind: 'class'; readonly class: CharacterClass; readonly isId: boolean };

export type PatternComponent = readonly PatternPart[];

/**
 * A pattern of paths. It is held against the end of a path, component by
 * component, so that `docker/{id:hex64}` finds a container wherever it is nested;
 * one that begins with `/` is held against the whole path.
 *
 * - `*` is any text within a component, or none;
 * - `**`, as a whole component, is any number of components, or none;
 * - `{id}` is any text within a component, at least one byte: it is the id;
 * - `{hex64}`, `{uuid}`, `{uid}`, `{number}` and `{hex}` are texts of that form,
 *   and `{id:hex64}`, `{id:uuid}` and so on moreover the id. `{uid}` is a uuid,
 *   with `_` for `-` or not, or 32 hex digits;
 * - anything else, a backslash too, stands for itself.
 *
 * It needs no backtracking: the time to match is bounded by the length of the
 * path times that of the pattern.
 */
export interface OwnerPattern {
  readonly text: string;
  /** Whether it begins at the root. */
  readonly isAnchored: boolean;
  /** The components between each `**` and the next. */
  readonly groups: readonly (readonly PatternComponent[])[];
  readonly hasId: boolean;
}

const maxPatternLength = 1024;
const maxComponents = 32;

/**
 * Reads a pattern.
 *
 * @throws OwnerRowError without the name of the row, which the caller adds.
 */
export function parseOwnerPattern(text: string): OwnerPattern {
  const shown = `the pattern "${escapeText(text.slice(0, 80))}"`;
  const fail = (why: string): never => {
    throw new OwnerRowError(`${shown} ${why}`);
  };
  if (text.length > maxPatternLength)
    fail(`is longer than ${maxPatternLength} bytes: use * for what may vary.`);
  const isAnchored = text.startsWith('/');
  const components = (isAnchored ? text.slice(1) : text).split('/');
  if (components.length > maxComponents)
    fail(`has more than ${maxComponents} components: the last few are enough.`);

  const groups: PatternComponent[][] = [[]];
  let ids = 0;
  let tellsSomething = false;
  for (const component of components) {
    if (component === '**') {
      groups.push([]);
      continue;
    }
    if (component === '') fail('has an empty component: write one / between two names.');
    if (component.includes('**'))
      fail('has ** beside other text: within a component a single * is enough.');
    const parts = parseComponent(component, fail);
    ids += parts.filter((part) => part.kind !== 'text' && part.isId).length;
    tellsSomething ||= parts.some((part) => part.kind !== 'run');
    groups.at(-1)?.push(parts);
  }
  if (ids > 1) fail('has more than one {id}: there is one id for a path.');
  if (!tellsSomething)
    fail('fits any cgroup: name some part of the path, as in "batch/{id}".');
  return { text, isAnchored, groups, hasId: ids === 1 };
}

function parseComponent(component: string, fail: (why: string) => never): PatternPart[] {
  const parts: PatternPart[] = [];
  for (const [token] of component.matchAll(/\*|\{[^{}]*\}|[^*{}]+|[{}]/g)) {
    if (token === '*') parts.push({ kind: 'run', least: 0, isId: false });
    else if (token.startsWith('{')) parts.push(parsePlaceholder(token, fail));
    else if (token === '}') fail('has a } without its {: use * for such a byte.');
    // Paths are raw bytes, a configuration is text.
    else
      parts.push({ kind: 'text', text: Buffer.from(token, 'utf8').toString('latin1') });
  }
  parts.forEach((part, at) => {
    checkNeighbours(part, parts[at - 1], parts[at + 1], fail);
  });
  return parts;
}

function parsePlaceholder(token: string, fail: (why: string) => never): PatternPart {
  const name = token.slice(1, -1);
  if (name === 'id') return { kind: 'run', least: 1, isId: true };
  const isId = name.startsWith('id:');
  const kind = isId ? name.slice(3) : name;
  if (!isClass(kind))
    return fail(
      `has ${token}, which is not known: there are {id}, {id:CLASS} and {CLASS}, where CLASS is one of ${Object.keys(characterClasses).join(', ')}.`,
    );
  return { kind: 'class', class: kind, isId };
}

function isClass(name: string): name is CharacterClass {
  return Object.hasOwn(characterClasses, name);
}

/** What would make a match ambiguous, and so slow, is refused. */
function checkNeighbours(
  part: PatternPart,
  before: PatternPart | undefined,
  after: PatternPart | undefined,
  fail: (why: string) => never,
): void {
  if (part.kind === 'run' && before?.kind === 'run')
    fail('has two runs of any text side by side: put what parts them between them.');
  if (part.kind !== 'class' || !openClasses.has(part.class)) return;
  const bytes = characterClasses[part.class];
  const isParted = (other: PatternPart | undefined, at: number): boolean =>
    other === undefined ||
    (other.kind === 'text' && !bytes.test(other.text.at(at) ?? ''));
  if (!isParted(before, -1) || !isParted(after, 0))
    fail(
      `has {${part.class}} without something else before and after it: part it by a text that is no such digit, as in "job_{${part.class}}".`,
    );
}
