import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { dyingDescendants, dyingMemory } from '../../../src/cgroupfs/index.js';
import type { Hierarchy } from '../../../src/cgroupfs/index.js';

let root: string;

before(() => {
  root = mkdtempSync(join(tmpdir(), 'cgleak-dying-'));
  for (const folder of ['a', 'a/x', 'a/y']) mkdirSync(join(root, folder));
});

after(() => {
  rmSync(root, { recursive: true });
});

function write(files: Readonly<Record<string, string | number>>): void {
  for (const [name, text] of Object.entries(files))
    writeFileSync(join(root, name), `${text}\n`);
}

const hierarchy = (version: 1 | 2, controllers: readonly string[]): Hierarchy => ({
  id: 4,
  version,
  controllers,
  mountPoint: root,
});

test('on v1 what is charged, less its own and that of the children', () => {
  const memory = hierarchy(1, ['memory']);
  write({
    'a/memory.usage_in_bytes': 1000,
    'a/memory.stat': 'cache 100\nrss 20\ntotal_cache 900\ntotal_rss 50',
    'a/x/memory.usage_in_bytes': 300,
    'a/y/memory.usage_in_bytes': 80,
  });
  assert.equal(dyingMemory(memory, '/a'), 500);
  write({ 'a/y/memory.usage_in_bytes': 800 });
  assert.equal(dyingMemory(memory, '/a'), 0, 'never less than nothing');
  assert.equal(dyingMemory(memory, '/'), undefined);
  assert.equal(dyingMemory(memory, '/gone'), undefined);
  assert.equal(dyingMemory(hierarchy(1, ['pids']), '/a'), undefined);
  assert.equal(dyingDescendants(memory, '/a'), undefined);
});

test('on v2 likewise, and how many the kernel counts', () => {
  const unified = hierarchy(2, ['v2']);
  assert.equal(dyingMemory(unified, '/a'), undefined, 'no memory controller');
  // A child without the file counts nothing.
  write({ 'a/memory.current': 1000, 'a/x/memory.current': 300 });
  write({ 'a/cgroup.stat': 'nr_descendants 2\nnr_dying_descendants 17' });
  assert.equal(dyingMemory(unified, '/a'), 700);
  assert.equal(dyingDescendants(unified, '/a'), 17);
  assert.equal(dyingDescendants(unified, '/gone'), undefined);
});
