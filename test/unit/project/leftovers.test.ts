import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, rmdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { watchLeftovers } from '../../../scripts/lib/leftovers.mjs';

test('a process and a file that a test leaves are named, until they are gone', async () => {
  const leftovers = watchLeftovers();
  const child = spawn('sleep', ['60'], { env: { ...process.env, ...leftovers.env } });
  await once(child, 'spawn');
  const file = join(leftovers.folder, 'cgleak-some');
  mkdirSync(file);
  const found = await leftovers.end();
  child.kill();
  await once(child, 'exit');
  rmdirSync(file);

  assert.deepEqual([...found].sort(), [
    `file ${file}`,
    `process ${String(child.pid)}: sleep 60`,
  ]);
  assert.deepEqual(await leftovers.end(), []);
  assert.equal(existsSync(leftovers.folder), false);
});
