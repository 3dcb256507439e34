import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createLifecycle, settleAll } from '../../../src/lifecycle/index.js';
import { parseNomadTrace, readNomadTrace } from '../../support/nomad-trace.js';

const text = readNomadTrace();

/** The findings of a replay: its end is now, the grace zero. */
function replay(lines: string, parents: boolean) {
  const lifecycle = createLifecycle({ grace: 0n, parents });
  const events = parseNomadTrace(lines);
  for (const event of events) lifecycle.feed(event);
  settleAll(lifecycle, events.at(-1)?.time ?? 0n);
  return { findings: lifecycle.takeChanges(), counts: lifecycle.counts() };
}

/**
 * By the text alone: `root=9 id=158` of what was created, emptied, and never
 * removed. Without parents: of paths that never had a child. With them: of paths
 * that have none at the end.
 */
function leftBehind(lines: string, parents: boolean): string[] {
  const state = new Map<string, { path: string; value: string }>();
  const madePaths = new Set<string>();
  for (const line of lines.split('\n')) {
    const name = /root=\d+ id=\d+/.exec(line)?.[0] ?? '';
    const path = /\/nomad\S*/.exec(line)?.[0] ?? '';
    if (line.startsWith('mkdir')) {
      state.set(name, { path, value: 'new' });
      madePaths.add(path);
    } else if (line.startsWith('rmdir')) {
      state.delete(name);
    } else {
      const value = / val=([01])/.exec(line)?.[1];
      const known = state.get(name);
      if (known && value !== undefined) known.value = value;
    }
  }
  const standing = [...state.values()].map(({ path }) => path);
  const others = parents ? standing : [...madePaths];
  return [...state]
    .filter(([, { value }]) => value === '0')
    .filter(([, { path }]) => !others.some((other) => other.startsWith(`${path}/`)))
    .map(([name]) => name)
    .sort();
}

function found(lines: string, parents: boolean): string[] {
  return replay(lines, parents)
    .findings.flatMap(({ left }) => left)
    .map(({ hierarchy, id }) => `root=${hierarchy} id=${id}`)
    .sort();
}

test('of Nomad’s cgroups exactly those that it left behind are found', () => {
  const expected = leftBehind(text, false);
  assert.equal(expected.length, 17);
  assert.deepEqual(found(text, false), expected);
  assert.deepEqual(found(text, true), leftBehind(text, true));
});

test('each of them is partial: left in name=systemd, removed from twelve others', () => {
  const { findings, counts } = replay(text, false);
  for (const { state, finding, left, removed, preexisting } of findings) {
    assert.deepEqual([state, finding, preexisting], ['opened', 'partial', false]);
    assert.deepEqual(
      left.map(({ hierarchy }) => hierarchy),
      [9],
    );
    assert.deepEqual(
      removed.map(({ hierarchy }) => hierarchy),
      [1, 2, 3, 4, 5, 6, 7, 8, 10, 11, 12, 13],
    );
  }
  assert.deepEqual(counts, {
    created: 234,
    removed: 204,
    findings: 17,
    open: 17,
    emptyParents: 0,
    tracked: 30,
  });
});

test('once those are removed, too, the parent is found where it is asked for', () => {
  const removals = [
    ...text.matchAll(/^mkdir \S+ (root=9 id=\d+ \/nomad\/\S+ comm=\S+)/gm),
  ].map(([, cgroup]) => `rmdir ${cgroup ?? ''}\n`);
  assert.equal(removals.length, 17);
  const cleaned = text + removals.join('');
  assert.deepEqual(found(cleaned, false), []);
  assert.deepEqual(leftBehind(cleaned, false), []);
  const expected = leftBehind(cleaned, true);
  assert.equal(expected.length, 13);
  assert.deepEqual(found(cleaned, true), expected);
  assert.equal(replay(cleaned, true).counts.emptyParents, 1);
});

test('the same recording always gives the same findings', () => {
  assert.deepEqual(replay(text, true), replay(text, true));
});
