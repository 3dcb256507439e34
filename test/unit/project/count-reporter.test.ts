import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const reporter = fileURLToPath(
  new URL('../../../scripts/lib/count-reporter.mjs', import.meta.url),
);
const name = 'some.test.mjs';
let folder: string;

before(() => {
  folder = mkdtempSync(join(tmpdir(), 'cgleak-counts-'));
});

after(() => {
  rmSync(folder, { recursive: true });
});

/** What the reporter counts in a test file with this body. */
async function countsOf(body: string): Promise<unknown> {
  const file = join(folder, name);
  writeFileSync(
    file,
    `import assert from 'node:assert'; import { describe, it, test } from 'node:test'; ${body}`,
  );
  const args = ['--test', `--test-reporter=${reporter}`, file];
  // Otherwise it takes itself for a test file of this run.
  const env = { ...process.env, NODE_TEST_CONTEXT: undefined };
  const ended = await promisify(execFile)(process.execPath, args, { env }).catch(
    (error: unknown) => error as { stdout: string },
  );
  const text = ended.stdout.replaceAll(file, name);
  return JSON.parse(text);
}

test('tests are counted, suites are not', async () => {
  assert.deepEqual(
    await countsOf(`test('a', () => {});
      describe('suite', () => { it('b', () => {}); it('c', () => assert.fail()); });`),
    { passed: 2, failed: ['c'], skipped: [], files: [name] },
  );
});

test('what was skipped, or is to do, is named and did not pass', async () => {
  assert.deepEqual(
    await countsOf(`test('a', { skip: 'no root' }, () => {}); test.todo('b');
      describe.skip('suite', () => { it('c', () => {}); }); test('d', (t) => t.skip());`),
    { passed: 0, failed: [], skipped: ['a', 'b', 'suite', 'd'], files: [name] },
  );
});

test('a file without a test is not among the files, nor one that ends before its tests', async () => {
  const expected = { passed: 0, failed: [], skipped: [], files: [] };
  assert.deepEqual(await countsOf(''), expected);
  assert.deepEqual(await countsOf(`test('a', () => {}); process.exit(0);`), expected);
});

test('a file that throws fails', async () => {
  assert.deepEqual(await countsOf(`throw new Error('no root');`), {
    passed: 0,
    failed: [name],
    skipped: [],
    files: [name],
  });
});
