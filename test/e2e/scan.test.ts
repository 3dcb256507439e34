import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, rmdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { main, type Line } from '../support/cgleak.js';
import { requireRoot } from '../support/require-root.js';
import { makeSubtree } from '../support/subtree.js';
import type { Subtree } from '../support/subtree.js';

requireRoot();

const container = 'c0ffee'.repeat(11).slice(0, 64);
const nobody = ['setpriv', '--reuid=65534', '--regid=65534', '--clear-groups'];
let subtree: Subtree;
let sleeper: ReturnType<typeof spawn>;

/** The same in each hierarchy: an empty leaf, one of docker's, a parent, one with a task. */
before(() => {
  subtree = makeSubtree('scan');
  sleeper = spawn('sleep', ['600'], { stdio: 'ignore' });
  for (const directory of subtree.directories.values()) {
    for (const path of ['empty', `docker/${container}`, 'parent/busy'])
      mkdirSync(join(directory, path), { recursive: true });
    writeFileSync(join(directory, 'parent/busy/cgroup.procs'), String(sleeper.pid));
  }
});

after(async () => {
  sleeper.kill('SIGKILL');
  await subtree.remove();
});

function scan(args: readonly string[], prefix: readonly string[] = []) {
  const command = [...prefix, process.execPath, main, 'scan', ...args];
  const { status, stdout, stderr } = spawnSync(command[0] ?? '', command.slice(1), {
    encoding: 'utf8',
  });
  assert.equal(stderr, '');
  return { status, stdout };
}

function lines(text: string): Line[] {
  return text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Line);
}

test('each empty leaf is told once, with its hierarchies and ids', () => {
  const { status, stdout } = scan(['--json', '--under', subtree.path]);
  assert.equal(status, 0);
  const told = lines(stdout);
  const empty = told.filter(({ type }) => type === 'empty');
  assert.deepEqual(
    empty.map(({ path }) => path).sort(),
    [`${subtree.path}/docker/${container}`, `${subtree.path}/empty`].sort(),
  );
  const ids = [...subtree.directories.values()].map((directory) =>
    String(statSync(join(directory, 'empty'), { bigint: true }).ino),
  );
  const leaf = empty.find(({ path }) => path === `${subtree.path}/empty`);
  assert.deepEqual((leaf?.['ids'] as string[]).sort(), ids.sort());
  const owned = empty.find((each) => each !== leaf);
  assert.deepEqual(owned?.['owner'], {
    name: 'docker',
    idKind: 'container',
    id: container,
  });
  const total = told.at(-1);
  assert.equal(total?.type, 'scan');
  assert.equal(total['empty'], 2);
  assert.equal(total['emptyCgroups'], 2 * subtree.directories.size);
  assert.equal(total['cgroups'], 6 * subtree.directories.size);
});

test('who is nobody sees the same, by a walk', () => {
  const asRoot = lines(scan(['--json', '--under', subtree.path]).stdout);
  const asNobody = lines(scan(['--json', '--under', subtree.path], nobody).stdout);
  const leaves = (told: readonly Line[]) =>
    told.filter(({ type }) => type === 'empty').map(({ path, ids }) => ({ path, ids }));
  const byPath = (a: { path: unknown }, b: { path: unknown }) =>
    String(a.path) < String(b.path) ? -1 : 1;
  assert.deepEqual(leaves(asNobody).sort(byPath), leaves(asRoot).sort(byPath));
  const sources = (asNobody.at(-1)?.['hierarchies'] as { source: string }[]).map(
    ({ source }) => source,
  );
  assert.deepEqual([...new Set(sources)], ['walk']);
});

test('with --settle what is removed meanwhile is not told', async () => {
  const passing = [...subtree.directories.values()].map((each) => join(each, 'passing'));
  for (const directory of passing) mkdirSync(directory);
  const child = spawn(process.execPath, [
    main,
    ...['scan', '--settle', '3s', '--json', '--under', subtree.path],
  ]);
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  await sleep(1_500);
  for (const directory of passing) rmdirSync(directory);
  await new Promise((resolve) => child.once('close', resolve));
  assert.equal(lines(output).at(-1)?.['empty'], 2);
});

test('the tree shows each, the table their number, and the exit code that there are any', () => {
  const tree = scan(['--tree', '--under', subtree.path]).stdout;
  assert.match(tree, new RegExp(`^${subtree.path.slice(1)}\\n`));
  assert.match(tree, /\n {2}empty {2}empty in /);
  assert.match(tree, new RegExp(`\\n {4}${container} {2}empty in `));
  const table = scan(['--under', subtree.path, '--fail-on-leak']);
  assert.equal(table.status, 3);
  assert.match(table.stdout, /2 paths stand empty/);
  const none = scan(['--under', `${subtree.path}/parent`, '--fail-on-leak']);
  assert.equal(none.status, 0);
  assert.match(none.stdout, /No cgroup stands empty/);
});
