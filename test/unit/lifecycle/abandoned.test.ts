import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ancestors, grace, lastTask, runtime, second, startScript } from './script.js';

test('a cgroup that stands empty for its grace is abandoned, with its evidence', () => {
  const script = startScript();
  const createdAt = script.now();
  script.mkdir('/a');
  script.advance(1);
  script.populated('/a');
  script.advance(1);
  script.emptied('/a');
  const emptiedAt = script.now();
  assert.equal(script.lifecycle.nextDue(), emptiedAt + grace);

  script.advance(9.999);
  assert.deepEqual(script.settle(), []);
  script.advance(0.001);
  assert.deepEqual(script.settle(), ['/a']);
  assert.deepEqual(script.take(), [
    {
      key: 1,
      state: 'opened',
      finding: 'abandoned',
      time: emptiedAt + grace,
      path: '/a',
      left: [{ hierarchy: 0, id: script.id('/a') }],
      removed: [],
      createdAt,
      preexisting: false,
      creator: { pid: runtime.pid, comm: runtime.comm, ancestors },
      emptiedAt,
      lastTask,
      parent: false,
    },
  ]);
  assert.equal(script.lifecycle.nextDue(), undefined);
  assert.deepEqual(script.expire(), []);
  assert.deepEqual(script.take(), []);
});

test('who moved the last task out is told instead of the last task', () => {
  const script = startScript();
  script.mkdir('/a');
  script.populated('/a');
  script.emptied('/a', { movedBy: { pid: 7, comm: 'systemd' } });
  script.expire();
  const [finding] = script.take();
  assert.deepEqual(finding?.movedBy, { pid: 7, comm: 'systemd' });
  assert.equal(finding.lastTask, undefined);
});

test('one path in many hierarchies is one finding, those never populated included', () => {
  const script = startScript();
  script.leave('/a', [4, 2, 11]);
  script.mkdir('/a', { hierarchy: 7 });
  script.expire();
  assert.deepEqual(script.changes(), ['opened abandoned /a left 2,4,7,11']);
});

test('one that never was populated is unused, until a task enters it', () => {
  const script = startScript();
  script.mkdir('/a');
  script.mkdir('/a', { hierarchy: 1 });
  script.expire();
  const [finding] = script.take();
  assert.equal(finding?.finding, 'unused');
  assert.equal(finding.emptiedAt, undefined);
  assert.equal(script.lifecycle.nextDue(), undefined);
  script.populated('/a');
  assert.deepEqual(script.changes(), ['closed unused /a left 0,1 (repopulated)']);
  script.emptied('/a');
  script.expire();
  assert.deepEqual(script.changes(), ['opened abandoned /a left 0,1']);
});

test('of one that was there before, nobody can say that it never was used', () => {
  const script = startScript({ parents: true });
  script.mkdir('/p/a');
  script.rmdir('/p/a');
  assert.deepEqual(script.expire(), []);
});

test('one that is removed, or populated again, within the grace is no finding', () => {
  const script = startScript();
  script.leave('/removed');
  script.leave('/again');
  script.leave('/elsewhere', [0, 1]);
  script.advance(5);
  script.rmdir('/removed');
  script.populated('/again');
  script.populated('/elsewhere', { hierarchy: 1 });
  assert.deepEqual(script.expire(), []);
  assert.deepEqual(script.changes(), []);
});

test('the grace begins anew with each change', () => {
  const script = startScript();
  script.leave('/a');
  script.leave('/b');
  script.advance(6);
  script.populated('/a');
  script.emptied('/a');
  script.advance(4);
  assert.deepEqual(script.settle(), ['/b']);
  script.advance(5.9);
  assert.deepEqual(script.settle(), []);
  script.advance(0.1);
  assert.deepEqual(script.settle(), ['/a']);
});

test('a finding closes when its cgroups are removed, and names who did it', () => {
  const script = startScript();
  script.leave('/a', [0, 1]);
  script.expire();
  script.take();
  const janitor = { pid: 500, tid: 501, uid: 3, comm: 'janitor' };
  script.advance(1);
  script.rmdir('/a', { hierarchy: 1 });
  assert.deepEqual(script.changes(), ['updated partial /a left 0 removed 1']);
  script.rmdir('/a', { task: janitor });
  const [closed, ...others] = script.take();
  assert.deepEqual(others, []);
  assert.equal(closed?.state, 'closed');
  assert.equal(closed.reason, 'removed');
  assert.deepEqual(closed.removedBy, janitor);
  assert.deepEqual(closed.left, [{ hierarchy: 0, id: script.id('/a') }]);
  assert.deepEqual(closed.removed, [{ hierarchy: 1, id: script.id('/a', 1) }]);
  assert.equal(closed.time, script.now());
  assert.equal(script.lifecycle.counts().open, 0);
});

