import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createHierarchyTable } from '../../../src/cgroupfs/index.js';
import type { Ownership } from '../../../src/owners/index.js';
import { findEmptyLeaves } from '../../../src/watch/empty-leaves.js';
import { groupLeaves, type OwnedLeaf } from '../../../src/watch/scan-groups.js';

const table = createHierarchyTable();
/** A hierarchy that no host has: the directories of its cgroups can't be looked at. */
const nowhere = 9_999;

function leaf(path: string, id: bigint, owner?: string): OwnedLeaf {
  const ownership: Ownership | undefined =
    owner === undefined
      ? undefined
      : { owner, keepsEmpty: false, isWholeParent: false, outlives: false };
  return { path, members: [{ hierarchy: nowhere, id }], owner: ownership };
}

test('leaves are grouped by owner, else by parent, the most first', () => {
  const groups = groupLeaves(
    [
      leaf('/a', 9n),
      leaf('/pods/one/x', 8n, 'box'),
      leaf('/pods/two/y', 3n, 'box'),
      leaf('/docker/z', 7n, 'docker'),
      leaf('/b/c', 6n),
      leaf('/b/d', 5n),
    ],
    table,
  );
  assert.deepEqual(
    groups.map(({ owner, parent, leaves, oldest }) => ({
      owner,
      parent,
      paths: leaves.map(({ path }) => path),
      oldest: oldest.path,
    })),
    [
      {
        owner: undefined,
        parent: '/b',
        paths: ['/b/c', '/b/d'],
        oldest: '/b/d',
      },
      {
        owner: 'box',
        parent: undefined,
        paths: ['/pods/one/x', '/pods/two/y'],
        oldest: '/pods/two/y',
      },
      { owner: undefined, parent: '/', paths: ['/a'], oldest: '/a' },
      { owner: 'docker', parent: '/docker', paths: ['/docker/z'], oldest: '/docker/z' },
    ],
  );
});

test('a path that is in use in one hierarchy is empty in none', () => {
  const entry = { id: 1n, parentId: 0n, populated: false, children: 0 };
  const snapshot = (hierarchy: number, entries: object[]) =>
    ({ hierarchy, root: '/', source: 'walk', unreadable: 0, entries }) as never;
  const leaves = findEmptyLeaves(
    [
      snapshot(1, [
        { ...entry, path: '/used' },
        { ...entry, path: '/empty' },
        { ...entry, path: '/parent' },
        { ...entry, path: '/outside' },
      ]),
      snapshot(2, [
        { ...entry, path: '/used', populated: true },
        { ...entry, path: '/empty', id: 7n },
        { ...entry, path: '/parent', children: 1 },
      ]),
    ],
    (path) => path !== '/outside',
  );
  assert.deepEqual(leaves, [
    {
      path: '/empty',
      members: [
        { hierarchy: 1, id: 1n },
        { hierarchy: 2, id: 7n },
      ],
    },
  ]);
});
