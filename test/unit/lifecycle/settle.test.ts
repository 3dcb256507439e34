import assert from 'node:assert/strict';
import { test } from 'node:test';
import { settleAll } from '../../../src/lifecycle/index.js';
import { second, startScript } from './script.js';

test('what the file system says is gone, goes', () => {
  for (const state of ['absent', 'replaced'] as const) {
    const script = startScript();
    script.leave('/a');
    assert.deepEqual(script.expire(state), ['/a']);
    assert.deepEqual(script.changes(), []);
    assert.equal(script.lifecycle.counts().tracked, 0);
    // Nobody reported it, so nobody counts it.
    assert.equal(script.lifecycle.counts().removed, 0);
    assert.equal(script.lifecycle.nextDue(), undefined);
  }
});

test('what is left of one that is partly gone waits for another grace', () => {
  const script = startScript();
  script.leave('/a', [1, 2]);
  script.expire((_, hierarchy) => (hierarchy === 1 ? 'absent' : 'empty'));
  // Perhaps somebody is just removing one after the other.
  assert.deepEqual(script.changes(), []);
  script.advance(9);
  assert.deepEqual(script.settle(), []);
  script.advance(1);
  script.settle();
  assert.deepEqual(script.changes(), ['opened partial /a left 2 removed 1']);
});

test('one that is populated after all is looked at again after another grace', () => {
  const script = startScript();
  script.leave('/a', [1, 2]);
  const populated = (_: string, hierarchy: number) =>
    hierarchy === 2 ? 'populated' : 'empty';
  assert.deepEqual(script.expire(populated), ['/a']);
  script.advance(9);
  assert.deepEqual(script.settle(populated), []);
  script.advance(1);
  assert.deepEqual(script.settle(populated), ['/a']);
  assert.deepEqual(script.changes(), []);
  // Its events were lost, so the time is the one at which it was seen to be empty.
  script.expire();
  const [finding] = script.take();
  assert.equal(finding?.state, 'opened');
  assert.equal(finding.emptiedAt, script.now());
});

test('one that is populated after all is waited for by its events, too', () => {
  const script = startScript();
  script.leave('/a');
  script.expire('populated');
  script.advance(5);
  script.emptied('/a');
  script.advance(9);
  assert.deepEqual(script.settle(), []);
  script.advance(1);
  assert.deepEqual(script.settle(), ['/a']);
  assert.deepEqual(script.changes(), ['opened abandoned /a left 0']);
});

test('one that has children after all is a parent', () => {
  const script = startScript();
  script.emptied('/docker');
  assert.deepEqual(script.expire('parent'), ['/docker']);
  assert.equal(script.lifecycle.nextDue(), undefined);
  assert.equal(script.lifecycle.counts().emptyParents, 0);
  script.populated('/docker');
  script.emptied('/docker');
  assert.deepEqual(script.expire(), []);
});

test('a parent that is asked for is looked at until its unseen children are gone', () => {
  const script = startScript({ parents: true });
  script.emptied('/docker');
  assert.deepEqual(script.expire('parent'), ['/docker']);
  assert.deepEqual(script.expire('parent'), ['/docker']);
  assert.equal(script.lifecycle.counts().emptyParents, 0);
  assert.deepEqual(script.changes(), []);
  assert.deepEqual(script.expire('empty'), ['/docker']);
  const [finding] = script.take();
  assert.equal(finding?.parent, true);
  assert.equal(script.lifecycle.counts().emptyParents, 1);
});

test('children that the file system denies are gone, with all below them', () => {
  const script = startScript({ parents: true });
  script.emptied('/p');
  script.expire('parent');
  script.mkdir('/p/a');
  script.mkdir('/p/a/b');
  script.populated('/p/a/b');
  script.mkdir('/p/a', { hierarchy: 1 });
  assert.equal(script.lifecycle.counts().tracked, 5);
  assert.deepEqual(script.expire('empty'), ['/p']);
  // Those of the hierarchy 1 are not denied.
  assert.equal(script.lifecycle.counts().tracked, 3);
});

test('where the file system shows nothing the events are trusted', () => {
  const script = startScript();
  script.leave('/a', [1, 2]);
  script.expire('unknown');
  assert.deepEqual(script.changes(), ['opened abandoned /a left 1,2']);
});

test('a doubt stays while the file system shows nothing', () => {
  const script = startScript();
  script.leave('/a');
  script.expire('populated');
  assert.deepEqual(script.expire('unknown'), ['/a']);
  assert.deepEqual(script.changes(), []);
  script.expire('empty');
  assert.deepEqual(script.changes(), ['opened abandoned /a left 0']);
});

test('a candidate that has changed before it is settled is not told', () => {
  for (const change of ['populated', 'rmdir', 'emptied'] as const) {
    const script = startScript({ grace: 0n });
    script.leave('/a');
    script.advance(1);
    const [candidate] = script.lifecycle.due(script.now());
    assert.ok(candidate);
    assert.deepEqual(script.lifecycle.due(script.now()), []);
    script[change]('/a');
    const [member] = candidate.members;
    assert.ok(member);
    script.lifecycle.settle(candidate, [{ ...member, state: 'empty' }], script.now());
    assert.deepEqual(script.changes(), [], change);
    assert.deepEqual(script.settle(), change === 'emptied' ? ['/a'] : [], change);
  }
});

test('what was seen of an older cgroup says nothing of a newer one', () => {
  const script = startScript();
  script.leave('/a');
  script.advance(10);
  const [older] = script.lifecycle.due(script.now());
  assert.ok(older);
  script.leave('/a');
  script.advance(10);
  assert.equal(script.lifecycle.due(script.now()).length, 1);
  const observed = older.members.map((member) => ({
    ...member,
    state: 'absent' as const,
  }));
  script.lifecycle.settle(older, observed, script.now());
  assert.equal(script.lifecycle.counts().tracked, 1);
});

test('settleAll trusts the events of a replay', () => {
  const script = startScript();
  script.leave('/a');
  settleAll(script.lifecycle, script.now());
  assert.deepEqual(script.changes(), []);
  settleAll(script.lifecycle, script.now() + 10n * second);
  assert.deepEqual(script.changes(), ['opened abandoned /a left 0']);
});
