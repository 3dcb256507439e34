import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  createOwnerOf,
  defineOwnerRow,
  defineOwnerRows,
  OwnerRowError,
} from '../../../src/owners/index.js';

test('a row of a configuration is of use as it is', () => {
  const row = defineOwnerRow({
    name: 'batch',
    title: 'Batch job',
    pattern: 'batch/job-{id:number}',
    idKind: 'job',
    isWholeParent: true,
    outlives: true,
    ownsBelow: true,
    grace: '2m',
  });
  const ownerOf = createOwnerOf([row]);
  assert.deepEqual(ownerOf('/system.slice/batch/job-17'), {
    owner: 'batch',
    idKind: 'job',
    id: '17',
    keepsEmpty: false,
    isWholeParent: true,
    outlives: true,
    grace: 120_000_000_000n,
  });
  assert.equal(ownerOf('/batch/job-17/inner')?.isWholeParent, false);
  assert.equal(ownerOf('/batch/job-x'), undefined);
});

test('what is left out has a default', () => {
  const withId = createOwnerOf([defineOwnerRow({ name: 'a', pattern: 'a/{id}' })]);
  assert.equal(withId('/a/b')?.idKind, 'id');
  const without = createOwnerOf([defineOwnerRow({ name: 'a', pattern: 'a/*' })]);
  assert.deepEqual(without('/a/b'), {
    owner: 'a',
    keepsEmpty: false,
    isWholeParent: false,
    outlives: false,
  });
  const whole = createOwnerOf([
    defineOwnerRow({ name: 'a', pattern: 'a/*', idKind: 'unit' }),
  ]);
  assert.equal(whole('/a/b')?.id, 'b');
  const escaped = createOwnerOf([
    defineOwnerRow({ name: 'a', pattern: 'a-{id}.scope', idForm: 'systemd-escaped' }),
  ]);
  assert.equal(escaped('/a-b\\x2dc.scope')?.id, 'b-c');
});

test('an error names the row and tells what to write', () => {
  const wrong: readonly (readonly [unknown, RegExp])[] = [
    [undefined, /is no object: write \{/],
    ['batch', /is no object/],
    [[], /is no object/],
    [{}, /needs a name/],
    [{ name: 'Batch', pattern: 'b' }, /"Batch": needs a name of a-z/],
    [{ name: 'a'.repeat(64), pattern: 'b' }, /needs a name/],
    [{ name: 'batch' }, /"batch": needs a pattern/],
    [{ name: 'batch', pattern: 1 }, /pattern is no string: write "batch/],
    [{ name: 'batch', pattern: [1] }, /pattern is no string/],
    [{ name: 'batch', pattern: [] }, /0 patterns: give between 1 and 32/],
    [
      { name: 'batch', pattern: '{id}' },
      /"batch": the pattern "\{id\}" fits any cgroup: name/,
    ],
    [
      { name: 'batch', pattern: 'b', keepsEmpty: 'yes' },
      /keepsEmpty is no boolean: write true/,
    ],
    [
      { name: 'batch', pattern: 'b', grace: '5 minutes' },
      /"batch": "5 minutes" is no duration: give/,
    ],
    [{ name: 'batch', pattern: 'b', grace: 5 }, /grace is no string: write "5m"/],
    [{ name: 'batch', pattern: 'b', idForm: 'x' }, /idForm is none of plain/],
    [{ name: 'batch', pattern: 'b', idKind: 'a\nb' }, /idKind is no word/],
    [
      { name: 'batch', pattern: 'b', keepEmpty: true },
      /"keepEmpty", which is not known: there are name/,
    ],
    [{ name: 'a\x1b[2J', pattern: 'b' }, /"a\\x1b\[2J": needs a name/],
    [{ name: 'batch', pattern: 'b', toString: true }, /"toString", which is not known/],
  ];
  for (const [input, message] of wrong)
    assert.throws(
      () => defineOwnerRows([{ name: 'fine', pattern: 'fine' }, input]),
      (error) =>
        error instanceof OwnerRowError &&
        error.message.startsWith('owner row 2') &&
        message.test(error.message),
      String(message),
    );
});

test('a list is checked as a whole', () => {
  const row = { name: 'batch', pattern: 'b' };
  assert.deepEqual(defineOwnerRows([]), []);
  assert.throws(() => defineOwnerRows({}), /are no list/);
  assert.throws(
    () => defineOwnerRows([row, row]),
    /owner row 2 "batch": its name is taken/,
  );
  assert.throws(() => defineOwnerRows(new Array(501).fill(row)), /more than 500/);
});
