import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { startCgleak } from '../support/cgleak.js';
import { requireRoot } from '../support/require-root.js';
import { makeSubtree } from '../support/subtree.js';
import type { Subtree } from '../support/subtree.js';

requireRoot();

/** Controllers that the host may not have mounted, to come to Nomad's 13 hierarchies. */
const more = ['perf_event', 'net_cls', 'net_prio', 'hugetlb'];
const mounts = new Map<string, string>();
let subtree: Subtree;

before(() => {
  for (const controller of more) {
    const directory = mkdtempSync(join(tmpdir(), 'cgleak-mount-'));
    const options = ['-t', 'cgroup', '-o', controller, 'cgroup', directory];
    // One that is in use, on v2 for instance, can't be mounted: the rest will do.
    if (spawnSync('mount', options, { stdio: 'ignore' }).status === 0)
      mounts.set(controller, directory);
    else rmdirSync(directory);
  }
  subtree = makeSubtree('partial');
});

after(async () => {
  await subtree.remove();
  for (const [controller, directory] of mounts) {
    // A hierarchy goes with its mount only once its cgroups are released.
    for (let tries = 0; cgroupsOf(controller) > 1 && tries < 100; tries++)
      await sleep(50);
    execFileSync('umount', [directory]);
    rmdirSync(directory);
  }
});

/** How many cgroups the controller's hierarchy has, its root and dying ones included. */
function cgroupsOf(controller: string): number {
  const lines = readFileSync('/proc/cgroups', 'utf8').split('\n');
  return Number(lines.find((line) => line.startsWith(`${controller}\t`))?.split('\t')[2]);
}

test("Nomad's leak, removed from all hierarchies but one, is one finding that lists both", async () => {
  const watch = await startCgleak(
    'watch',
    '--grace',
    '1s',
    '--under',
    subtree.path,
    '--new-only',
  );
  const names = [...subtree.directories.keys()];
  const kept = names.find((name) => name.startsWith('name=')) ?? 'v2';
  const task = '94715179-b709-3010-3b91-21c477e6fbad';
  const directories = names.map((name) =>
    join(subtree.directories.get(name) ?? '', task),
  );

  for (const directory of directories) mkdirSync(directory);
  const enter = directories.map((directory) => `echo $$ > ${directory}/cgroup.procs`);
  const shell = spawnSync('sh', ['-c', [...enter, 'exit 7'].join(' && ')]);
  assert.equal(shell.status, 7, shell.stderr.toString());
  for (const [at, directory] of directories.entries()) {
    if (names[at] !== kept) rmdirSync(directory);
  }

  const finding = await watch.waitFor('the finding', ({ type }) => type === 'finding');
  assert.equal(finding['path'], `${subtree.path}/${task}`);
  assert.equal(finding['finding'], 'partial');
  assert.deepEqual(finding['left'], [kept]);
  assert.deepEqual(
    [...(finding['removed'] as string[])].sort(),
    names.filter((name) => name !== kept).sort(),
  );
  const lastTask = finding['lastTask'] as Record<string, unknown>;
  assert.equal(lastTask['pid'], shell.pid);
  assert.equal(lastTask['exitCode'], 7);
  assert.equal((finding['creator'] as { pid: number }).pid, process.pid);

  rmdirSync(join(subtree.directories.get(kept) ?? '', task));
  const closed = await watch.waitFor('its end', ({ state }) => state === 'closed');
  assert.equal(closed['reason'], 'removed');
  const { lines, summary } = await watch.stop();
  assert.equal(lines.filter(({ state }) => state === 'opened').length, 1);
  assert.equal(summary?.['findings'], 1);
});
