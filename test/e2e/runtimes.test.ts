import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { after, before, test } from 'node:test';
import { startCgleak } from '../support/cgleak.js';
import type { Line } from '../support/cgleak.js';
import { startDocker } from '../support/dockerd.js';
import type { Docker } from '../support/dockerd.js';
import { requireRoot } from '../support/require-root.js';
import { makeBundle } from '../support/runc.js';
import type { Bundle } from '../support/runc.js';
import { makeSubtree } from '../support/subtree.js';
import type { Subtree } from '../support/subtree.js';

requireRoot();

let subtree: Subtree;
let bundle: Bundle;

before(() => {
  subtree = makeSubtree('runtimes');
  bundle = makeBundle();
});

after(async () => {
  await subtree.remove();
  bundle.remove();
});

interface Person {
  readonly pid: number;
  readonly comm: string;
}

function findings(lines: readonly Line[]): Line[] {
  return lines.filter(({ type }) => type === 'finding');
}

test('a container that runc started and nobody deletes is told once, with who and how', async () => {
  const watch = await startCgleak(
    'watch',
    '--grace',
    '1s',
    '--under',
    subtree.path,
    '--new-only',
  );
  const killed = new Map<string, number>();
  for (const id of ['first', 'second', 'third']) {
    const cgroup = `${subtree.path}/${id}`;
    bundle.run(id, { cgroup, command: ['sleep', '1000'], detach: true });
    const pid = bundle.pid(id);
    process.kill(pid, 'SIGKILL');
    killed.set(cgroup, pid);
  }

  for (const [cgroup, pid] of killed) {
    const finding = await watch.waitFor(
      `the finding of ${cgroup}`,
      ({ type, path }) => type === 'finding' && path === cgroup,
    );
    assert.equal(finding['state'], 'opened');
    assert.equal(finding['finding'], 'abandoned');
    assert.deepEqual(
      [...(finding['left'] as string[])].sort(),
      [...subtree.directories.keys()].flatMap((name) => name.split(',')).sort(),
    );
    assert.deepEqual(finding['removed'], []);
    assert.equal(finding['preexisting'], false);
    const creator = finding['creator'] as Person & { ancestors: Person[] };
    assert.ok(
      [creator, ...creator.ancestors].some(({ comm }) => comm === 'runc'),
      JSON.stringify(creator),
    );
    const lastTask = finding['lastTask'] as Person & {
      exitCode: unknown;
      signal: unknown;
    };
    assert.equal(lastTask.pid, pid);
    assert.equal(lastTask.comm, 'sleep');
    assert.equal(lastTask.exitCode, null);
    assert.equal(lastTask.signal, 'SIGKILL');
  }

  // Long enough for a second report of the same, if there were one.
  await sleep(2500);
  const { code, summary, lines } = await watch.stop();
  assert.equal(code, 0);
  assert.equal(findings(lines).length, killed.size);
  assert.equal(summary?.['findings'], killed.size);
  assert.equal(summary['lost'], 0);
});

test('50 ordinary runs of runc leave no finding at the default grace', async () => {
  const watch = await startCgleak('watch', '--under', subtree.path, '--new-only');
  for (let run = 0; run < 50; run++) {
    bundle.run(`run-${run}`, { cgroup: `${subtree.path}/run-${run}`, command: ['true'] });
  }
  await sleep(31_000);
  const { summary, lines } = await watch.stop();
  assert.deepEqual(findings(lines), []);
  assert.ok((summary?.['created'] as number) >= 50 * subtree.directories.size);
  assert.equal(summary?.['removed'], summary?.['created']);
});

test('20 ordinary runs of docker leave no finding at the default grace', async () => {
  let docker: Docker | undefined;
  const watch = await startCgleak('watch', '--under', subtree.path, '--new-only');
  try {
    docker = await startDocker();
    for (let run = 0; run < 20; run++) docker.run(subtree.path, '/bin/true');
    await sleep(31_000);
  } finally {
    await docker?.stop();
  }
  const { summary, lines } = await watch.stop();
  assert.deepEqual(findings(lines), []);
  assert.ok((summary?.['created'] as number) >= 20 * subtree.directories.size);
  assert.equal(summary?.['removed'], summary?.['created']);
});
