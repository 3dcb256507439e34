import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { startCgleak } from '../support/cgleak.js';
import type { Line, Running } from '../support/cgleak.js';
import { startDocker } from '../support/dockerd.js';
import { emptyLeaves } from '../support/empty-leaves.js';
import { openFindings } from '../support/open-findings.js';
import { makePodman } from '../support/podman.js';
import { killAll, processesBelow, processesWith, until } from '../support/processes.js';
import { requireRoot } from '../support/require-root.js';
import { makeBundle } from '../support/runc.js';
import { makeSubtree } from '../support/subtree.js';
import type { Subtree } from '../support/subtree.js';
import { unmountBelow } from '../support/unmount-below.js';

requireRoot();

/** How many containers of each runtime are killed, each a little later in its life. */
const runs = 24;
let subtree: Subtree;

before(() => {
  subtree = makeSubtree('crashes');
});

after(async () => {
  await subtree.remove();
});

function startWatch(): Promise<Running> {
  return startCgleak('watch', '--grace', '1s', '--under', subtree.path, '--new-only');
}

/**
 * Waits until the open findings are just what stands empty, and in the hierarchies
 * where it stands; the containers that still run are among the rest. Of what the
 * runtimes keep on purpose nothing may be told.
 */
async function settled(
  watch: Running,
  owner: string,
  isKept: (path: string) => boolean = () => false,
): Promise<Map<string, Line>> {
  const expected = () =>
    new Map(
      [...emptyLeaves(subtree)]
        .filter(([path]) => !isKept(path))
        .sort(([a], [b]) => a.localeCompare(b)),
    );
  const told = () =>
    new Map(
      [...openFindings(watch.lines)]
        .map(([path, line]): [string, string[]] => [
          path,
          [...(line['left'] as string[])].sort(),
        ])
        .sort(([a], [b]) => a.localeCompare(b)),
    );
  try {
    await until(
      'the findings',
      () => JSON.stringify([...told()]) === JSON.stringify([...expected()]),
    );
  } catch {
    assert.deepEqual(told(), expected());
  }
  const open = openFindings(watch.lines);
  for (const [path, line] of open) {
    assert.equal((line['owner'] as { name: string } | undefined)?.name, owner, path);
  }
  return open;
}

for (const runtime of ['runc', 'crun'] as const) {
  test(`${runtime}, killed at ${runs} moments of a start: what is left is told, and nothing else`, async () => {
    const bundle = makeBundle(runtime);
    const watch = await startWatch();
    const containers = new Set<string>();
    try {
      for (let run = 0; run < runs; run++) {
        const id = randomBytes(32).toString('hex');
        const cgroup = `${subtree.path}/${id}`;
        const isMade = () =>
          [...subtree.directories.values()].some((directory) =>
            existsSync(join(directory, id)),
          );
        const process = bundle.start(id, { cgroup, command: ['sleep', '1000'] });
        const ended = once(process, 'exit');
        await until(`the cgroup of ${id}`, isMade);
        await sleep(run * 3);
        process.kill('SIGKILL');
        await ended;
        containers.add(cgroup);
      }
      // Of the containers that run without their runtime, some end.
      const survivors = processesBelow(subtree);
      await killAll(survivors.filter((_, index) => index % 2 === 0));
      const open = await settled(watch, 'container');
      assert.ok(open.size > 0, 'Not one cgroup was left: nothing is tested');

      await killAll(processesBelow(subtree));
      const all = await settled(watch, 'container');
      assert.ok(all.size >= open.size);
      const { summary } = await watch.stop();
      assert.equal(summary?.['lost'], 0);
      assert.equal(summary['open'], all.size);
    } finally {
      await killAll(processesBelow(subtree));
      await killAll(processesWith(bundle.folder));
      bundle.remove();
      await subtree.empty();
    }
  });
}

test('docker, its shim and its daemon killed: what is left is told as docker’s', async () => {
  const parent = `${subtree.path}/docker`;
  const watch = await startWatch();
  const docker = await startDocker();
  try {
    const ids = Array.from({ length: 4 }, () => docker.start(parent, 'sleep', '1000'));
    const pids = ids.map((id) => docker.pid(id));
    const [withoutShim] = ids;
    assert.ok(withoutShim !== undefined);
    await killAll(
      processesWith('containerd-shim').filter((pid) => isOf(pid, withoutShim)),
    );
    await docker.kill();

    // Two of the containers that nobody looks after any more end, and two go on.
    await killAll(pids.slice(1, 3));
    await killAll(processesWith(docker.folder));
    const isDockers = (path: string) => path === parent;
    await settled(watch, 'docker', isDockers);
    await killAll(pids);
    const all = await settled(watch, 'docker', isDockers);
    assert.ok(all.size > 0, 'Not one cgroup was left: nothing is tested');
    for (const [path, line] of all) {
      const { id } = line['owner'] as { id: string };
      assert.equal(path, `${parent}/${id}`);
      assert.ok(ids.includes(id));
    }
    await watch.stop();
  } finally {
    await killAll(processesWith(docker.folder));
    await subtree.empty();
    unmountBelow(docker.folder);
    rmSync(docker.folder, { recursive: true });
  }
});

test('podman, its conmon killed: what is left is told as podman’s', async () => {
  const parent = `${subtree.path}/podman`;
  const watch = await startWatch();
  const podman = makePodman();
  try {
    const ids = Array.from({ length: 3 }, () => podman.start(parent, 'sleep', '1000'));
    const pids = ids.map((id) => podman.pid(id));
    const monitors = processesWith('conmon').filter((pid) =>
      ids.some((id) => isOf(pid, id)),
    );
    assert.ok(monitors.length >= ids.length, 'Not every container has its conmon');
    await killAll(monitors);
    await killAll(pids.slice(0, 2));
    const isPodmans = (path: string) => path === parent || path === `${parent}/conmon`;
    const open = await settled(watch, 'podman', isPodmans);
    assert.equal(open.size, 2);
    await killAll(pids);
    const all = await settled(watch, 'podman', isPodmans);
    assert.equal(all.size, 3);
    for (const [path, line] of all) {
      const { id } = line['owner'] as { id: string };
      assert.equal(path, `${parent}/libpod-${id}`);
      assert.ok(ids.includes(id));
    }
    await watch.stop();
  } finally {
    await killAll(processesWith(podman.folder));
    await subtree.empty();
    podman.remove();
  }
});

function isOf(pid: number, id: string): boolean {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'latin1').includes(id);
  } catch {
    return false;
  }
}
