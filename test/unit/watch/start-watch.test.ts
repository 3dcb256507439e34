import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import type { TestContext } from 'node:test';
import type { CgroupState, HierarchyTable } from '../../../src/cgroupfs/index.js';
import type { Finding } from '../../../src/lifecycle/index.js';
import { startWatch } from '../../../src/watch/index.js';
import type { WatchOptions } from '../../../src/watch/index.js';
import { createFakeTracer, emptied, mkdir, populated, rmdir } from './fake-tracer.js';

const second = 1_000_000_000n;
const table: HierarchyTable = { all: () => [], get: () => undefined };

/** A watch with a grace of ten seconds, whose clock and kernel belong to the test. */
function startFakeWatch(context: TestContext, options: Partial<WatchOptions> = {}) {
  mock.timers.enable({ apis: ['setTimeout'] });
  context.after(() => {
    mock.timers.reset();
  });
  let now = 0n;
  const tracer = createFakeTracer();
  const findings: Finding[] = [];
  const observed: string[] = [];
  const watch = startWatch({
    grace: 10n * second,
    openTracer: tracer.open,
    table,
    now: () => now,
    observe: (_, path): CgroupState => {
      observed.push(path);
      return 'empty';
    },
    onFinding: (finding) => findings.push(finding),
    ...options,
  });
  const advance = (seconds: number) => {
    for (let step = 0; step < seconds * 10; step++) {
      now += second / 10n;
      mock.timers.tick(100);
    }
  };
  return { watch, tracer, findings, observed, advance };
}

function life(path: string, time = 0n) {
  const of = { path, time };
  return [mkdir(of), populated(of), emptied(of)];
}

test('a cgroup that stands empty for the grace is looked at, and told once', (context) => {
  const { tracer, findings, observed, advance } = startFakeWatch(context);
  tracer.send(...life('/a'));
  advance(9);
  assert.deepEqual(observed, []);
  advance(2);
  assert.deepEqual(observed, ['/a']);
  assert.deepEqual(
    findings.map(({ state, path }) => [state, path]),
    [['opened', '/a']],
  );
  advance(60);
  assert.equal(findings.length, 1);
});

test('what the file system denies is not told', (context) => {
  for (const state of ['absent', 'replaced', 'populated', 'parent'] as const) {
    const { tracer, findings, advance } = startFakeWatch(context, {
      observe: () => state,
    });
    tracer.send(...life('/a'));
    advance(12);
    assert.deepEqual(findings, [], state);
    mock.timers.reset();
  }
});

test('where the file system shows nothing the events are trusted', (context) => {
  const { tracer, findings, advance } = startFakeWatch(context, {
    observe: () => 'unknown',
  });
  tracer.send(...life('/a'));
  advance(12);
  assert.equal(findings.length, 1);
});

test('what waits in the ring is read before anything is told', (context) => {
  const { tracer, findings, observed, advance } = startFakeWatch(context);
  tracer.send(...life('/a'));
  tracer.hold(rmdir({ path: '/a', time: second }));
  advance(12);
  assert.deepEqual(observed, []);
  assert.deepEqual(findings, []);
});

test('only what was chosen is watched', (context) => {
  const { tracer, findings, watch, advance } = startFakeWatch(context, {
    under: ['/nomad'],
    hierarchies: [0],
  });
  tracer.send(
    ...life('/nomad/task'),
    ...life('/nomadic'),
    mkdir({ path: '/nomad/other', time: 0n, hierarchy: 4 }),
    emptied({ path: '/nomad/other', time: 0n, hierarchy: 4 }),
  );
  advance(12);
  assert.deepEqual(
    findings.map(({ path }) => path),
    ['/nomad/task'],
  );
  assert.equal(watch.close().created, 1);
});

test('many at once are looked at bit by bit, and all are told', (context) => {
  const { tracer, findings, observed, advance } = startFakeWatch(context);
  const paths = Array.from({ length: 1_000 }, (_, at) => `/a${at}`);
  tracer.send(...paths.flatMap((path) => life(path)));
  advance(10.1);
  assert.ok(
    observed.length > 0 && observed.length < paths.length,
    String(observed.length),
  );
  advance(5);
  assert.deepEqual(findings.map(({ path }) => path).sort(), [...paths].sort());
});

