import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createMatchState, matchPattern } from '../../../src/owners/match-pattern.js';
import { parseOwnerPattern } from '../../../src/owners/owner-pattern.js';
import { OwnerRowError } from '../../../src/owners/owner-row-error.js';

/** The id, '' for a match without one, undefined for no match. */
function match(pattern: string, path: string): string | undefined {
  const state = createMatchState();
  if (!matchPattern(parseOwnerPattern(pattern), path, path.length, state))
    return undefined;
  return state.idStart < 0 ? '' : path.slice(state.idStart, state.idEnd);
}

test('a pattern is held against the end of a path, or with a / against all of it', () => {
  assert.equal(match('a/{id}', '/x/y/a/b'), 'b');
  assert.equal(match('/a/{id}', '/a/b'), 'b');
  assert.equal(match('/a/{id}', '/x/a/b'), undefined);
  assert.equal(match('a/{id}', '/xa/b'), undefined);
  assert.equal(match('a/{id}', '/a'), undefined);
  assert.equal(match('a/b', '/b'), undefined);
  assert.equal(match('/a', '/a'), '');
  assert.equal(match('/a', 'a'), undefined);
});

test('* and {id} stay within a component, and {id} is not empty', () => {
  assert.equal(match('a*b', '/ab'), '');
  assert.equal(match('a*b', '/a.b.b'), '');
  assert.equal(match('a*b', '/a/b'), undefined);
  assert.equal(match('a{id}b', '/ab'), undefined);
  assert.equal(match('a{id}b', '/axb'), 'x');
  assert.equal(match('{id}-*', '/x-y-z'), 'x');
  assert.equal(match('*-{id}', '/x-y-z'), 'y-z');
  assert.equal(match('app-{id}-{number}.scope', '/app-a-1-b-22.scope'), 'a-1-b');
  assert.equal(match('a*b*c*d', '/a.b.c.b.d'), '');
  assert.equal(match('a*b*c*d', '/a.c.b.d'), undefined);
});

test('** is any number of components', () => {
  assert.equal(match('a/**/{id}', '/a/b'), 'b');
  assert.equal(match('a/**/{id}', '/x/a/1/2/3/b'), 'b');
  assert.equal(match('/a/**/b', '/a/b'), '');
  assert.equal(match('/a/**/b', '/x/a/b'), undefined);
});

test('** stands between, first and last', () => {
  assert.equal(match('a{id}/**', '/x/ab/c/d'), 'b');
  assert.equal(match('a{id}/**', '/x/ab'), 'b');
  assert.equal(match('**/b', '/b'), '');
  assert.equal(match('/a/**/b/**/c', '/a/b/b/x/c'), '');
  assert.equal(match('/a/**/b/**/c', '/a/x/c'), undefined);
  assert.equal(match('a/b/**/c', '/a/a/b/b/c'), '');
});

test('classes', () => {
  const hex = '0123456789abcdef'.repeat(4);
  const uuid = '6ba7b810-9dad-11d1-80b4-00c04fd430c8';
  assert.equal(match('{id:hex64}', `/${hex}`), hex);
  assert.equal(match('*-{id:hex64}.x', `/a-b-${hex}.x`), hex);
  assert.equal(match('{id:hex64}', `/${hex}0`), undefined);
  assert.equal(match('{id:hex64}', `/${hex.slice(1)}`), undefined);
  assert.equal(match('{id:uuid}.*', `/${uuid}.web`), uuid);
  assert.equal(match('{id:uuid}', `/${uuid.replaceAll('-', '_')}`), undefined);
  assert.equal(
    match('{id:uid}', `/${uuid.replaceAll('-', '_')}`),
    uuid.replaceAll('-', '_'),
  );
  assert.equal(match('{id:uid}', `/${uuid.replace('-', '_')}`), undefined);
  assert.equal(match('{id:uid}', `/${hex.slice(32)}`), hex.slice(32));
  assert.equal(match('n{id:number}', '/n0012'), '0012');
  assert.equal(match('n{id:number}', '/n'), undefined);
  assert.equal(match('n{id:number}', '/n12x'), undefined);
  assert.equal(match('x{id:hex}', '/xaF9'), 'aF9');
});

test('a backslash stands for itself, and text beyond ASCII for its bytes', () => {
  assert.equal(match('m\\x2d{id}', '/m\\x2da'), 'a');
  assert.equal(
    match('größe-{id}', `/${Buffer.from('größe-ü').toString('latin1')}`),
    Buffer.from('ü').toString('latin1'),
  );
});

test('a pattern that can mean nothing, or too much, is refused, with a remedy', () => {
  const wrong: readonly (readonly [string, RegExp])[] = [
    ['', /empty component/],
    ['a//b', /empty component/],
    ['/', /empty component/],
    ['a/', /empty component/],
    ['{id}', /any cgroup/],
    ['*', /any cgroup/],
    ['**', /any cgroup/],
    ['{id}/{id}', /more than one/],
    ['{name}', /\{name\}, which is not known.*hex64/],
    ['{id:name}', /not known/],
    ['{id:toString}', /not known/],
    ['a}', /without its \{/],
    ['a{', /not known/],
    ['a**', /single \*/],
    ['a{id}*', /side by side/],
    ['*{number}', /part it/],
    ['{number}{hex}', /part it/],
    ['1{number}', /part it/],
    ['{hex}a', /part it/],
    ['a'.repeat(1025), /longer than 1024/],
    ['a/'.repeat(40) + 'a', /more than 32/],
  ];
  for (const [pattern, message] of wrong)
    assert.throws(
      () => parseOwnerPattern(pattern),
      (error) => error instanceof OwnerRowError && message.test(error.message),
      pattern.slice(0, 40),
    );
});
