import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CgroupEvent } from '../../../src/events/index.js';
import { createDying } from '../../../src/lifecycle/index.js';
import type {
  DyingMeasure,
  DyingOptions,
  Finding,
} from '../../../src/lifecycle/index.js';
import type { OwnerOf } from '../../../src/owners/index.js';
import { grace, runtime, second } from './script.js';

const mebibyte = 1024 * 1024;

const ownerOf: OwnerOf = (path) =>
  path.includes('/box-')
    ? {
        owner: 'box',
        idKind: 'box',
        id: path,
        keepsEmpty: false,
        isWholeParent: false,
        outlives: false,
      }
    : undefined;

/** A model, and a kernel that releases what the test says. */
function start(options: Partial<DyingOptions> = {}) {
  const dying = createDying({ grace, ...options });
  const kept = new Set<bigint>();
  let id = 0n;
  let now = 100n * second;
  return {
    dying,
    /** Removes a cgroup that the kernel then keeps; returns its id. */
    remove: (path: string, hierarchy = 4): bigint => {
      id += 1n;
      kept.add(id);
      const rmdir: CgroupEvent = {
        kind: 'rmdir',
        path,
        hierarchy,
        id,
        time: now,
        task: { ...runtime, pid: Number(id) },
        pathTruncated: false,
      };
      dying.add(rmdir);
      return id;
    },
    release: (...ids: readonly bigint[]) => {
      for (const each of ids) kept.delete(each);
    },
    advance: (time: bigint) => {
      now += time;
    },
    now: () => now,
    /** Looks, and returns what that has changed. */
    look: (measure: DyingMeasure = {}): readonly Finding[] => {
      for (const group of dying.check((cgroup) => kept.has(cgroup.id), now))
        dying.settle(group, measure, now);
      return dying.takeChanges();
    },
  };
}

const told = ({ state, path, reason, dying }: Finding) =>
  [state, path, dying?.cgroups, ...(reason ? [reason] : [])] as const;

test('many removed cgroups of a parent that stay beyond the grace are one finding', () => {
  const { remove, advance, look, now } = start();
  for (let at = 0; at < 10; at++) remove(`/jobs/j${at}`, at === 9 ? 5 : 4);
  remove('/other/one');
  advance(grace - 1n);
  assert.deepEqual(look(), []);
  advance(1n);
  const [finding, ...more] = look({ pinnedBytes: 5 });
  assert.deepEqual(more, []);
  assert.deepEqual(finding, {
    key: 1,
    state: 'opened',
    finding: 'dying',
    time: now(),
    path: '/jobs',
    left: [],
    removed: [],
    preexisting: false,
    parent: false,
    removedBy: { ...runtime, pid: 10 },
    dying: {
      cgroups: 10,
      hierarchies: [4, 5],
      oldestRemovedAt: now() - grace,
      pinnedBytes: 5,
    },
  });
  assert.deepEqual(look(), [], 'it is told once');
});

test('few are told only where they pin much, and not while within their grace', () => {
  const { remove, advance, look } = start();
  remove('/jobs/a');
  assert.deepEqual(look({ pinnedBytes: 64 * mebibyte }), []);
  advance(grace);
  assert.deepEqual(look({ pinnedBytes: 64 * mebibyte - 1 }), []);
  assert.deepEqual(look(), [], 'what they pin is unknown');
  assert.deepEqual(look({ pinnedBytes: 64 * mebibyte }).map(told), [
    ['opened', '/jobs', 1],
  ]);
  assert.deepEqual(look({ pinnedBytes: 32 * mebibyte }), []);
  assert.deepEqual(look({ pinnedBytes: 31 * mebibyte }).map(told), [
    ['closed', '/jobs', 1, 'released'],
  ]);
});

test('what those within their grace pin opens no finding, and closes none', () => {
  const { remove, advance, look, release } = start();
  remove('/jobs/old');
  advance(grace);
  const young = remove('/jobs/young');
  assert.deepEqual(look({ pinnedBytes: 127 * mebibyte }), []);
  release(young);
  assert.deepEqual(look({ pinnedBytes: 64 * mebibyte }).map(told), [
    ['opened', '/jobs', 1],
  ]);
  for (let at = 0; at < 5; at++) remove(`/jobs/j${at}`);
  assert.deepEqual(look({ pinnedBytes: 64 * mebibyte }), []);
});

