import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import {
  createOwnerOf,
  defineOwnerRows,
  ownerRows,
  type OwnerRow,
  type OwnerRowInput,
} from '../../../src/owners/index.js';
import { characterClasses } from '../../../src/owners/match-class.js';
import { formatDuration } from '../../../src/text/index.js';

const doc = readFileSync(new URL('../../../docs/owners.md', import.meta.url), 'utf8');

/** The line that the document is to have of a row. */
function lineOf(row: OwnerRow): string {
  const empty = row.keepsEmpty
    ? 'kept on purpose'
    : row.isWholeParent
      ? 'finding, also after children'
      : 'finding';
  const grace = row.grace === undefined ? '' : formatDuration(row.grace);
  const cells = [`\`${row.name}\``, row.title, row.idKind ?? '', empty, grace];
  return `| ${[...cells, `\`${row.example}\``].join(' | ')} |`.replace(/ +/g, ' ');
}

test('the document has the table as it is, in its order', () => {
  const section = doc.split('## The table')[1]?.split('###')[0] ?? '';
  const lines = section
    .split('\n')
    .filter((line) => line.startsWith('| `'))
    .map((line) => line.replace(/ +/g, ' '));
  assert.deepEqual(lines, ownerRows.map(lineOf));
});

test('the example of rows works', () => {
  const json = /```json\n([^`]+)```/.exec(doc)?.[1] ?? '';
  const ownerOf = createOwnerOf([...defineOwnerRows(JSON.parse(json)), ...ownerRows]);
  assert.equal(ownerOf('/batch.slice/batch-17.scope')?.id, '17');
  assert.equal(ownerOf('/batch')?.keepsEmpty, true);
});

test('the document tells every field of a row, and every class', () => {
  for (const field of Object.keys({
    name: 0,
    title: 0,
    pattern: 0,
    idKind: 0,
    idForm: 0,
    keepsEmpty: 0,
    isWholeParent: 0,
    outlives: 0,
    grace: 0,
    ownsBelow: 0,
  } satisfies Record<keyof OwnerRowInput, 0>))
    assert.ok(doc.includes(`| \`${field}\``), field);
  for (const name of Object.keys(characterClasses))
    assert.ok(doc.includes(`{${name}}`), name);
});
