import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createOwnerOf, defineOwnerRows, ownerRows } from '../../../src/owners/index.js';
import { createMatchState, matchPattern } from '../../../src/owners/match-pattern.js';
import { createOwnerSearch } from '../../../src/owners/owner-of.js';
import { parseOwnerPattern } from '../../../src/owners/owner-pattern.js';

/** Numbers that look random, and are the same every time. */
function createRandom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

test('the first row that matches counts, wherever it is looked up', () => {
  const rows = defineOwnerRows([
    { name: 'mine', pattern: 'docker/{id}', idKind: 'thing', keepsEmpty: true },
    { name: 'general', pattern: ['*.scope', 'docker/x'] },
  ]);
  const ownerOf = createOwnerOf([...rows, ...ownerRows]);
  assert.deepEqual(ownerOf('/docker/x'), {
    owner: 'mine',
    idKind: 'thing',
    id: 'x',
    keepsEmpty: true,
    isWholeParent: false,
    outlives: false,
  });
  assert.deepEqual(ownerOf(`/docker-${'a'.repeat(64)}.scope`), {
    owner: 'general',
    keepsEmpty: false,
    isWholeParent: false,
    outlives: false,
  });
  assert.equal(ownerOf('/docker')?.owner, 'docker-parent');
  assert.equal(createOwnerOf([])('/docker'), undefined);
});

test('the index finds what trying every pattern in order finds', () => {
  const search = createOwnerSearch(ownerRows);
  const patterns = ownerRows.flatMap((row) =>
    row.patterns.map((text) => ({ row, pattern: parseOwnerPattern(text) })),
  );
  const random = createRandom(7);
  const components = ownerRows.flatMap((row) => row.example.split('/').slice(1));
  const state = createMatchState();
  let owned = 0;
  for (let turn = 0; turn < 20_000; turn++) {
    let path = '';
    for (let depth = random(4); depth >= 0; depth--) {
      let name = components[random(components.length)] ?? '';
      if (random(4) === 0) {
        const at = random(name.length);
        name =
          name.slice(0, at) + 'x.-:_a0'.charAt(random(7)) + name.slice(at + random(2));
      }
      path += `/${name}`;
    }
    const first = patterns.find(({ pattern }) =>
      matchPattern(pattern, path, path.length, state),
    );
    const found = search(path, state);
    if (first) {
      owned++;
      assert.equal(found?.owner, first.row.name, path);
    } else if (found) assert.equal(found.keepsEmpty, false, path);
  }
  assert.ok(owned > 5_000, `${owned} of them have an owner`);
});

test('no bytes make it throw', () => {
  const ownerOf = createOwnerOf();
  const random = createRandom(11);
  const known = ownerRows.map((row) => row.example).join('');
  let owned = 0;
  for (let turn = 0; turn < 20_000; turn++) {
    let path = random(10) === 0 ? '' : '/';
    for (let length = random(200); length > 0; length--) {
      const from = random(known.length);
      path +=
        random(3) === 0
          ? String.fromCharCode(random(256))
          : known.slice(from, from + random(90));
    }
    const ownership = ownerOf(path);
    if (!ownership) continue;
    owned++;
    assert.ok(ownerRows.some((row) => row.name === ownership.owner));
    if (ownership.id !== undefined) assert.ok(ownership.id.length > 0, path);
  }
  assert.ok(owned > 100, `${owned} of them have an owner`);
});

/** Paths of a length that make a matcher work in vain. */
function hostilePaths(length: number): readonly string[] {
  const uuid = '94715179-b709-3010-3b91-21c477e6fba';
  const fill = (piece: string): string =>
    `/${piece.repeat(Math.ceil(length / piece.length))}`.slice(0, length);
  return [
    ...[
      'a',
      '0',
      '1',
      '-',
      '.',
      '/',
      '_',
      ':',
      '\\',
      'a/',
      '0/',
      '-a',
      'a-1',
      ':docker:',
    ],
    ...['docker-', 'docker/', 'job_1', 'job_1/', 'job_1/step_0/', 'lxc/', 'pod', 'pod/'],
    ...['kubepods', 'kubepods-pod', `kubepods-pod${uuid}`, `${uuid}-`, `nomad/${uuid}/`],
    ...['qemu-1', 'qemu-1-', 'app-flatpak-1-', '\\x2d1\\x2d', 'snap.', 'run-'],
    ...['x.service/', 'a.slice/', 'a'.repeat(64), `-${'a'.repeat(63)}`, 'slurmstepd'],
  ].flatMap((piece) => {
    const path = fill(piece);
    return ['', '.scope', '.slice', '.service', '.libvirt-qemu', '/x'].map(
      (end) => path.slice(0, length - end.length) + end,
    );
  });
}

function costOf(rows: Parameters<typeof createOwnerSearch>[0], path: string): number {
  const state = createMatchState();
  createOwnerSearch(rows)(path, state);
  return state.count;
}

test('the cost of the longest paths is linear', () => {
  let most = 0;
  hostilePaths(4095).forEach((path, at) => {
    assert.equal(path.length, 4095);
    const cost = costOf(ownerRows, path);
    const half = costOf(ownerRows, hostilePaths(2047)[at] ?? '');
    // Twice as long takes twice as many steps, but for what the ends differ in.
    assert.ok(cost <= 3 * half + 20_000, `${cost} after ${half}: ${path.slice(0, 40)}`);
    most = Math.max(most, cost / path.length);
  });
  assert.ok(most > 1 && most < 200, `${most} steps a byte`);
});

test('whatever pattern a user writes, its cost is bounded by path times pattern', () => {
  const pieces = ['*', '**', '/', 'a', 'aa', '-', '{id}', '{hex64}', '{uuid}', '{uid}'];
  pieces.push('{number}', '{hex}', '0', 'b', '*a', '-*', '/**/', '_{number}_', '-{hex}x');
  const random = createRandom(3);
  const paths = hostilePaths(4095).filter((_, at) => at % 5 === 0);
  const state = createMatchState();
  let valid = 0;
  for (let turn = 0; turn < 3_000; turn++) {
    let text = '';
    for (let parts = 1 + random(12); parts > 0; parts--)
      text += pieces[random(pieces.length)] ?? '';
    let pattern;
    try {
      pattern = parseOwnerPattern(text);
    } catch {
      continue;
    }
    valid++;
    const path = paths[random(paths.length)] ?? '';
    state.count = 0;
    matchPattern(pattern, path, path.length, state);
    // A class is as long as what it stands for.
    const weight = text.length + 64 * (text.match(/\{/g)?.length ?? 0);
    assert.ok(
      state.count <= 2 * weight * path.length,
      `${text} took ${state.count} steps on ${path.slice(0, 40)}`,
    );
  }
  assert.ok(valid > 300, `${valid} of them are patterns`);
});

test('a longer path than the kernel makes belongs to nobody', () => {
  const ownerOf = createOwnerOf();
  const name = '/x.service';
  assert.equal(ownerOf('/a'.repeat(2042) + 'b' + name)?.owner, 'systemd-service');
  assert.equal(ownerOf('/a'.repeat(2043) + name), undefined);
});