test('a finding changes as it doubles and halves, and ends as they are released', () => {
  const { remove, advance, look, release, dying } = start();
  const ids = Array.from({ length: 39 }, (_, at) => remove(`/jobs/j${at}`));
  release(...ids.splice(0, 19));
  advance(grace);
  assert.deepEqual(look().map(told), [['opened', '/jobs', 20]]);
  for (let at = 0; at < 19; at++) ids.push(remove(`/jobs/k${at}`));
  advance(grace);
  assert.deepEqual(look(), []);
  ids.push(remove('/jobs/last'));
  advance(grace);
  assert.deepEqual(look().map(told), [['updated', '/jobs', 40]]);
  release(...ids.splice(0, 20));
  assert.deepEqual(look().map(told), [['updated', '/jobs', 20]]);
  release(...ids.splice(0, 15));
  assert.deepEqual(look().map(told), [['updated', '/jobs', 5]]);
  release(...ids.splice(0, 1));
  assert.deepEqual(look().map(told), [['closed', '/jobs', 4, 'released']]);
  assert.deepEqual(dying.counts(), { dying: 4, findings: 1, open: 0 });
  release(...ids);
  assert.deepEqual(look(), []);
  assert.equal(dying.known(), 0);
});

test('all of an owner are one finding, at the path that is above them all', () => {
  const { remove, advance, look, release } = start({ ownerOf, leastCgroups: 3 });
  const ids = ['/a/b/box-1', '/a/c/box-2', '/a/c/box-2/sub/box-3'].map((path) =>
    remove(path),
  );
  advance(grace);
  const [finding] = look();
  assert.equal(finding?.path, '/a');
  assert.equal(finding.owner?.owner, 'box');
  assert.equal(finding.owner.id, undefined);
  release(...ids);
  assert.deepEqual(look().map(told), [['closed', '/a', 0, 'released']]);
});

test('what was below a removed parent belongs to where that was', () => {
  const { remove, advance, look } = start({ leastCgroups: 4 });
  for (const pod of ['/pods/a', '/pods/b']) {
    remove(`${pod}/task`);
    remove(pod);
  }
  advance(grace);
  assert.deepEqual(look().map(told), [['opened', '/pods', 4]]);
});

test('where the kernel counts none, a release went unseen', () => {
  const { remove, advance, look, dying } = start({ leastCgroups: 2 });
  remove('/jobs/a', 0);
  remove('/jobs/b', 0);
  remove('/jobs/c', 4);
  advance(grace);
  assert.deepEqual(look({ nrDyingDescendants: 2 }).map(told), [['opened', '/jobs', 3]]);
  assert.deepEqual(look({ nrDyingDescendants: 0 }).map(told), [['updated', '/jobs', 1]]);
  assert.equal(dying.known(), 1, 'that of the other hierarchy');
});

test('one that comes twice counts once, and each finding has a key of its own', () => {
  let key = 40;
  const { dying, remove, advance, look } = start({
    leastCgroups: 1,
    nextKey: () => ++key,
  });
  const id = remove('/top');
  dying.add({
    kind: 'rmdir',
    path: '/top',
    hierarchy: 4,
    id,
    time: 0n,
    task: runtime,
    pathTruncated: false,
  });
  remove('/a/b');
  advance(grace);
  assert.deepEqual(
    look().map((finding) => [finding.key, finding.path, finding.dying?.cgroups]),
    [
      [41, '/', 1],
      [42, '/a', 1],
    ],
  );
  assert.equal(dying.counts().dying, 2);
});

test('of what is released nothing is kept', () => {
  const { dying, remove, release, look } = start();
  for (let at = 0; at < 1_000; at++) release(remove(`/parent${at}/x`));
  assert.deepEqual(look(), []);
  assert.equal(dying.known(), 0);
  assert.deepEqual(
    dying.check(() => true, 0n),
    [],
  );
});
