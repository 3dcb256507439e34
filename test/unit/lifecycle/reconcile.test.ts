import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createLifecycle, settleAll } from '../../../src/lifecycle/index.js';
import type { Finding, Lifecycle, Origin } from '../../../src/lifecycle/index.js';
import { createCgroupWorld, type CgroupWorld } from '../../support/cgroup-world.js';
import { createRandom, type Random } from '../../support/random.js';
import { randomStep, worldHierarchies } from '../../support/random-step.js';
import { worldSnapshot, worldWalk } from '../../support/world-snapshot.js';
import { startScript } from './script.js';

const seeds = 2_000;
const grace = 10n;

for (const source of ['iterator', 'walk'] as const) {
  test(`whatever was lost, after a snapshot by ${source} the model equals the world`, () => {
    const sum = { found: 0, gone: 0, corrected: 0, lost: 0, standing: 0 };
    for (let seed = 0; seed < seeds; seed++) {
      const random = createRandom(seed + (source === 'walk' ? 4_000_000 : 3_000_000));
      const world = createCgroupWorld();
      for (let step = 0; step < 20; step++) randomStep(world, random);
      const lifecycle = createLifecycle({ grace, parents: true });
      const open = new Map<number, Finding>();
      let origin: Origin = 'before';
      for (let round = 0; round < 3; round++) {
        for (const hierarchy of worldHierarchies) {
          const where = `seed ${seed}, round ${round}, hierarchy ${hierarchy}`;
          const differences = reconcileOne(
            source,
            lifecycle,
            world,
            hierarchy,
            random,
            origin,
          );
          assert.ok(differences, where);
          sum.found += differences.found;
          sum.gone += differences.gone;
          sum.corrected += differences.corrected;
        }
        const where = `seed ${seed}, round ${round}`;
        // Of what the snapshots did not see, events tell: all of it.
        assert.equal(lifecycle.counts().tracked, world.alive().length, where);
        for (const hierarchy of worldHierarchies) {
          const snapshot = worldSnapshot(world, hierarchy);
          const again = lifecycle.reconcile(
            { snapshot, since: [], origin: 'unseen' },
            world.now(),
          );
          assert.deepEqual(again, { found: 0, gone: 0, corrected: 0 }, where);
        }

        // By the events alone, without another look at the file system.
        world.advance(grace);
        settleAll(lifecycle, world.now());
        for (const finding of lifecycle.takeChanges()) {
          if (finding.state === 'closed') open.delete(finding.key);
          else open.set(finding.key, finding);
        }
        const told = [...open.values()].map(({ path, left }) => nameOf(path, left));
        const truth = emptyLeaves(world);
        sum.standing += truth.length;
        assert.deepEqual(told.sort(), truth.sort(), where);

        for (let step = 0; step < 25; step++) {
          for (const event of randomStep(world, random)) {
            if (random.chance(0.5)) sum.lost += 1;
            else lifecycle.feed(event);
          }
          world.advance(BigInt(random.below(3)));
        }
        origin = 'unseen';
      }
    }
    // Otherwise nothing was to be made good.
    for (const [what, count] of Object.entries(sum))
      assert.ok(count > seeds, `${what}: ${count}`);
  });
}

function reconcileOne(
  source: 'iterator' | 'walk',
  lifecycle: Lifecycle,
  world: CgroupWorld,
  hierarchy: number,
  random: Random,
  origin: Origin,
) {
  const happen = () => {
    world.advance(BigInt(random.below(2)));
    return randomStep(world, random, { renames: false });
  };
  if (source === 'walk') {
    const { snapshot, since } = worldWalk(world, hierarchy, random, happen);
    return lifecycle.reconcile({ snapshot, since, origin }, world.now());
  }
  const since = [];
  while (random.chance(0.7)) since.push(...happen());
  const snapshot = worldSnapshot(world, hierarchy);
  while (random.chance(0.7)) since.push(...happen());
  return lifecycle.reconcile({ snapshot, since, origin }, world.now());
}

