import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CgroupEvent } from '../../../src/events/index.js';
import { createLifecycle } from '../../../src/lifecycle/index.js';
import type { Finding, Lifecycle, Observation } from '../../../src/lifecycle/index.js';
import { createCgroupWorld, type CgroupWorld } from '../../support/cgroup-world.js';
import { createRandom, type Random } from '../../support/random.js';
import { randomStep } from '../../support/random-step.js';
import { createReferenceLifecycle, names } from '../../support/reference-lifecycle.js';

const seeds = 3_000;
const steps = 70;
const grace = 10n;

test('whatever happens, it says what a slow and simple model says', () => {
  const said = new Map<string, number>();
  for (let seed = 0; seed < seeds; seed++) {
    const random = createRandom(seed);
    const parents = random.chance(0.5);
    const world = createCgroupWorld();
    const lifecycle = createLifecycle({ grace, parents });
    const reference = createReferenceLifecycle(world, { grace, parents });
    for (let step = 0; step < steps; step++) {
      const where = `seed ${seed}, step ${step}`;
      const events = randomStep(world, random);
      for (const event of events) lifecycle.feed(event);
      const lines = takeLines(lifecycle, where);
      assert.deepEqual(lines, reference.afterStep(events), where);
      count(said, lines);

      world.advance(BigInt(random.below(4)));
      if (random.chance(0.3)) {
        settle(lifecycle, world, () => random.chance(0.1));
        const opened = takeLines(lifecycle, where);
        assert.deepEqual(opened, reference.settle(), where);
        count(said, opened);
      }
      const counts = lifecycle.counts();
      assert.equal(counts.tracked, world.alive().length, where);
      assert.equal(counts.emptyParents, reference.emptyParents(), where);
    }
  }
  // Otherwise they agree about nothing.
  for (const kind of ['opened', 'updated', 'removed', 'repopulated', 'parent']) {
    assert.ok((said.get(kind) ?? 0) > seeds / 10, `${kind}: ${said.get(kind) ?? 0}`);
  }
});

test('whatever is lost, doubled or was there before, nothing untrue is told', () => {
  let opened = 0;
  let lost = 0;
  for (let seed = 0; seed < seeds; seed++) {
    const random = createRandom(seed + 1_000_000);
    const parents = random.chance(0.5);
    const world = createCgroupWorld();
    for (let step = 0; step < 20; step++) randomStep(world, random);
    const lifecycle = createLifecycle({ grace, parents });
    for (let step = 0; step < steps; step++) {
      for (const event of randomStep(world, random)) {
        if (random.chance(0.2)) lost += 1;
        else lifecycle.feed(event);
        if (random.chance(0.1)) lifecycle.feed(event);
      }
      world.advance(BigInt(random.below(4)));
      if (random.chance(0.3)) {
        lifecycle.takeChanges();
        settle(lifecycle, world, () => false);
        for (const finding of lifecycle.takeChanges()) {
          if (finding.state !== 'opened') continue;
          opened += 1;
          assertTrue(finding, world, parents, `seed ${seed}, step ${step}`);
        }
      }
      const { tracked, open, emptyParents } = lifecycle.counts();
      assert.ok(tracked >= 0 && open >= 0 && emptyParents >= 0);
    }
  }
  assert.ok(opened > seeds / 2 && lost > seeds, `${opened} opened, ${lost} lost`);
});