test('a finding closes when a task enters, and opens anew when it has left again', () => {
  const script = startScript();
  script.leave('/a', [0, 1]);
  script.expire();
  const [opened] = script.take();
  script.populated('/a', { hierarchy: 1 });
  assert.deepEqual(script.changes(), ['closed abandoned /a left 0,1 (repopulated)']);
  script.emptied('/a', { hierarchy: 1 });
  script.expire();
  const [again] = script.take();
  assert.equal(again?.state, 'opened');
  assert.notEqual(again.key, opened?.key);
  assert.deepEqual(script.lifecycle.counts(), {
    created: 2,
    removed: 0,
    findings: 2,
    open: 1,
    emptyParents: 0,
    tracked: 2,
  });
});

test('a finding closes when a child is made', () => {
  const script = startScript();
  script.leave('/a');
  script.expire();
  script.take();
  script.mkdir('/a/b');
  assert.deepEqual(script.changes(), ['closed abandoned /a left 0 (parent)']);
  script.rmdir('/a/b');
  assert.deepEqual(script.expire(), []);
});

test('changes that nobody took are put together', () => {
  const script = startScript();
  script.leave('/a', [0, 1, 2, 3]);
  script.leave('/b');
  script.expire();
  script.rmdir('/a', { hierarchy: 1 });
  script.rmdir('/a', { hierarchy: 2 });
  assert.deepEqual(script.changes(), [
    'opened abandoned /a left 0,1,2,3',
    'opened abandoned /b left 0',
    'updated partial /a left 0,3 removed 1,2',
  ]);
  script.rmdir('/a', { hierarchy: 3 });
  script.rmdir('/b');
  script.rmdir('/a');
  assert.deepEqual(script.changes(), [
    'closed abandoned /b left 0 (removed)',
    'closed partial /a left 0 removed 1,2,3 (removed)',
  ]);
  assert.deepEqual(script.changes(), []);
});

test('how long its siblings took is told, of the last 256 removals', () => {
  const script = startScript();
  const live = (path: string, seconds: number) => {
    script.leave(path);
    script.advance(seconds);
    script.rmdir(path);
  };
  for (let at = 0; at < 10; at++) live(`/docker/old${at}`, 1_000);
  for (let at = 1; at <= 256; at++) live(`/docker/new${at}`, at);
  live('/other/a', 5);
  script.leave('/docker/left');
  script.expire();
  assert.deepEqual(script.take()[0]?.siblings, {
    count: 266,
    p50: 128n * second,
    p99: 254n * second,
  });
  script.leave('/left');
  script.expire();
  assert.equal(script.take()[0]?.siblings, undefined);
});

test('a path counts once, and only when it has been removed everywhere', () => {
  const script = startScript();
  script.leave('/docker/left', [0, 1]);
  script.advance(1);
  script.rmdir('/docker/left', { hierarchy: 1 });
  script.expire();
  // Its own half is nobody else.
  assert.equal(script.take()[0]?.siblings, undefined);
  script.leave('/docker/a', [0, 1]);
  script.advance(2);
  script.rmdir('/docker/a', { hierarchy: 0 });
  script.advance(1);
  script.rmdir('/docker/a', { hierarchy: 1 });
  script.leave('/docker/b');
  script.expire();
  const [finding] = script.take();
  assert.equal(finding?.path, '/docker/b');
  assert.equal(finding.siblings?.count, 1);
  assert.equal(finding.siblings.p50, 3n * second);
});

test('each finding tells what its siblings took by then', () => {
  const script = startScript();
  for (const seconds of [1, 3]) {
    script.leave(`/docker/a${seconds}`);
    script.advance(seconds);
    script.rmdir(`/docker/a${seconds}`);
    script.leave(`/docker/left${seconds}`);
    script.expire();
    const p99 = BigInt(seconds) * second;
    assert.equal(script.take()[0]?.siblings?.p99, p99);
  }
});

test('creators are told apart by pid, comm and ancestors', () => {
  const script = startScript();
  const creators = [
    { pid: 100, comm: 'runc', ancestors },
    { pid: 100 + 256, comm: 'runc', ancestors },
    { pid: 100, comm: 'runc', ancestors },
    { pid: 100, comm: 'crun', ancestors },
    { pid: 100, comm: 'crun', ancestors: ancestors.slice(1) },
    { pid: 100, comm: 'crun', ancestors: [] },
  ];
  creators.forEach(({ pid, comm, ancestors }, at) => {
    const task = { pid, tid: pid, uid: 0, comm };
    script.mkdir(`/a${at}`, { task, ancestors });
    script.emptied(`/a${at}`);
  });
  script.expire();
  assert.deepEqual(
    script.take().map(({ creator }) => creator),
    creators,
  );
});

test('of siblings below many parents the least recently removed are forgotten', () => {
  const script = startScript();
  const remove = (path: string) => {
    script.leave(path);
    script.rmdir(path);
  };
  remove('/first/a');
  remove('/second/a');
  for (let at = 0; at < 1_022; at++) remove(`/pod${at}/a`);
  remove('/first/b');
  remove('/another/a');
  script.leave('/first/left');
  script.leave('/second/left');
  script.expire();
  assert.deepEqual(
    script.take().map(({ path, siblings }) => [path, siblings?.count]),
    [
      ['/first/left', 2],
      ['/second/left', undefined],
    ],
  );
});
