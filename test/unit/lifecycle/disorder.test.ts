import assert from 'node:assert/strict';
import { test } from 'node:test';
import { grace, second, startScript } from './script.js';

test('a path that is made again is another cgroup: the old one’s removal was lost', () => {
  const script = startScript();
  script.leave('/a');
  script.expire();
  script.take();
  script.advance(1);
  script.mkdir('/a');
  const [closed] = script.take();
  assert.equal(closed?.state, 'closed');
  assert.equal(closed.reason, 'removed');
  assert.equal(closed.removedBy, undefined);
  assert.equal(script.lifecycle.counts().tracked, 1);
  script.expire();
  assert.deepEqual(script.changes(), ['opened unused /a left 0']);
  const createdAt = script.now() - 10n * second;
  script.populated('/a');
  script.emptied('/a');
  script.expire();
  assert.equal(script.take()[0]?.createdAt, createdAt);
});

test('a path that is made again in all its hierarchies starts afresh', () => {
  const script = startScript();
  script.leave('/a', [1, 2]);
  script.expire();
  script.take();
  script.advance(1);
  script.mkdir('/a', { hierarchy: 1 });
  assert.deepEqual(script.changes(), ['updated abandoned /a left 1,2']);
  script.mkdir('/a', { hierarchy: 2 });
  assert.deepEqual(script.changes(), ['closed abandoned /a left 2 (removed)']);
  script.expire();
  assert.deepEqual(script.changes(), ['opened unused /a left 1,2']);
});

test('an event of another id replaces, too', () => {
  const script = startScript();
  script.leave('/a');
  script.populated('/a', { id: 999n });
  assert.equal(script.lifecycle.counts().tracked, 1);
  script.emptied('/a', { id: 999n });
  script.expire();
  const [finding] = script.take();
  assert.equal(finding?.preexisting, true);
  assert.deepEqual(finding.left, [{ hierarchy: 0, id: 999n }]);
});

test('an rmdir of another id tells that the known one is gone, too', () => {
  const script = startScript({ parents: true });
  script.mkdir('/p');
  script.mkdir('/p/other');
  script.leave('/p/a');
  script.rmdir('/p/a', { id: 999n });
  assert.equal(script.lifecycle.counts().removed, 1);
  assert.equal(script.lifecycle.counts().tracked, 2);
  script.emptied('/p');
  assert.deepEqual(script.expire(), ['/p/other']);
});

test('where a parent is removed, all below it is gone', () => {
  for (const removal of ['rmdir', 'mkdir', 'release'] as const) {
    const script = startScript();
    script.mkdir('/p');
    script.mkdir('/p/a');
    script.mkdir('/p/a/b');
    script.populated('/p/a/b');
    script.leave('/p/a', [1]);
    script.leave('/pp');
    script.expire();
    assert.deepEqual(script.changes(), ['opened abandoned /pp left 0'], removal);
    script[removal]('/p');
    // /p and /p/a in the hierarchy 1, /pp, and /p itself where it was made again.
    assert.equal(script.lifecycle.counts().tracked, removal === 'mkdir' ? 4 : 3);
    assert.deepEqual(script.changes(), [], removal);
  }
});

test('a child that comes before its parent’s mkdir belonged to an older one', () => {
  const script = startScript();
  script.mkdir('/p/a');
  assert.equal(script.lifecycle.counts().tracked, 2);
  script.mkdir('/p');
  assert.equal(script.lifecycle.counts().tracked, 1);
});

test('duplicates change nothing', () => {
  const once = startScript();
  const twice = startScript();
  for (const [script, times] of [
    [once, 1],
    [twice, 2],
  ] as const) {
    const repeat = (tell: () => { time: bigint }) => {
      const event = tell() as Parameters<typeof script.lifecycle.feed>[0];
      for (let time = 1; time < times; time++) script.lifecycle.feed(event);
    };
    repeat(() => script.mkdir('/p'));
    for (const path of ['/p/removed', '/p/left']) {
      repeat(() => script.mkdir(path));
      repeat(() => script.populated(path));
      repeat(() => script.emptied(path));
    }
    repeat(() => script.rmdir('/p/removed'));
    script.expire();
    repeat(() => script.release('/p/removed'));
  }
  assert.deepEqual(twice.lifecycle.counts(), once.lifecycle.counts());
  assert.equal(once.lifecycle.counts().removed, 1);
  assert.deepEqual(twice.take(), once.take());
});

