import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { buildChurn } from '../support/churn.js';
import { startCgleak, type Line, type Running } from '../support/cgleak.js';
import { openFindings } from '../support/open-findings.js';
import { requireRoot } from '../support/require-root.js';
import { makeSubtree } from '../support/subtree.js';
import type { Subtree } from '../support/subtree.js';

requireRoot();

const churned = 300_000;
const timeoutMs = 120_000;
const churn = buildChurn();
let subtree: Subtree;

before(() => {
  subtree = makeSubtree('lost');
});

after(async () => {
  await subtree.remove();
  churn.remove();
});

/** The names of directories in a cgroup's. */
function children(directory: string): string[] {
  return readdirSync(directory, { withFileTypes: true })
    .filter((each) => each.isDirectory())
    .map(({ name }) => name)
    .sort();
}

async function leak(directory: string, count: number): Promise<void> {
  const churner = spawn(churn.command, ['leaky', String(count), directory], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const [code] = (await once(churner, 'exit')) as [number | null];
  assert.equal(code, 0);
}

/** What the findings say stands empty now. */
function standing({ lines }: Running): string[] {
  return [...openFindings(lines).keys()]
    .map((path) => path.split('/').at(-1) ?? '')
    .sort();
}

const isReconciled = ({ state }: Line) => state === 'reconciled';

test('with a ring of 4 KiB most of 300,000 cgroups are lost, and nothing of the truth', async () => {
  const directory = subtree.directories.get('v2');
  assert.ok(directory, 'v2 is mounted');
  mkdirSync(join(directory, 'before'));
  const watch = await startCgleak(
    ...['watch', '--grace', '1s', '--under', subtree.path, '--hierarchy', 'v2'],
    ...['--ring-size', '4096'],
  );
  const start = await watch.waitFor('the first look', isReconciled);
  assert.equal(start['reason'], 'start');
  const sleeper = spawn('sleep', ['600'], { stdio: 'ignore' });

  try {
    const churning = leak(directory, churned);
    await watch.waitFor('a loss', ({ state }) => state === 'lost', timeoutMs);
    // Its own events may be lost or not.
    mkdirSync(join(directory, 'busy'));
    writeFileSync(join(directory, 'busy/cgroup.procs'), String(sleeper.pid));
    await churning;
    const left = children(directory).filter((name) => name !== 'busy');
    assert.equal(left.length, churned / 500 + 1);

    await watch.waitFor(
      'all that was left',
      () => standing(watch).length === left.length,
      timeoutMs,
    );
    assert.deepEqual(standing(watch), left);
    const before = watch.lines.find(({ path }) => path === `${subtree.path}/before`);
    assert.equal(before?.['preexisting'], true);
    const unseen = watch.lines.filter(({ unseen: isUnseen }) => isUnseen === true);
    assert.ok(unseen.every(({ preexisting }) => preexisting === false));
    assert.ok(unseen.length > 0, 'some were made while events were lost');

    // And again, while half of them go.
    const second = leak(directory, churned / 10);
    for (const name of left.filter((_, at) => at % 2 === 0))
      rmdirSync(join(directory, name));
    await second;
    const rest = children(directory).filter((name) => name !== 'busy');
    await watch.waitFor(
      'what was left then',
      () => JSON.stringify(standing(watch)) === JSON.stringify(rest),
      timeoutMs,
    );

    const { summary, lines } = await watch.stop();
    assert.ok(Number(summary?.['lost']) > churned / 2, String(summary?.['lost']));
    assert.equal(summary?.['open'], rest.length);
    const opened = lines
      .filter(({ state }) => state === 'opened')
      .map(({ path }) => path);
    assert.equal(new Set(opened).size, opened.length, 'each is told once');
    assert.ok(!opened.includes(`${subtree.path}/busy`));
    const reconciled = lines.filter(({ reason }) => reason === 'loss');
    assert.ok(reconciled.some(({ found }) => Number(found) > 0));
  } finally {
    watch.process.kill('SIGKILL');
    sleeper.kill('SIGKILL');
  }
});
