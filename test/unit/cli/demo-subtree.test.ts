import assert from 'node:assert/strict';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import type { TestContext } from 'node:test';
import type { Hierarchy } from '../../../src/cgroupfs/index.js';
import {
  createDemoSubtree,
  removeStaleSubtrees,
} from '../../../src/cli/demo/demo-subtree.js';
import { HostError } from '../../../src/cli/host-error.js';

/** Directories that stand for mounted hierarchies. */
function fakeHierarchies(context: TestContext, ...names: readonly string[]) {
  const root = mkdtempSync(join(tmpdir(), 'cgleak-demo-test-'));
  context.after(() => {
    rmSync(root, { recursive: true });
  });
  const hierarchies = names.map((name, id): Hierarchy => {
    mkdirSync(join(root, name));
    return {
      id,
      version: name === 'v2' ? 2 : 1,
      controllers: [name],
      mountPoint: join(root, name),
      mountRoot: '/',
    };
  });
  return { root, hierarchies };
}

/** The pid namespace of a host. */
const host = 'pid:[4026531836]';

/** Higher than any pid that the kernel gives. */
const deadPid = 4_194_305;

test('the subtree is made in every hierarchy, and all of it is removed', async (context) => {
  const { root, hierarchies } = fakeHierarchies(context, 'v2', 'memory', 'name=systemd');
  const subtree = createDemoSubtree(hierarchies, 42, host);
  assert.equal(subtree.path, '/cgleak-demo-42');
  assert.deepEqual(subtree.kept.controllers, ['name=systemd']);
  for (const hierarchy of hierarchies) {
    mkdirSync(subtree.directory(hierarchy, 'task-1'));
    mkdirSync(subtree.directory(hierarchy, 'task-2'));
  }
  assert.ok(existsSync(join(root, 'memory/cgleak-demo-42/task-2')));
  assert.deepEqual(await subtree.remove(), []);
  for (const name of readdirSync(root))
    assert.deepEqual(readdirSync(join(root, name)), []);
});

test('without name=systemd the last hierarchy keeps the leak', (context) => {
  const { hierarchies } = fakeHierarchies(context, 'v2', 'memory');
  assert.deepEqual(createDemoSubtree(hierarchies, 42, host).kept.controllers, ['memory']);
  const alone = createDemoSubtree(fakeHierarchies(context, 'v2').hierarchies, 42, host);
  assert.match(alone.forgets, /not at all/);
});

test('a hierarchy that refuses is left out with a word', (context) => {
  const { root, hierarchies } = fakeHierarchies(context, 'v2');
  const broken: Hierarchy = {
    id: 4,
    version: 1,
    controllers: ['memory'],
    mountPoint: join(root, 'not-there'),
  };
  const unmounted: Hierarchy = { id: 9, version: 1, controllers: ['pids'] };
  const subtree = createDemoSubtree([...hierarchies, broken, unmounted], 42, host);
  assert.equal(subtree.hierarchies.length, 1);
  assert.match(
    subtree.leftOut.join(' '),
    /memory is left out: ENOENT\. pids is left out/,
  );
  assert.throws(() => createDemoSubtree([broken, unmounted], 42, host), HostError);
});

test('what dead demos left is removed, and nothing else', (context) => {
  const { root, hierarchies } = fakeHierarchies(context, 'v2');
  const make = (path: string) => mkdirSync(join(root, 'v2', path), { recursive: true });
  make(`cgleak-demo-${deadPid}/task-1`);
  make(`cgleak-demo-${deadPid}/task-2`);
  make(`cgleak-demo-${process.pid}/task-1`);
  make(`cgleak-demo-${deadPid + 1}/somebody-elses`);
  make('cgleak-demo-x/task-1');
  make('nomad/task-1');
  assert.equal(removeStaleSubtrees(hierarchies, host), 3);
  const kept = [process.pid, deadPid + 1, 'x'].map((end) => `cgleak-demo-${end}`);
  assert.deepEqual(readdirSync(join(root, 'v2')).sort(), [...kept, 'nomad'].sort());
});

test('at the end of the process all goes that can go', (context) => {
  const { root, hierarchies } = fakeHierarchies(context, 'v2', 'memory');
  const subtree = createDemoSubtree(hierarchies, 42, host);
  for (const hierarchy of hierarchies) mkdirSync(subtree.directory(hierarchy, 'task-1'));
  // As busy as a cgroup with a task in it.
  writeFileSync(join(root, 'v2/cgleak-demo-42/task-1/file'), '');
  subtree.removeNow();
  assert.deepEqual(readdirSync(join(root, 'v2/cgleak-demo-42')), ['task-1']);
  assert.deepEqual(readdirSync(join(root, 'memory')), []);
});

test('a cpuset gets the CPUs and memory nodes of its parent', (context) => {
  const { root, hierarchies } = fakeHierarchies(context, 'cpuset');
  for (const [file, text] of [
    ['cpuset.cpus', '0-1\n'],
    ['cpuset.mems', '0\n'],
  ] as const)
    writeFileSync(join(root, 'cpuset', file), text);
  createDemoSubtree(hierarchies, 42, host);
  assert.deepEqual(readdirSync(join(root, 'cpuset/cgleak-demo-42')).sort(), [
    'cgroup.clone_children',
    'cpuset.cpus',
    'cpuset.mems',
  ]);
});

test('demos in other pid namespaces are let alone: their pids say nothing here', (context) => {
  const { root, hierarchies } = fakeHierarchies(context, 'v2');
  const container = 'pid:[4026532001]';
  const { path } = createDemoSubtree(hierarchies, deadPid, container);
  assert.equal(path, `/cgleak-demo-4026532001-${deadPid}`);
  createDemoSubtree(hierarchies, deadPid, host);
  assert.equal(removeStaleSubtrees(hierarchies, 'pid:[4026532002]'), 0);
  assert.equal(removeStaleSubtrees(hierarchies, host), 1);
  assert.deepEqual(readdirSync(join(root, 'v2')), [path.slice(1)]);
  assert.equal(removeStaleSubtrees(hierarchies, container), 1);
  assert.deepEqual(readdirSync(join(root, 'v2')), []);
});
