import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { after, before, test } from 'node:test';
import { buildChurn } from '../support/churn.js';
import { startCgleak } from '../support/cgleak.js';
import { requireRoot } from '../support/require-root.js';
import { makeSubtree } from '../support/subtree.js';
import type { Subtree } from '../support/subtree.js';

requireRoot();

const processes = 2;
const cyclesEach = 100_000;
const churn = buildChurn();
let subtree: Subtree;

before(() => {
  subtree = makeSubtree('churn');
});

after(async () => {
  await subtree.remove();
  churn.remove();
});

test('200,000 cycles of mkdir and rmdir at full speed are all seen', async () => {
  const v2 = subtree.directories.get('v2');
  assert.ok(v2, 'v2 is mounted');
  const watch = await startCgleak('watch', '--under', subtree.path, '--new-only');
  const churners = Array.from({ length: processes }, () =>
    spawn(churn.command, ['bare', String(cyclesEach), v2], {
      stdio: ['ignore', 'ignore', 'inherit'],
    }),
  );
  const codes = await Promise.all(churners.map((churner) => once(churner, 'exit')));
  assert.deepEqual(
    codes.map(([code]) => code as unknown),
    churners.map(() => 0),
  );
  const { summary } = await watch.stop();
  assert.equal(summary?.['lost'], 0);
  assert.equal(summary['created'], processes * cyclesEach);
  assert.equal(summary['removed'], processes * cyclesEach);
  assert.equal(summary['findings'], 0);
});