/** Paths whose cgroups, in all hierarchies, have neither task nor child. */
function emptyLeaves(world: CgroupWorld): string[] {
  const alive = world.alive();
  const paths = new Set(alive.map((cgroup) => world.pathOf(cgroup)));
  return [...paths].flatMap((path) => {
    const members = alive.filter((cgroup) => world.pathOf(cgroup) === path);
    const isEmpty = members.every(
      (each) => !world.isPopulated(each) && world.children(each).length === 0,
    );
    return isEmpty ? [nameOf(path, members)] : [];
  });
}

function nameOf(
  path: string,
  members: readonly { readonly hierarchy: number; readonly id: bigint }[],
): string {
  return `${path} ${members
    .map(({ hierarchy, id }) => `${hierarchy}:${id}`)
    .sort()
    .join()}`;
}

const entry = (path: string, id: bigint, populated = false) => ({
  id,
  parentId: 1n,
  path,
  populated,
  children: 0,
});

test('one that stood empty before the start is found, and said to be from before', () => {
  const script = startScript();
  script.lifecycle.reconcile(
    {
      snapshot: { hierarchy: 0, root: '/', entries: [entry('/old', 7n)] },
      since: [],
      origin: 'before',
    },
    script.now(),
  );
  script.expire();
  const [finding] = script.take();
  assert.equal(finding?.path, '/old');
  assert.equal(finding.finding, 'abandoned');
  assert.equal(finding.preexisting, true);
  assert.equal(finding.unseen, undefined);
  assert.equal(finding.emptiedAt, undefined);
});

test('one that was made while events were lost is not said to be from before', () => {
  const script = startScript();
  script.lifecycle.reconcile(
    {
      snapshot: { hierarchy: 0, root: '/', entries: [entry('/lost', 7n)] },
      since: [],
      origin: 'unseen',
    },
    script.now(),
  );
  script.expire();
  const [finding] = script.take();
  assert.equal(finding?.preexisting, false);
  assert.equal(finding.unseen, true);
});

test('who removed it is told where its rmdir came during the snapshot', () => {
  const script = startScript();
  script.leave('/a');
  script.expire();
  script.take();
  const rmdir = {
    kind: 'rmdir' as const,
    time: script.now(),
    hierarchy: 0,
    id: script.id('/a'),
    path: '/a',
    pathTruncated: false,
    task: { pid: 5, tid: 5, uid: 0, comm: 'rmdir' },
  };
  script.lifecycle.reconcile(
    {
      snapshot: { hierarchy: 0, root: '/', entries: [] },
      since: [rmdir],
      origin: 'unseen',
    },
    script.now(),
  );
  const [closed] = script.take();
  assert.equal(closed?.reason, 'removed');
  assert.equal(closed.removedBy?.comm, 'rmdir');
});

test('what is not watched, or not shown at the mount, is left alone', () => {
  const script = startScript();
  script.leave('/pod/a');
  script.leave('/elsewhere');
  const differences = script.lifecycle.reconcile(
    {
      snapshot: {
        hierarchy: 0,
        root: '/pod',
        entries: [entry('/pod/a', script.id('/pod/a')), entry('/pod/b', 99n)],
      },
      since: [],
      origin: 'before',
      isWatched: (path) => path !== '/pod/b',
    },
    script.now(),
  );
  assert.deepEqual(differences, { found: 0, gone: 0, corrected: 0 });
});

test('a rename during the snapshot spoils it, and is fed', () => {
  const script = startScript();
  script.leave('/a');
  const rename = {
    kind: 'rename' as const,
    time: script.now(),
    hierarchy: 0,
    id: script.id('/a'),
    path: '/b',
    pathTruncated: false,
    task: { pid: 5, tid: 5, uid: 0, comm: 'mv' },
  };
  const differences = script.lifecycle.reconcile(
    {
      snapshot: { hierarchy: 0, root: '/', entries: [] },
      since: [rename],
      origin: 'unseen',
    },
    script.now(),
  );
  assert.equal(differences, undefined);
  assert.deepEqual(script.expire(), ['/b']);
});
