import assert from 'node:assert/strict';
import { mkdirSync, rmdirSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { withShortPath } from '../../src/cgroupfs/index.js';
import { startCgleak } from '../support/cgleak.js';
import { openFindings } from '../support/open-findings.js';
import { requireRoot } from '../support/require-root.js';
import { makeSubtree } from '../support/subtree.js';
import type { Subtree } from '../support/subtree.js';

requireRoot();

let subtree: Subtree;
let top: string;

before(() => {
  subtree = makeSubtree('long');
  top = subtree.directories.get('v2') ?? assert.fail('v2 is mounted');
});

after(() => subtree.remove());

function make(directory: string): void {
  withShortPath(Buffer.from(directory), (short) => {
    mkdirSync(short);
  });
}

/** Makes cgroups below each other until the path of the last has that length. */
function makeDeep(length: number): string {
  let path = subtree.path;
  while (path.length < length) {
    const size = Math.min(200, length - path.length - 1);
    path += `/${'n'.repeat(size)}`;
    make(top + path.slice(subtree.path.length));
  }
  assert.equal(path.length, length);
  return path;
}

test('a directory whose path is too long for the kernel is looked at all the same', async () => {
  const watch = await startCgleak(
    ...['watch', '--grace', '1s', '--parents', '--hierarchy', 'v2'],
    ...['--under', subtree.path],
  );
  // With its mount point before it, it is longer than any path may be.
  const deep = makeDeep(4_090);
  const directory = top + deep.slice(subtree.path.length);
  assert.ok(directory.length > 4_096);
  // The path of this one no event can carry: it is known by looking alone.
  make(`${directory}/child`);
  const beside = `${deep.slice(0, deep.lastIndexOf('/'))}/beside`;
  make(top + beside.slice(subtree.path.length));

  const told = await watch.waitFor('the leaf', ({ path }) => path === beside);
  assert.equal(told['finding'], 'unused');
  assert.deepEqual([...openFindings(watch.lines).keys()], [beside]);

  withShortPath(Buffer.from(`${directory}/child`), (short) => {
    rmdirSync(short);
  });
  await watch.waitFor('the parent, once it is empty', ({ path }) => path === deep);
  await watch.stop();
});