test('a duplicate is no change of an open finding', () => {
  const script = startScript();
  script.leave('/a');
  script.expire();
  script.take();
  script.emptied('/a', { time: script.now() - grace });
  script.mkdir('/a', { id: script.id('/a') });
  assert.deepEqual(script.changes(), []);
  // Somebody came and went, and the first event was lost.
  script.emptied('/a');
  assert.deepEqual(script.changes(), ['updated abandoned /a left 0']);
});

test('an event that comes after the rmdir brings nothing back', () => {
  const script = startScript();
  script.leave('/a');
  const id = script.id('/a');
  script.rmdir('/a');
  script.emptied('/a', { id });
  script.populated('/a', { id });
  script.rmdir('/a', { id });
  assert.equal(script.lifecycle.counts().tracked, 0);
  assert.equal(script.lifecycle.counts().removed, 1);
  // Nor does it harm the next one of that path.
  script.leave('/a');
  script.emptied('/a', { id });
  script.rmdir('/a', { id });
  script.release('/a', { id });
  script.expire();
  assert.deepEqual(script.changes(), ['opened abandoned /a left 0']);
  assert.equal(script.lifecycle.counts().removed, 1);
});

test('a mkdir that comes late still tells who did it', () => {
  const script = startScript();
  script.populated('/a');
  script.mkdir('/a', { id: script.id('/a') });
  script.emptied('/a');
  script.expire();
  const [finding] = script.take();
  assert.equal(finding?.preexisting, false);
  assert.equal(finding.creator?.comm, 'runc');
  assert.equal(script.lifecycle.counts().created, 1);
});

test('times that run backwards a little neither shorten nor begin the grace', () => {
  const script = startScript();
  script.leave('/a', [0, 1]);
  script.emptied('/a', { hierarchy: 1, time: script.now() - 1_000n });
  assert.equal(script.lifecycle.nextDue(), script.now() + grace);
  script.advance(1);
  script.leave('/docker/a');
  // It seems to be removed before it was emptied.
  script.rmdir('/docker/a', { time: script.now() - 1_000n });
  script.leave('/docker/b');
  script.advance(8.999);
  assert.deepEqual(script.settle(), []);
  script.advance(0.001);
  assert.deepEqual(script.settle(), ['/a']);
  script.advance(1);
  assert.deepEqual(script.settle(), ['/docker/b']);
  assert.equal(script.take().at(-1)?.siblings, undefined);
});

test('a release tells of a lost rmdir', () => {
  const script = startScript();
  script.leave('/a');
  script.release('/a');
  assert.equal(script.lifecycle.counts().removed, 1);
  assert.equal(script.lifecycle.counts().tracked, 0);
  script.rmdir('/a');
  assert.equal(script.lifecycle.counts().removed, 1);
});

test('a release of an older cgroup of that path harms no newer one', () => {
  const script = startScript();
  script.leave('/a');
  const id = script.id('/a');
  script.rmdir('/a');
  script.leave('/a');
  script.release('/a', { id });
  script.release('/a', { id: 999n });
  assert.equal(script.lifecycle.counts().tracked, 1);
  script.mkdir('/slice/a');
  script.release('/slice', { id: 998n });
  assert.equal(script.lifecycle.counts().tracked, 3);
});

test('one whose path is too long to be known is counted, and not tracked', () => {
  const script = startScript();
  const path = `${'a'.repeat(100)}/b`;
  script.mkdir(path, { pathTruncated: true });
  script.populated(path, { pathTruncated: true });
  script.emptied(path, { pathTruncated: true });
  assert.deepEqual(script.expire(), []);
  script.rmdir(path, { pathTruncated: true });
  const { created, removed, tracked } = script.lifecycle.counts();
  assert.deepEqual([created, removed, tracked], [1, 1, 0]);
});
