import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startScript } from './script.js';

test('one that was there before the start is found when it becomes empty', () => {
  const script = startScript();
  script.emptied('/before');
  script.populated('/entered');
  script.emptied('/entered');
  script.expire();
  const findings = script.take();
  assert.deepEqual(
    findings.map(({ path, preexisting, createdAt, creator, lastTask }) => ({
      path,
      preexisting,
      createdAt,
      creator,
      comm: lastTask?.comm,
    })),
    ['/before', '/entered'].map((path) => ({
      path,
      preexisting: true,
      createdAt: undefined,
      creator: undefined,
      comm: 'sleep',
    })),
  );
  assert.equal(script.lifecycle.counts().created, 0);
});

test('an unknown one that is removed is counted, and not tracked', () => {
  const script = startScript();
  script.rmdir('/unknown');
  script.release('/unseen');
  assert.deepEqual(script.lifecycle.counts(), {
    created: 0,
    removed: 1,
    findings: 0,
    open: 0,
    emptyParents: 0,
    tracked: 0,
  });
});

test('a path that was there in one hierarchy before the others is preexisting', () => {
  const script = startScript();
  script.emptied('/a', { hierarchy: 1 });
  script.leave('/a', [2]);
  script.leave('/b', [2]);
  script.emptied('/b', { hierarchy: 1 });
  script.expire();
  assert.deepEqual(
    script.take().map(({ path, preexisting }) => [path, preexisting]),
    [
      ['/a', true],
      ['/b', false],
    ],
  );
});
