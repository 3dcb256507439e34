import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  cgroupDirectory,
  cgroupPath,
  cgroupState,
  createHierarchyTable,
  memoryCgroupsInUse,
} from '../../../src/cgroupfs/index.js';
import type { CgroupFiles, Hierarchy } from '../../../src/cgroupfs/index.js';
import { fakeProc } from './proc-fixture.js';

const memory: Hierarchy = {
  id: 4,
  version: 1,
  controllers: ['memory'],
  mountPoint: '/cg/memory',
  mountRoot: '/',
};
const unified: Hierarchy = {
  id: 0,
  version: 2,
  controllers: ['v2'],
  mountPoint: '/cg',
  mountRoot: '/',
};

const magics = { 1: 0x27e0ebn, 2: 0x63677270n };

interface FakeCgroup {
  readonly ino: bigint;
  readonly nlink: bigint;
  readonly files: Readonly<Record<string, string>>;
}

/** A file system of a few cgroups. */
function files(
  cgroups: Readonly<Record<string, FakeCgroup>>,
  magic: bigint,
): CgroupFiles {
  const missing = () => Object.assign(new Error('ENOENT'), { code: 'ENOENT' });
  return {
    lstat: (directory) => {
      const found = cgroups[directory.toString('latin1')];
      if (!found) throw missing();
      return found;
    },
    readFile: (file) => {
      const path = file.toString('latin1');
      const at = path.lastIndexOf('/');
      const text = cgroups[path.slice(0, at)]?.files[path.slice(at + 1)];
      if (text === undefined)
        throw Object.assign(new Error('ENODEV'), { code: 'ENODEV' });
      return text;
    },
    fileSystem: () => magic,
  };
}

const v1 = (procs: string, tasks = procs, nlink = 2n): FakeCgroup => ({
  ino: 7n,
  nlink,
  files: { 'cgroup.procs': procs, tasks },
});
const v2 = (populated: 0 | 1): FakeCgroup => ({
  ino: 7n,
  nlink: 2n,
  files: { 'cgroup.events': `populated ${populated}\nfrozen 0\n` },
});

test('a v1 cgroup is told by its directory, its tasks and its children', () => {
  const state = (cgroup: FakeCgroup) =>
    cgroupState(memory, '/a', 7n, files({ '/cg/memory/a': cgroup }, magics[1]));
  assert.equal(state(v1('')), 'empty');
  assert.equal(state(v1('12\n')), 'populated');
  assert.equal(state(v1('', '13\n')), 'populated');
  assert.equal(state(v1('12\n', '12\n', 3n)), 'parent');
  assert.equal(state({ ...v1(''), ino: 8n }), 'replaced');
  assert.equal(state({ ...v1(''), files: {} }), 'absent');
});

test('a v2 cgroup is told by cgroup.events, threaded or not', () => {
  const state = (cgroup: FakeCgroup) =>
    cgroupState(unified, '/a', 7n, files({ '/cg/a': cgroup }, magics[2]));
  assert.equal(state(v2(0)), 'empty');
  assert.equal(state(v2(1)), 'populated');
});

test('what is not there is absent only while its hierarchy is mounted', () => {
  assert.equal(cgroupState(memory, '/a', 7n, files({}, magics[1])), 'absent');
  const tmpfs = 0x01021994n;
  assert.equal(cgroupState(memory, '/a', 7n, files({}, tmpfs)), 'unknown');
  assert.equal(
    cgroupState(
      memory,
      '/a',
      7n,
      files({ '/cg/memory/a': { ...v1(''), ino: 9n } }, tmpfs),
    ),
    'unknown',
  );
  const nowhere: Hierarchy = { id: 4, version: 1, controllers: ['memory'] };
  assert.equal(cgroupState(nowhere, '/a', 7n, files({}, magics[1])), 'unknown');
  const part = { ...memory, mountRoot: '/docker/abc' };
  assert.equal(cgroupState(part, '/docker/other', 7n, files({}, magics[1])), 'unknown');
});

test('a file system that refuses says nothing', () => {
  const refusing: CgroupFiles = {
    ...files({}, magics[1]),
    lstat: () => {
      throw Object.assign(new Error('EACCES'), { code: 'EACCES' });
    },
  };
  assert.equal(cgroupState(memory, '/a', 7n, refusing), 'unknown');
});

test('a path becomes a directory, byte for byte, and back', () => {
  const part = { ...memory, mountRoot: '/docker/abc' };
  const directory = (hierarchy: Hierarchy, path: string) =>
    cgroupDirectory(hierarchy, path)?.toString('latin1');
  assert.equal(directory(memory, '/a b\xff/\x1b'), '/cg/memory/a b\xff/\x1b');
  assert.equal(directory(memory, '/'), '/cg/memory');
  assert.equal(directory(part, '/docker/abc/x'), '/cg/memory/x');
  assert.equal(directory(part, '/docker/abc'), '/cg/memory');
  assert.equal(directory(part, '/docker/abcd'), undefined);
  assert.equal(directory({ ...memory, mountPoint: '/' }, '/a'), '/a');

  assert.equal(cgroupPath([unified, memory], '/cg/memory/a\xff'), '/a\xff');
  assert.equal(cgroupPath([unified, memory], '/cg/memory'), '/');
  assert.equal(cgroupPath([unified, memory], '/cg/other'), '/other');
  assert.equal(cgroupPath([part], '/cg/memory/x'), '/docker/abc/x');
  assert.equal(cgroupPath([memory], '/nomad'), undefined);
});

test('the table reads again for a hierarchy that it does not know, once a second', () => {
  let now = 0;
  let reads = 0;
  let mounted = [unified];
  const table = createHierarchyTable({
    now: () => now,
    read: () => {
      reads += 1;
      return mounted;
    },
  });
  mounted = [unified, memory];
  assert.equal(table.get(4), undefined);
  now = 1_000;
  assert.equal(table.get(4), memory);
  assert.equal(table.get(0), unified);
  assert.deepEqual(table.all(), mounted);
  assert.equal(table.get(9), undefined);
  assert.equal(table.get(9), undefined);
  assert.equal(reads, 2);
});

test('a later read that fails leaves what was known', () => {
  let now = 0;
  const results = [[unified]];
  const table = createHierarchyTable({
    now: () => now,
    read: () => {
      const result = results.shift();
      if (!result) throw new Error('proc is gone');
      return result;
    },
  });
  now = 5_000;
  assert.equal(table.get(4), undefined);
  assert.equal(table.get(0), unified);
});

test('memory cgroups in use come from /proc/cgroups', (context) => {
  const head = '#subsys_name\thierarchy\tnum_cgroups\tenabled\n';
  const inUse = (cgroups: string) => memoryCgroupsInUse(fakeProc(context, { cgroups }));
  assert.equal(inUse(`${head}cpu\t1\t1\t1\nmemory\t4\t42\t1\n`), 42);
  assert.equal(inUse(`${head}memory\t0\t1\t0\n`), undefined);
  assert.equal(inUse(head), undefined);
});