test('the end tells what is due, and counts what is not', (context) => {
  const { watch, tracer, findings, advance } = startFakeWatch(context);
  tracer.send(...life('/a'), ...life('/gone'), rmdir({ path: '/gone', time: 1n }));
  advance(12);
  tracer.send(...life('/b', 12n * second));
  tracer.lose(3, 4);
  const summary = watch.close();
  assert.deepEqual(summary, {
    created: 3,
    removed: 1,
    findings: 1,
    open: 1,
    pending: 1,
    emptyParents: 0,
    lost: 7,
    duration: 12n * second,
  });
  assert.equal(findings.length, 1);
  assert.ok(tracer.isClosed());
  assert.equal(watch.close(), summary);
  assert.equal(watch.lost(), 7);
});

test('what waits for a longer grace of its owner is counted in the end, too', (context) => {
  const { watch, tracer, findings, advance } = startFakeWatch(context, {
    ownerGraces: true,
    ownerOf: () => ({
      owner: 'slow',
      keepsEmpty: false,
      isWholeParent: false,
      outlives: false,
      grace: 60n * second,
    }),
  });
  tracer.send(...life('/a'));
  advance(12);
  assert.equal(watch.close().pending, 1);
  assert.deepEqual(findings, []);
});

test('losses are passed on', (context) => {
  const losses: (readonly number[])[] = [];
  const { tracer } = startFakeWatch(context, { onLost: (lost) => losses.push(lost) });
  tracer.lose(1, 0);
  tracer.lose(1, 5);
  assert.deepEqual(losses, [
    [1, 0],
    [1, 5],
  ]);
});

test('a parent is told only where it is asked for', (context) => {
  const family = [
    mkdir({ path: '/p', time: 0n, id: 1n }),
    ...life('/p/child'),
    rmdir({ path: '/p/child', time: 0n }),
    emptied({ path: '/p', time: 0n, id: 1n }),
  ];
  const quiet = startFakeWatch(context);
  quiet.tracer.send(...family);
  quiet.advance(12);
  assert.deepEqual(quiet.findings, []);
  assert.equal(quiet.watch.close().emptyParents, 1);
  mock.timers.reset();

  const asked = startFakeWatch(context, { parents: true });
  asked.tracer.send(...family);
  asked.advance(12);
  assert.deepEqual(
    asked.findings.map(({ path, parent }) => [path, parent]),
    [['/p', true]],
  );
});

test('removed cgroups that the kernel keeps are asked for, told, and counted', (context) => {
  const { watch, tracer, findings, advance } = startFakeWatch(context, {
    dying: { leastCgroups: 2 },
    measureDying: ({ path }) => ({ pinnedBytes: path.length }),
  });
  const removed = [1n, 2n, 3n, 4n].map((id) => ({ hierarchy: 4, id }));
  tracer.keep(...removed.slice(0, 3));
  tracer.send(
    ...removed.map((name) => rmdir({ path: `/jobs/${name.id}`, time: 0n, ...name })),
  );
  advance(9);
  assert.equal(findings.length, 0);
  advance(3);
  assert.deepEqual(
    findings.map(({ state, path, dying }) => [state, path, dying]),
    [
      [
        'opened',
        '/jobs',
        { cgroups: 3, hierarchies: [4], oldestRemovedAt: 0n, pinnedBytes: 5 },
      ],
    ],
  );
  assert.equal(watch.counts().open, 1);
  tracer.keep();
  advance(3);
  assert.equal(findings[1]?.reason, 'released');
  assert.equal(findings[1].key, findings[0]?.key);

  tracer.keep({ hierarchy: 4, id: 9n });
  tracer.send(rmdir({ path: '/jobs/9', time: 15n * second, hierarchy: 4, id: 9n }));
  advance(12);
  const { dying, findings: count, open } = watch.close();
  assert.deepEqual([dying, count, open], [1, 1, 0]);
});

test('a kernel that does not tell of releases has nothing dying', (context) => {
  const tracer = createFakeTracer();
  const { watch, findings, advance } = startFakeWatch(context, {
    dying: { leastCgroups: 1 },
    openTracer: (options) => {
      const opened = { ...tracer.open(options) };
      delete (opened as { unreleased?: unknown }).unreleased;
      return opened;
    },
  });
  tracer.keep({ hierarchy: 4, id: 7n });
  tracer.send(rmdir({ path: '/a/b', time: 0n, hierarchy: 4 }));
  advance(30);
  assert.deepEqual(findings, []);
  assert.equal(watch.close().dying, undefined);
});
