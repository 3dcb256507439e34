import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { chmodSync, mkdirSync, rmdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import {
  readHierarchies,
  takeSnapshot,
  type Hierarchy,
  type SnapshotEntry,
  type SnapshotSource,
} from '../../src/cgroupfs/index.js';
import { requireRoot } from '../support/require-root.js';
import { makeSubtree } from '../support/subtree.js';
import type { Subtree } from '../support/subtree.js';

requireRoot();

const sources: readonly SnapshotSource[] = ['iterator', 'walk'];
let subtree: Subtree;

before(() => {
  subtree = makeSubtree('snapshot');
});

after(() => subtree.remove());

function mounted(): Hierarchy[] {
  return readHierarchies().filter(({ mountPoint }) => mountPoint !== undefined);
}

function directoryIn({ mountPoint = '' }: Hierarchy): string {
  return mountPoint + subtree.path;
}

async function entriesBelow(
  hierarchy: Hierarchy,
  source: SnapshotSource,
): Promise<readonly SnapshotEntry[]> {
  const snapshot = await takeSnapshot(hierarchy, { source });
  assert.equal(snapshot.source, source);
  assert.ok(snapshot.begin < snapshot.end);
  return snapshot.entries.filter(
    ({ path }) => path === subtree.path || path.startsWith(`${subtree.path}/`),
  );
}

test('both ways show every cgroup of every hierarchy, and the same', async () => {
  const strange = Buffer.from([0x62, 0xff, 0x20, 0x5c, 0x0a ^ 0x01]);
  const sleeper = spawn('sleep', ['600'], { stdio: 'ignore' });
  try {
    for (const hierarchy of mounted()) {
      const directory = directoryIn(hierarchy);
      mkdirSync(join(directory, 'parent/child'), { recursive: true });
      mkdirSync(Buffer.concat([Buffer.from(`${directory}/`), strange]));
      mkdirSync(join(directory, 'n'.repeat(255)));
      writeFileSync(join(directory, 'parent/cgroup.procs'), String(sleeper.pid));
      const id = (name: string) => statSync(join(directory, name), { bigint: true }).ino;

      for (const source of sources) {
        const entries = await entriesBelow(hierarchy, source);
        const where = `${hierarchy.controllers.join()} by ${source}`;
        const byPath = new Map(entries.map((entry) => [entry.path, entry]));
        const at = (name: string) => byPath.get(`${subtree.path}${name}`);
        assert.equal(entries.length, 5, where);
        assert.deepEqual(
          at('/parent'),
          {
            id: id('parent'),
            parentId: id(''),
            path: `${subtree.path}/parent`,
            populated: true,
            children: 1,
          },
          where,
        );
        assert.equal(at('/parent/child')?.populated, false, where);
        assert.equal(at('/parent/child')?.parentId, id('parent'), where);
        assert.equal(at('')?.populated, true, where);
        assert.equal(at('')?.children, 3, where);
        assert.ok(at(`/${strange.toString('latin1')}`), where);
        assert.equal(at(`/${'n'.repeat(255)}`)?.id, id('n'.repeat(255)), where);
      }
    }
  } finally {
    sleeper.kill('SIGKILL');
  }
});

test('neither the depth, nor the length of paths, nor the number matters', async () => {
  const hierarchy = mounted().find(({ id }) => id === 0) ?? mounted()[0];
  assert.ok(hierarchy);
  const depth = 40;
  const wide = 12_000;
  const parent = `${directoryIn(hierarchy)}/deep`;
  // mkdir(2) takes no path of so many names of 250 bytes at once.
  const home = process.cwd();
  mkdirSync(parent);
  process.chdir(parent);
  for (let level = 0; level < depth; level++) {
    mkdirSync('d'.repeat(250));
    process.chdir('d'.repeat(250));
  }
  process.chdir(home);
  const many = `${directoryIn(hierarchy)}/many`;
  mkdirSync(many);
  for (let at = 0; at < wide; at++) mkdirSync(`${many}/${'m'.repeat(90)}${at}`);

  try {
    for (const source of sources) {
      const entries = await entriesBelow(hierarchy, source);
      const deep = entries.filter(({ path }) => path.startsWith(`${subtree.path}/deep/`));
      assert.equal(deep.length, depth, source);
      assert.equal(deep.at(-1)?.path.length, `${subtree.path}/deep`.length + depth * 251);
      const children = entries.find(
        ({ path }) => path === `${subtree.path}/many`,
      )?.children;
      assert.equal(children, wide, source);
    }
  } finally {
    for (let at = 0; at < wide; at++) rmdirSync(`${many}/${'m'.repeat(90)}${at}`);
    for (let level = depth - 1; level >= 0; level--) {
      process.chdir(parent);
      for (let down = 0; down < level; down++) process.chdir('d'.repeat(250));
      rmdirSync('d'.repeat(250));
    }
    process.chdir(home);
  }
});

test('what may not be read does not pass for empty', async () => {
  const hierarchy = mounted().find(({ version }) => version === 1);
  assert.ok(hierarchy);
  const directory = `${directoryIn(hierarchy)}/secret`;
  mkdirSync(`${directory}/below`, { recursive: true });
  chmodSync(directory, 0o700);
  const script = `
    process.setgroups([]); process.setgid(65534); process.setuid(65534);
    const { readHierarchies, takeSnapshot } = await import(process.argv[1]);
    const hierarchy = readHierarchies().find(({ id }) => id === ${hierarchy.id});
    const { source, entries, unreadable } = await takeSnapshot(hierarchy);
    const at = (path) => entries.find((entry) => entry.path === path);
    console.log(JSON.stringify({ source, unreadable,
      secret: at('${subtree.path}/secret').populated,
      below: at('${subtree.path}/secret/below') !== undefined }));
  `;
  const child = spawn(
    process.execPath,
    [
      '--input-type=module',
      '-e',
      script,
      new URL('../../dist/cgroupfs/index.js', import.meta.url).href,
    ],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  let said = '';
  for await (const chunk of child.stdout) said += String(chunk);
  const { source, unreadable, secret, below } = JSON.parse(said) as Record<
    string,
    unknown
  >;
  assert.equal(source, 'walk');
  assert.equal(secret, true);
  assert.equal(below, false);
  assert.ok(Number(unreadable) > 0);
});
