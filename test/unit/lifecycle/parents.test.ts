import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startScript } from './script.js';

test('a cgroup with children is no finding, nor one that ever had any', () => {
  const script = startScript();
  script.leave('/p');
  script.mkdir('/p/child');
  assert.deepEqual(script.expire(), ['/p/child']);
  assert.equal(script.lifecycle.counts().emptyParents, 0);
  script.rmdir('/p/child');
  assert.deepEqual(script.expire(), []);
  assert.equal(script.lifecycle.counts().emptyParents, 1);
  script.populated('/p');
  assert.equal(script.lifecycle.counts().emptyParents, 0);
  script.emptied('/p');
  assert.equal(script.lifecycle.counts().emptyParents, 1);
  script.rmdir('/p');
  assert.equal(script.lifecycle.counts().emptyParents, 0);
});

test('a parent in one hierarchy is one in all', () => {
  const script = startScript();
  script.leave('/p', [0, 1]);
  script.mkdir('/p/child', { hierarchy: 1 });
  script.rmdir('/p/child', { hierarchy: 1 });
  assert.deepEqual(script.expire(), []);
  assert.equal(script.lifecycle.counts().emptyParents, 1);
});

test('parents are told where they are asked for, once their last child is gone', () => {
  const script = startScript({ parents: true });
  script.mkdir('/p');
  script.mkdir('/p/a');
  script.mkdir('/p/b');
  script.populated('/p/a');
  script.populated('/p');
  script.emptied('/p/a');
  script.emptied('/p');
  script.rmdir('/p/a');
  script.advance(20);
  assert.deepEqual(script.settle('populated'), ['/p/b']);
  script.rmdir('/p/b');
  script.advance(9);
  assert.deepEqual(script.settle(), []);
  script.advance(1);
  script.settle();
  const [finding] = script.take();
  assert.equal(finding?.path, '/p');
  assert.equal(finding.parent, true);
  script.mkdir('/p/c');
  assert.deepEqual(script.changes(), ['closed abandoned /p left 0 (parent)']);
});

test('the root is nobody’s child', () => {
  const script = startScript({ parents: true });
  script.leave('/a');
  script.rmdir('/a');
  assert.equal(script.lifecycle.counts().tracked, 0);
});

test('a parent that is known by its children alone is neither told nor counted', () => {
  const script = startScript({ parents: true });
  script.leave('/slice/a');
  script.rmdir('/slice/a');
  assert.deepEqual(script.expire(), []);
  assert.deepEqual(script.lifecycle.counts(), {
    created: 1,
    removed: 1,
    findings: 0,
    open: 0,
    emptyParents: 0,
    tracked: 1,
  });
  // Its own event tells that nothing is in it, and what its id is.
  script.emptied('/slice');
  assert.equal(script.lifecycle.counts().emptyParents, 1);
  script.expire();
  assert.deepEqual(script.take()[0]?.left, [{ hierarchy: 0, id: script.id('/slice') }]);
});

test('events of unknown children, too, make a parent', () => {
  for (const kind of ['populated', 'emptied', 'rmdir'] as const) {
    const script = startScript();
    script.leave('/p');
    script.expire();
    script.take();
    script[kind]('/p/unknown');
    assert.deepEqual(script.changes(), ['closed abandoned /p left 0 (parent)'], kind);

    const unknown = startScript();
    unknown[kind]('/p/unknown');
    if (kind !== 'rmdir') unknown.rmdir('/p/unknown');
    unknown.emptied('/p');
    assert.deepEqual(unknown.expire(), [], kind);
  }
});

test('children that were there before are not counted away', () => {
  const script = startScript({ parents: true });
  script.mkdir('/p');
  script.populated('/p/before');
  script.mkdir('/p/after');
  script.emptied('/p/before');
  script.rmdir('/p/before');
  script.rmdir('/p/unseen');
  assert.deepEqual(script.expire(), ['/p/after']);
  script.rmdir('/p/after');
  assert.deepEqual(script.expire(), ['/p']);
  script.populated('/p');
  script.emptied('/p');
  assert.deepEqual(script.expire(), ['/p']);
});

test('of one known by its children alone the rmdir tells the id', () => {
  const script = startScript({ parents: true });
  script.leave('/p', [1]);
  for (const hierarchy of [2, 3]) {
    script.mkdir('/p/a', { hierarchy });
    script.rmdir('/p/a', { hierarchy });
  }
  script.rmdir('/p', { hierarchy: 2, id: 77n });
  assert.deepEqual(script.expire(), []);
  script.release('/p', { hierarchy: 3, id: 78n });
  // It was somebody else's release: the one in the hierarchy 3 may still stand.
  assert.deepEqual(script.expire(), []);
  script.rmdir('/p', { hierarchy: 3, id: 79n });
  script.expire();
  assert.deepEqual(script.take()[0]?.removed, [
    { hierarchy: 2, id: 77n },
    { hierarchy: 3, id: 79n },
  ]);
});

test('of one that went unseen, and whose id nobody told, nothing is told', () => {
  const script = startScript({ parents: true });
  script.leave('/p/q', [1]);
  script.mkdir('/p/q/a', { hierarchy: 2 });
  script.rmdir('/p', { hierarchy: 2 });
  script.expire();
  const [finding] = script.take();
  assert.equal(finding?.finding, 'partial');
  assert.equal(finding.path, '/p/q');
  assert.deepEqual(finding.removed, []);
});
