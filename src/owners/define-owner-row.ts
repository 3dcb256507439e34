import { DurationError, escapeText, parseDuration } from '../text/index.js';
import { parseOwnerPattern } from './owner-pattern.js';
import type { IdForm, OwnerRow } from './owner-row.js';
import { OwnerRowError } from './owner-row-error.js';

/** A row as it is written in a configuration: plain data. */
export interface OwnerRowInput {
  /** Of a-z, 0-9 and `-`, with a letter first, up to 63: it is the value of a label. */
  readonly name: string;
  /** The name by default. */
  readonly title?: string;
  /** One pattern, or several, as OwnerPattern says. */
  readonly pattern: string | readonly string[];
  /** What the id is. `id` by default if a pattern has an `{id}`. */
  readonly idKind?: string;
  readonly idForm?: IdForm;
  readonly keepsEmpty?: boolean;
  readonly isWholeParent?: boolean;
  readonly outlives?: boolean;
  /** As in `5m`. */
  readonly grace?: string;
  readonly ownsBelow?: boolean;
}

const fields: Readonly<Record<keyof OwnerRowInput, string>> = {
  name: 'string',
  title: 'string',
  pattern: 'string',
  idKind: 'string',
  idForm: 'string',
  keepsEmpty: 'boolean',
  isWholeParent: 'boolean',
  outlives: 'boolean',
  grace: 'string',
  ownsBelow: 'boolean',
};
const idForms: readonly string[] = ['plain', 'systemd-escaped', 'underscored'];
const nameForm = /^[a-z][a-z0-9-]{0,62}$/;
const maxRows = 500;
const maxPatterns = 32;

/**
 * Checks a row that a user wrote, and makes it one for `createOwnerOf`.
 *
 * @example
 * defineOwnerRow({
 *   name: 'batch',
 *   pattern: 'batch/job-{id:number}',
 *   idKind: 'job',
 *   grace: '2m',
 * });
 *
 * @throws OwnerRowError that names the row, and says what to write instead.
 */
export function defineOwnerRow(input: unknown, where = 'owner row'): OwnerRow {
  const fail = (why: string): never => {
    throw new OwnerRowError(`${where}: ${why}`);
  };
  if (!isRecord(input))
    return fail('is no object: write { "name": "batch", "pattern": "batch/{id}" }.');
  if (!isRowInput(input, fail))
    return fail('is no row: write { "name": "batch", "pattern": "batch/{id}" }.');
  const patterns = typeof input.pattern === 'string' ? [input.pattern] : input.pattern;
  if (patterns.length === 0 || patterns.length > maxPatterns)
    fail(`has ${patterns.length} patterns: give between 1 and ${maxPatterns}.`);
  const parsed = patterns.map((pattern) =>
    explained(fail, () => parseOwnerPattern(pattern)),
  );
  const hasId = parsed.some((pattern) => pattern.hasId);
  const { grace } = input;
  const idKind = input.idKind ?? (hasId ? 'id' : undefined);
  return {
    name: input.name,
    title: input.title ?? input.name,
    patterns,
    ...(idKind !== undefined && { idKind }),
    ...(input.idForm !== undefined && { idForm: input.idForm }),
    ...(input.keepsEmpty !== undefined && { keepsEmpty: input.keepsEmpty }),
    ...(input.isWholeParent !== undefined && { isWholeParent: input.isWholeParent }),
    ...(input.outlives !== undefined && { outlives: input.outlives }),
    ...(input.ownsBelow !== undefined && { ownsBelow: input.ownsBelow }),
    ...(grace !== undefined && { grace: explained(fail, () => parseDuration(grace)) }),
    example: '',
  };
}

/**
 * All rows of a configuration, in its order: the first that matches counts. What
 * is said of a row names it by its place and name.
 *
 * @throws OwnerRowError
 */
export function defineOwnerRows(inputs: unknown): readonly OwnerRow[] {
  if (!Array.isArray(inputs))
    throw new OwnerRowError('The rows of owners are no list: write [ { "name": … } ].');
  if (inputs.length > maxRows)
    throw new OwnerRowError(
      `There are ${inputs.length} rows of owners, more than ${maxRows}: join those of one owner, whose patterns may be a list.`,
    );
  const names = new Set<string>();
  return inputs.map((input: unknown, at) => {
    const where = `owner row ${at + 1}${shownName(input)}`;
    const row = defineOwnerRow(input, where);
    if (names.has(row.name))
      throw new OwnerRowError(
        `${where}: its name is taken by a row before it: give one row a list of patterns, or another name.`,
      );
    names.add(row.name);
    return row;
  });
}

function shownName(input: unknown): string {
  return isRecord(input) && typeof input['name'] === 'string'
    ? ` "${escapeText(Buffer.from(input['name'].slice(0, 63), 'utf8').toString('latin1'))}"`
    : '';
}

function isRecord(input: unknown): input is Record<string, unknown> {
  return typeof input === 'object' && input !== null && !Array.isArray(input);
}

/** Whether all of it is of the right type; the first that is not is told. */
function isRowInput(
  input: Record<string, unknown>,
  fail: (why: string) => never,
): input is Record<string, unknown> & OwnerRowInput {
  for (const [field, value] of Object.entries(input)) {
    if (!isField(field)) {
      const shown = escapeText(
        Buffer.from(field.slice(0, 40), 'utf8').toString('latin1'),
      );
      return fail(
        `has the field "${shown}", which is not known: there are ${Object.keys(fields).join(', ')}.`,
      );
    }
    const isList =
      field === 'pattern' &&
      Array.isArray(value) &&
      value.every((pattern) => typeof pattern === 'string');
    if (typeof value !== fields[field] && !isList)
      return fail(`${field} is no ${fields[field]}: write ${exampleOf(field)}.`);
  }
  const { name, pattern, idForm, idKind } = input;
  if (typeof name !== 'string' || !nameForm.test(name))
    return fail(
      'needs a name of a-z, 0-9 and "-" that begins with a letter, of up to 63, such as "batch".',
    );
  if (pattern === undefined)
    return fail('needs a pattern of its cgroups, such as "batch/job-{id}".');
  if (typeof idForm === 'string' && !idForms.includes(idForm))
    return fail(`idForm is none of ${idForms.join(', ')}: leave it out for plain.`);
  if (typeof idKind === 'string' && !/^[a-zA-Z][\w -]{0,31}$/.test(idKind))
    return fail('idKind is no word: write what the id is, such as "job".');
  return true;
}

function isField(field: string): field is keyof OwnerRowInput {
  return Object.hasOwn(fields, field);
}

function exampleOf(field: keyof OwnerRowInput): string {
  if (field === 'pattern') return '"batch/job-{id}", or a list of such';
  if (field === 'grace') return '"5m"';
  return fields[field] === 'boolean' ? 'true or false' : '"a text"';
}

/** What is thrown of a part of a row names the row. */
function explained<Value>(fail: (why: string) => never, make: () => Value): Value {
  try {
    return make();
  } catch (error) {
    if (error instanceof OwnerRowError || error instanceof DurationError)
      return fail(error.message);
    throw error;
  }
}
