import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Hierarchy } from '../../../src/cgroupfs/index.js';
import {
  createEventFilter,
  HierarchyError,
  resolveHierarchy,
  resolveUnder,
  UnderError,
} from '../../../src/watch/index.js';
import { emptied, mkdir } from './fake-tracer.js';

const hierarchies: readonly Hierarchy[] = [
  { id: 0, version: 2, controllers: ['v2'], mountPoint: '/cg/unified', mountRoot: '/' },
  {
    id: 3,
    version: 1,
    controllers: ['cpu', 'cpuacct'],
    mountPoint: '/cg/cpu',
    mountRoot: '/',
  },
  {
    id: 9,
    version: 1,
    controllers: ['name=systemd'],
    mountPoint: '/cg/systemd',
    mountRoot: '/',
  },
];

test('without a choice there is no filter', () => {
  assert.equal(createEventFilter({}), undefined);
  assert.equal(createEventFilter({ under: ['/'] }), undefined);
});

test('a cgroup and all below it, and not its namesakes', () => {
  const filter = createEventFilter({ under: ['/a/b', '/c'] });
  const passed = ['/a/b', '/a/b/c', '/c/d', '/a', '/a/bc', '/x/a/b'].filter((path) =>
    filter?.(mkdir({ path, time: 0n })),
  );
  assert.deepEqual(passed, ['/a/b', '/a/b/c', '/c/d']);
});

test('choices add up', () => {
  const filter = createEventFilter({ under: ['/a'], hierarchies: [3], kinds: ['mkdir'] });
  assert.equal(filter?.(mkdir({ path: '/a', time: 0n, hierarchy: 3 })), true);
  assert.equal(filter(mkdir({ path: '/a', time: 0n, hierarchy: 0 })), false);
  assert.equal(filter(mkdir({ path: '/b', time: 0n, hierarchy: 3 })), false);
  assert.equal(filter(emptied({ path: '/a', time: 0n, hierarchy: 3 })), false);
});

test('a cgroup may be given as a path, a directory, or as it is shown', () => {
  const examples: readonly [string, readonly string[]][] = [
    ['/nomad', ['/nomad']],
    ['/nomad/', ['/nomad']],
    ['//nomad//x', ['/nomad/x']],
    ['/', ['/']],
    ['/a/../nomad/./x//', ['/nomad/x']],
    ['/..', ['/']],
    ['/cg/systemd/../cpu/nomad', ['/nomad']],
    ['/cg/systemd/nomad', ['/nomad']],
    ['/cg/systemd', ['/']],
    ['/cg', ['/']],
    ['/größe', [Buffer.from('/größe').toString('latin1')]],
    ['/a\\xff\\\\', ['/a\\xff\\\\', '/a\xff\\']],
    ['/system.slice/a\\x2db', ['/system.slice/a\\x2db', '/system.slice/a-b']],
  ];
  for (const [word, paths] of examples)
    assert.deepEqual(resolveUnder(word, hierarchies), paths, word);
  assert.throws(
    () => resolveUnder('nomad', hierarchies),
    (error: unknown) => error instanceof UnderError && error.message.includes('/nomad'),
  );
});

test('a hierarchy may be given by its id, a controller, or its name', () => {
  const examples: readonly [string, number][] = [
    ['0', 0],
    ['v2', 0],
    ['3', 3],
    ['cpuacct', 3],
    ['cpu,cpuacct', 3],
    ['systemd', 9],
    ['name=systemd', 9],
  ];
  for (const [word, id] of examples)
    assert.equal(resolveHierarchy(word, hierarchies).id, id, word);
  assert.throws(
    () => resolveHierarchy('memory', hierarchies),
    (error: unknown) =>
      error instanceof HierarchyError && error.message.includes('cpu,cpuacct (3)'),
  );
});
