import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runtime, startScript } from './script.js';

test('what is left in some hierarchies and removed from others is partial', () => {
  const script = startScript();
  script.leave('/a', [1, 2, 3]);
  script.advance(8);
  script.rmdir('/a', { hierarchy: 1 });
  script.rmdir('/a', { hierarchy: 3 });
  script.advance(9);
  // The grace began anew when the others were removed.
  assert.deepEqual(script.settle(), []);
  script.advance(1);
  assert.deepEqual(script.settle(), ['/a']);
  const [finding] = script.take();
  assert.equal(finding?.finding, 'partial');
  assert.deepEqual(finding.left, [{ hierarchy: 2, id: script.id('/a', 2) }]);
  assert.deepEqual(finding.removed, [
    { hierarchy: 1, id: script.id('/a', 1) },
    { hierarchy: 3, id: script.id('/a', 3) },
  ]);
});

test('partial needs no task, and then has its evidence from those removed', () => {
  const script = startScript();
  script.mkdir('/never', { hierarchy: 1 });
  script.mkdir('/never', { hierarchy: 2 });
  script.rmdir('/never', { hierarchy: 2 });
  script.mkdir('/once', { hierarchy: 1 });
  script.leave('/once', [2]);
  script.rmdir('/once', { hierarchy: 2 });
  const emptiedAt = script.now();
  script.expire();
  const findings = script.take();
  assert.deepEqual(
    findings.map(({ path, finding, emptiedAt }) => [path, finding, emptiedAt]),
    [
      ['/never', 'partial', undefined],
      ['/once', 'partial', emptiedAt],
    ],
  );
});

test('partial is none while a task is left in one hierarchy', () => {
  const script = startScript();
  script.leave('/a', [1, 2]);
  script.populated('/a', { hierarchy: 2 });
  script.rmdir('/a', { hierarchy: 1 });
  assert.deepEqual(script.expire(), []);
});

test('removed ones are remembered only as long as one is left', () => {
  const script = startScript();
  script.leave('/a', [1, 2]);
  script.rmdir('/a', { hierarchy: 1 });
  script.rmdir('/a', { hierarchy: 2 });
  script.leave('/a', [2]);
  script.expire();
  assert.deepEqual(script.changes(), ['opened abandoned /a left 2']);
});

test('one that is made again in a hierarchy takes the place of the removed one', () => {
  const script = startScript();
  const createdAt = script.now();
  script.leave('/a', [1, 2]);
  script.rmdir('/a', { hierarchy: 1 });
  script.advance(1);
  script.mkdir('/a', { hierarchy: 1, task: { ...runtime, comm: 'other' } });
  script.expire();
  const [finding] = script.take();
  assert.equal(finding?.finding, 'abandoned');
  assert.deepEqual(
    finding.left.map(({ hierarchy }) => hierarchy),
    [1, 2],
  );
  // The older one's.
  assert.equal(finding.createdAt, createdAt);
  assert.equal(finding.creator?.comm, runtime.comm);
});