test('of what was there before, all that is seen to become empty is found', () => {
  let expected = 0;
  for (let seed = 0; seed < seeds; seed++) {
    const random = createRandom(seed + 2_000_000);
    const world = createCgroupWorld();
    for (let step = 0; step < 25; step++) randomStep(world, random);
    // A parent of before is none that was seen to be one, but children that it has are.
    for (const cgroup of world.alive()) {
      cgroup.everParent = world.children(cgroup).length > 0;
    }
    const lifecycle = createLifecycle({ grace, parents: true });
    const emptied = new Set<string>();
    /** By an event of their own, and by one of a child. */
    const known = new Set<string>();
    const parents = new Set<string>();
    for (let step = 0; step < 40; step++) {
      // A rename names no old path: of a cgroup that is known by its children alone
      // nobody can say which it was.
      for (const event of randomStep(world, random, { renames: false })) {
        lifecycle.feed(event);
        if (event.kind === 'emptied') emptied.add(nameOf(event));
        known.add(nameOf(event));
        const above = event.path.slice(0, event.path.lastIndexOf('/'));
        const parent = world.at(event.hierarchy, above);
        if (parent) parents.add(nameOf(parent));
      }
      world.advance(BigInt(random.below(4)));
      settle(lifecycle, world, () => false);
    }
    world.advance(grace);
    settle(lifecycle, world, () => false);
    world.advance(grace);
    settle(lifecycle, world, () => false);

    const left = new Set<string>();
    for (const { state, left: members } of standing(lifecycle)) {
      if (state !== 'closed') for (const member of members) left.add(nameOf(member));
    }
    for (const cgroup of world.alive()) {
      const path = world.pathOf(cgroup);
      const siblings = world.alive().filter((each) => world.pathOf(each) === path);
      const isLeft = siblings.every(
        (each) => !world.isPopulated(each) && world.children(each).length === 0,
      );
      // Nobody can say whether a task is in one that only its children told of.
      const isKnown = siblings.every(
        (each) => known.has(nameOf(each)) || !parents.has(nameOf(each)),
      );
      if (!isLeft || !isKnown || !emptied.has(nameOf(cgroup))) continue;
      expected += 1;
      assert.ok(left.has(nameOf(cgroup)), `seed ${seed}: ${nameOf(cgroup)} at ${path}`);
    }
  }
  assert.ok(expected > seeds / 10, String(expected));
});

test('the same events always give the same findings', () => {
  const tell = (seed: number) => {
    const random = createRandom(seed);
    const world = createCgroupWorld();
    const lifecycle = createLifecycle({ grace });
    for (let step = 0; step < steps; step++) {
      for (const event of randomStep(world, random)) lifecycle.feed(event);
      world.advance(BigInt(random.below(4)));
      if (random.chance(0.3)) settle(lifecycle, world, () => false);
    }
    return lifecycle.takeChanges();
  };
  const findings = tell(17);
  assert.ok(findings.length > 0);
  assert.deepEqual(tell(17), findings);
});

function settle(
  lifecycle: Lifecycle,
  world: CgroupWorld,
  isUnseen: Random['chance'] | (() => boolean),
): void {
  const now = world.now();
  for (const candidate of lifecycle.due(now)) {
    const observed = candidate.members.map(({ hierarchy, id }): Observation => ({
      hierarchy,
      id,
      state: isUnseen(0) ? 'unknown' : world.observe(hierarchy, candidate.path, id),
    }));
    lifecycle.settle(candidate, observed, now);
  }
}

/** The last state of each finding that nobody has taken. */
function standing(lifecycle: Lifecycle): Finding[] {
  return [...new Map(lifecycle.takeChanges().map((each) => [each.key, each])).values()];
}

/** As the reference words them; sorted, since the order within a step is nobody's. */
function takeLines(lifecycle: Lifecycle, where: string): string[] {
  const changes = lifecycle.takeChanges();
  assert.equal(new Set(changes.map(({ key }) => key)).size, changes.length, where);
  return changes
    .map(({ state, finding, path, left, removed, reason, removedBy }) => {
      if (reason === 'removed') {
        return `closed ${path} removed by ${removedBy?.pid ?? 'nobody'}`;
      }
      if (reason) return `closed ${path} ${reason}`;
      return `${state} ${finding} ${path} left ${names(left)} removed ${names(removed)}`;
    })
    .sort();
}

function count(said: Map<string, number>, lines: readonly string[]): void {
  for (const line of lines) {
    const words = line.split(' ');
    const kind = words[0] === 'closed' ? (words[2] ?? '') : (words[0] ?? '');
    said.set(kind, (said.get(kind) ?? 0) + 1);
  }
}

function assertTrue(
  finding: Finding,
  world: CgroupWorld,
  parents: boolean,
  where: string,
): void {
  const { path, left, removed } = finding;
  assert.ok(left.length > 0, where);
  for (const { hierarchy, id } of left) {
    assert.equal(world.observe(hierarchy, path, id), 'empty', `${where}: ${path}`);
  }
  for (const { hierarchy, id } of removed) {
    const state = world.observe(hierarchy, path, id);
    assert.ok(['absent', 'replaced'].includes(state), `${where}: ${path} is ${state}`);
  }
  if (!parents) assert.equal(finding.parent, false, where);
}

function nameOf({ hierarchy, id }: Pick<CgroupEvent, 'hierarchy' | 'id'>): string {
  return `${hierarchy}:${id}`;
}
