import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { startCgleak } from '../support/cgleak.js';
import { requireRoot } from '../support/require-root.js';
import { makeSubtree } from '../support/subtree.js';
import type { Subtree } from '../support/subtree.js';

requireRoot();

const count = 12;
let subtree: Subtree;
let folder: string;

before(() => {
  subtree = makeSubtree('dying');
  // The page cache keeps them, whatever file system that is.
  folder = mkdtempSync('/var/tmp/cgleak-dying-');
});

after(async () => {
  rmSync(folder, { recursive: true, force: true });
  await subtree.remove();
});

function memoryDirectory(): string {
  const directory = subtree.directories.get('memory');
  assert.ok(directory !== undefined, 'the test needs the v1 memory hierarchy');
  return directory;
}

/** A task that writes a file in a cgroup of its own, which is removed after it. */
function writeIn(name: string, kibibytes: number): string {
  const directory = join(memoryDirectory(), name);
  const file = join(folder, name);
  mkdirSync(directory);
  const { status, stderr } = spawnSync('sh', [
    '-c',
    `echo $$ > '${directory}/cgroup.procs' && exec dd if=/dev/zero of='${file}' bs=1024 count=${kibibytes} status=none`,
  ]);
  assert.equal(status, 0, stderr.toString());
  rmdirSync(directory);
  return file;
}

test('memory cgroups that the page cache keeps are told, and that they are released', async () => {
  const watch = await startCgleak('watch', '--grace', '2s', '--under', subtree.path);
  const files = Array.from({ length: count }, (_, at) => writeIn(`task-${at}`, 1024));

  const opened = await watch.waitFor(
    'the finding',
    ({ finding }) => finding === 'dying',
    60_000,
  );
  assert.equal(opened['state'], 'opened');
  assert.equal(opened['path'], subtree.path);
  const dying = opened['dying'] as Record<string, unknown>;
  assert.deepEqual(dying['hierarchies'], ['memory']);
  assert.ok((dying['cgroups'] as number) >= 10 && (dying['cgroups'] as number) <= count);
  // 12 files of a mebibyte, if all have been counted by now; much of it in any case.
  const pinned = dying['pinnedBytes'] as number;
  assert.ok(pinned >= 6 * 2 ** 20 && pinned < 64 * 2 ** 20, String(pinned));
  assert.equal((opened['removedBy'] as { pid: number }).pid, process.pid);

  // With the files goes what the page cache has of them.
  for (const file of files) rmSync(file);
  const closed = await watch.waitFor(
    'its end',
    ({ finding, state }) => finding === 'dying' && state === 'closed',
    60_000,
  );
  assert.equal(closed['reason'], 'released');
  assert.equal(closed['key'], opened['key']);
  const { summary } = await watch.stop();
  assert.equal(summary?.['findings'], 1);
  assert.equal(summary['open'], 0);
});

test('what is not released when the watch ends is in its summary', async () => {
  const watch = await startCgleak('watch', '--grace', '1s', '--under', subtree.path);
  const files = ['a', 'b', 'c'].map((name) => writeIn(name, 64));
  const later = await startCgleak('watch', '--grace', '1s', '--under', subtree.path);
  // Once its grace is over, theirs is as well.
  const marker = join(memoryDirectory(), 'marker');
  mkdirSync(marker);
  await watch.waitFor('the marker', ({ finding }) => finding === 'unused', 60_000);
  rmdirSync(marker);
  const { summary, lines } = await watch.stop();
  assert.equal(summary?.['dying'], 3);
  assert.ok(!lines.some(({ finding }) => finding === 'dying'), 'few, and little in them');
  const { summary: summaryLater } = await later.stop();
  assert.equal(summaryLater?.['dying'], undefined, 'they were removed before it');
  for (const file of files) rmSync(file);
});

test('cgroups that are released at once are no finding', async () => {
  const watch = await startCgleak('watch', '--grace', '3s', '--under', subtree.path);
  for (let at = 0; at < 50; at++) {
    for (const directory of subtree.directories.values()) {
      const cgroup = join(directory, `quick-${at}`);
      mkdirSync(cgroup);
      const inside = spawnSync('sh', ['-c', `echo $$ > '${cgroup}/cgroup.procs'`]);
      assert.equal(inside.status, 0, inside.stderr.toString());
      rmdirSync(cgroup);
    }
  }
  const marker = join(memoryDirectory(), 'marker');
  mkdirSync(marker);
  await watch.waitFor('the marker', ({ finding }) => finding === 'unused', 60_000);
  rmdirSync(marker);
  const { lines, summary } = await watch.stop();
  assert.equal(summary?.['removed'], 50 * subtree.directories.size + 1);
  assert.deepEqual(
    lines.filter(({ finding }) => finding === 'dying'),
    [],
  );
});
