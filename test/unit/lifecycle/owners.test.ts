import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { OwnerOf, Ownership } from '../../../src/owners/index.js';
import { second, startScript } from './script.js';

const row: Ownership = {
  owner: 'some',
  keepsEmpty: false,
  isWholeParent: false,
  outlives: false,
};

const ownerOf: OwnerOf = (path) => {
  if (path === '/kept') return { ...row, owner: 'keeper', keepsEmpty: true };
  if (path.startsWith('/pods/')) return { ...row, owner: 'pod', isWholeParent: true };
  if (path.startsWith('/slow/')) return { ...row, owner: 'slow', grace: 60n * second };
  if (path.startsWith('/box-')) return { ...row, owner: 'box', id: path.slice(5) };
  return undefined;
};

test('what an owner keeps empty on purpose is no finding', () => {
  const script = startScript({ ownerOf });
  script.leave('/kept');
  script.leave('/other');
  script.expire();
  assert.deepEqual(script.changes(), ['opened abandoned /other left 0']);
});

test('a parent that is one thing with its children is a finding once they are gone', () => {
  const script = startScript({ ownerOf });
  for (const path of ['/pods/a', '/plain']) {
    script.mkdir(path);
    script.leave(`${path}/child`);
    script.rmdir(`${path}/child`);
  }
  script.populated('/pods/a');
  script.emptied('/pods/a');
  script.expire();
  const findings = script.take();
  assert.deepEqual(
    findings.map(({ path, parent }) => [path, parent]),
    [['/pods/a', true]],
  );
});

test('a finding tells whose it is', () => {
  const script = startScript({ ownerOf });
  script.leave('/box-17');
  script.leave('/nobodys');
  script.expire();
  const owners = script.take().map(({ owner }) => owner);
  assert.deepEqual(owners, [{ ...row, owner: 'box', id: '17' }, undefined]);
});

test('the grace of an owner counts where that is asked for', () => {
  const asked = startScript({ ownerOf, ownerGraces: true });
  const notAsked = startScript({ ownerOf });
  for (const script of [asked, notAsked]) {
    script.leave('/slow/a');
    script.leave('/a');
  }
  assert.deepEqual(asked.expire(), ['/a']);
  assert.deepEqual(notAsked.expire().sort(), ['/a', '/slow/a']);
  assert.equal(asked.lifecycle.nextDue(), asked.now() + 50n * second);
  asked.advance(50);
  assert.deepEqual(asked.settle(), ['/slow/a']);
});

test('how long removal takes is learned by owner, wherever its cgroups are', () => {
  const script = startScript({ ownerOf });
  for (const [path, seconds] of [
    ['/box-1', 1],
    ['/box-2', 3],
    ['/nobodys', 9],
  ] as const) {
    script.leave(path);
    script.advance(seconds);
    script.rmdir(path);
  }
  script.leave('/box-3');
  script.expire();
  assert.deepEqual(script.take()[0]?.siblings, {
    count: 2,
    p50: 1n * second,
    p99: 3n * second,
  });
});

test('a candidate that is put off is one again after another grace', () => {
  const script = startScript();
  script.leave('/a');
  script.advance(10);
  const [candidate] = script.lifecycle.due(script.now());
  assert.ok(candidate);
  script.lifecycle.postpone(candidate, script.now());
  assert.deepEqual(script.settle(), []);
  assert.deepEqual(script.expire(), ['/a']);
  assert.deepEqual(script.changes(), ['opened abandoned /a left 0']);
  // What happened since says more than an answer that comes late.
  script.lifecycle.postpone(candidate, script.now());
  assert.equal(script.lifecycle.nextDue(), undefined);
});
