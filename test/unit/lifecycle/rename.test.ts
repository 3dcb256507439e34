import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startScript } from './script.js';

test('a renamed cgroup keeps its evidence below its new path', () => {
  const script = startScript();
  const createdAt = script.now();
  script.leave('/p/a', [4]);
  script.advance(5);
  script.rename('/p/a', '/p/b', { hierarchy: 4 });
  script.expire();
  const [finding, ...others] = script.take();
  assert.deepEqual(others, []);
  assert.equal(finding?.path, '/p/b');
  assert.equal(finding.createdAt, createdAt);
  assert.equal(finding.lastTask?.comm, 'sleep');
  assert.deepEqual(finding.removed, []);
  script.rmdir('/p/b', { hierarchy: 4 });
  assert.deepEqual(script.changes(), ['closed abandoned /p/b left 4 (removed)']);
  // /p alone.
  assert.equal(script.lifecycle.counts().tracked, 1);
});

test('a rename moves what is below, in its hierarchy alone', () => {
  const script = startScript();
  script.mkdir('/a', { hierarchy: 4 });
  script.leave('/a/x', [4, 5]);
  script.leave('/a/x/y', [4]);
  script.leave('/ab', [4]);
  script.rename('/a', '/b', { hierarchy: 4 });
  script.expire();
  assert.deepEqual(script.changes(), [
    'opened abandoned /ab left 4',
    'opened abandoned /b/x/y left 4',
    'opened abandoned /a/x left 5',
  ]);
  script.rmdir('/b/x/y', { hierarchy: 4, id: script.id('/a/x/y', 4) });
  assert.deepEqual(script.changes(), ['closed abandoned /b/x/y left 4 (removed)']);
});

test('a finding of the old path ends, and one of the new path begins', () => {
  const script = startScript();
  script.leave('/a', [4]);
  script.expire();
  script.take();
  script.rename('/a', '/b', { hierarchy: 4 });
  assert.deepEqual(script.changes(), ['closed abandoned /a left 4 (renamed)']);
  script.expire();
  assert.deepEqual(script.changes(), ['opened abandoned /b left 4']);
});

test('one that has moved away is not removed: what stays is not partial', () => {
  const script = startScript();
  script.leave('/a', [4, 5]);
  script.rename('/a', '/b', { hierarchy: 5 });
  script.expire();
  assert.deepEqual(script.changes(), [
    'opened abandoned /a left 4',
    'opened abandoned /b left 5',
  ]);
});

test('it joins what stands at its new path, and displaces a lost one', () => {
  const script = startScript();
  script.leave('/b', [4, 5]);
  script.leave('/a', [5]);
  script.mkdir('/b/below', { hierarchy: 5 });
  script.rename('/a', '/b', { hierarchy: 5 });
  assert.equal(script.lifecycle.counts().tracked, 2);
  script.expire();
  const [finding] = script.take();
  assert.deepEqual(finding?.left, [
    { hierarchy: 4, id: script.id('/b', 4) },
    { hierarchy: 5, id: script.id('/a', 5) },
  ]);
});

test('a rename between parents counts its children anew', () => {
  const script = startScript({ parents: true });
  for (const path of ['/p', '/q']) {
    script.leave(path, [4]);
  }
  script.mkdir('/p/a', { hierarchy: 4 });
  script.rename('/p/a', '/q/a', { hierarchy: 4 });
  script.expire();
  assert.deepEqual(script.changes(), [
    'opened unused /q/a left 4',
    'opened abandoned /p left 4',
  ]);
  script.rmdir('/q/a', { hierarchy: 4 });
  assert.deepEqual(script.changes(), ['closed unused /q/a left 4 (removed)']);
  script.expire();
  assert.deepEqual(script.changes(), ['opened abandoned /q left 4']);
});

test('a rename to where it is changes nothing', () => {
  const script = startScript();
  script.leave('/a', [4]);
  script.advance(9);
  script.rename('/a', '/a', { hierarchy: 4 });
  script.advance(1);
  assert.deepEqual(script.settle(), ['/a']);
  assert.equal(script.lifecycle.counts().tracked, 1);
});

test('one that was not known, or taken for removed, is where its rename says', () => {
  const script = startScript();
  script.leave('/a', [4]);
  const id = script.id('/a', 4);
  script.expire('absent');
  script.rename('/unknown', '/b', { hierarchy: 4, id: 999n });
  script.rename('/elsewhere', '/a', { hierarchy: 4, id });
  assert.equal(script.lifecycle.counts().tracked, 2);
  script.emptied('/a', { hierarchy: 4, id });
  script.rmdir('/b', { hierarchy: 4, id: 999n });
  script.rename('/b', '/late', { hierarchy: 4, id: 999n });
  script.expire();
  assert.deepEqual(script.changes(), ['opened abandoned /a left 4']);
  assert.equal(script.lifecycle.counts().tracked, 1);
});

test('a rename that can’t be leaves nothing behind', () => {
  const script = startScript();
  script.leave('/a', [4]);
  script.mkdir('/a/b', { hierarchy: 4 });
  script.rename('/a/b', '/a', { hierarchy: 4 });
  assert.equal(script.lifecycle.counts().tracked, 0);
  assert.deepEqual(script.expire(), []);
});

test('what comes, goes and shows its id after a first rename is found by the next', () => {
  const script = startScript();
  script.leave('/a', [4]);
  script.rename('/a', '/b', { hierarchy: 4 });
  script.leave('/made', [4]);
  // Known by its child alone until its own first event.
  script.leave('/early/child', [4]);
  script.emptied('/early', { hierarchy: 4, id: 77n });
  script.rename('/made', '/made2', { hierarchy: 4 });
  script.rename('/early', '/late', { hierarchy: 4, id: 77n });
  script.rmdir('/b', { hierarchy: 4, id: script.id('/a', 4) });
  script.expire();
  assert.deepEqual(script.changes(), [
    'opened abandoned /made2 left 4',
    'opened abandoned /late/child left 4',
  ]);
  // What the kernel has given to another is not the one that went.
  script.rename('/b', '/c', { hierarchy: 4, id: script.id('/a', 4) });
  assert.equal(script.lifecycle.counts().tracked, 3);
});
