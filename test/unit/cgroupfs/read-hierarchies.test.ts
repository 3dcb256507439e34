import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CgroupfsError, readHierarchies } from '../../../src/cgroupfs/index.js';
import { fakeProc } from './proc-fixture.js';

const root = '22 1 8:1 / / rw,relatime shared:1 - ext4 /dev/sda1 rw\n';
const sys = '23 22 0:21 / /sys rw,nosuid shared:7 - sysfs sysfs rw\n';

test('v2 alone', (context) => {
  const proc = fakeProc(context, {
    cgroup: '0::/user.slice/user-0.slice/session-1.scope\n',
    mountinfo: `${root}${sys}30 23 0:26 / /sys/fs/cgroup rw,nosuid shared:9 - cgroup2 cgroup2 rw,nsdelegate\n`,
  });
  assert.deepEqual(readHierarchies(proc), [
    {
      id: 0,
      version: 2,
      controllers: ['v2'],
      mountPoint: '/sys/fs/cgroup',
      mountRoot: '/',
    },
  ]);
});

test('v1 with controllers mounted together, a name, and one that is mounted nowhere', (context) => {
  const proc = fakeProc(context, {
    cgroup: [
      '12:pids:/a:b',
      '4:cpu,cpuacct:/',
      '3:net_cls,net_prio:/',
      '1:name=systemd:/init.scope',
    ].join('\n'),
    mountinfo: [
      root.trim(),
      '31 22 0:27 / /sys/fs/cgroup ro,nosuid shared:9 - tmpfs tmpfs ro,mode=755',
      '32 31 0:28 / /sys/fs/cgroup/systemd rw shared:10 - cgroup cgroup rw,xattr,name=systemd',
      '33 31 0:29 / /sys/fs/cgroup/cpu,cpuacct rw shared:11 - cgroup cgroup rw,cpu,cpuacct',
      '34 31 0:30 / /sys/fs/cgroup/pids rw shared:12 - cgroup cgroup rw,pids,release_agent=/a\\054cpu,clone_children',
    ].join('\n'),
  });
  assert.deepEqual(readHierarchies(proc), [
    {
      id: 1,
      version: 1,
      controllers: ['name=systemd'],
      mountPoint: '/sys/fs/cgroup/systemd',
      mountRoot: '/',
    },
    { id: 3, version: 1, controllers: ['net_cls', 'net_prio'] },
    {
      id: 4,
      version: 1,
      controllers: ['cpu', 'cpuacct'],
      mountPoint: '/sys/fs/cgroup/cpu,cpuacct',
      mountRoot: '/',
    },
    {
      id: 12,
      version: 1,
      controllers: ['pids'],
      mountPoint: '/sys/fs/cgroup/pids',
      mountRoot: '/',
    },
  ]);
});

test('of several mounts the one of the root is taken, then a writable, then the shortest', (context) => {
  const proc = fakeProc(context, {
    cgroup: '4:memory:/\n0::/\n',
    mountinfo: [
      root.trim(),
      '30 22 0:28 /docker/abc /m rw - cgroup cgroup rw,memory',
      '31 22 0:28 / /mnt/read/only ro - cgroup cgroup rw,memory',
      '32 22 0:28 / /mnt/a/much/longer/name rw - cgroup cgroup rw,memory',
      '33 22 0:28 / /mnt/long/name rw - cgroup cgroup rw,memory',
      '34 22 0:28 /gone//deleted /x rw - cgroup cgroup rw,memory',
      '35 22 0:29 /docker/abc /unified rw - cgroup2 cgroup2 rw',
    ].join('\n'),
  });
  assert.deepEqual(
    readHierarchies(proc).map(({ mountPoint, mountRoot }) => [mountPoint, mountRoot]),
    [
      ['/unified', '/docker/abc'],
      ['/mnt/long/name', '/'],
    ],
  );
});

test('names in octal and bytes that are no UTF-8 survive', (context) => {
  const proc = fakeProc(context, {
    cgroup: '0::/\n',
    mountinfo: `${root}30 22 0:29 / /a\\040b\\134c\\012\xff rw - cgroup2 cgroup2 rw\n`,
  });
  assert.equal(readHierarchies(proc)[0]?.mountPoint, '/a b\\c\n\xff');
});

test('a mount beneath another one is not taken', (context) => {
  const covered = (mounts: readonly string[]) =>
    readHierarchies(
      fakeProc(context, {
        cgroup: '0::/\n',
        mountinfo: [root.trim(), ...mounts].join('\n'),
      }),
    )[0]?.mountPoint;

  const cgroup2 = '30 22 0:29 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw';
  assert.equal(covered([cgroup2]), '/sys/fs/cgroup');
  // On it, and on a directory above it.
  assert.equal(
    covered([cgroup2, '31 30 0:30 / /sys/fs/cgroup rw - tmpfs tmpfs rw']),
    undefined,
  );
  assert.equal(covered([cgroup2, '31 22 0:30 / /sys/fs rw - tmpfs tmpfs rw']), undefined);
  // Beside it, and below it.
  assert.equal(
    covered([
      cgroup2,
      '31 22 0:30 / /sys/fs/cg rw - tmpfs tmpfs rw',
      '32 30 0:31 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory',
    ]),
    '/sys/fs/cgroup',
  );
});

test('in a cgroup namespace only a mount counts that shows all of its hierarchy', (context) => {
  const files = {
    cgroup: '0::/\n',
    mountinfo: `${root}30 22 0:29 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n31 22 0:29 /../.. /host/cgroup ro - cgroup2 cgroup2 rw\n`,
  };
  const mountsOf = (namespace: string, shown: string) =>
    readHierarchies({
      ...fakeProc(context, { ...files, namespace }),
      showsRoot: ({ mountPoint }) => mountPoint === shown,
    }).map(({ mountPoint, mountRoot }) => [mountPoint, mountRoot])[0];
  const other = 'cgroup:[4026532281]';
  assert.deepEqual(mountsOf('cgroup:[4026531835]', ''), ['/sys/fs/cgroup', '/']);
  assert.deepEqual(mountsOf(other, '/host/cgroup'), ['/host/cgroup', '/']);
  assert.deepEqual(mountsOf(other, ''), [undefined, undefined]);
});

test('of several mounts those below a chosen directory count', (context) => {
  const proc = fakeProc(context, {
    cgroup: '0::/\n',
    mountinfo: `${root}30 22 0:29 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n31 22 0:29 / /host/cgroup ro - cgroup2 cgroup2 rw\n`,
  });
  const mountPoint = (cgroupRoot: string) =>
    readHierarchies({ ...proc, cgroupRoot })[0]?.mountPoint;
  assert.equal(mountPoint('/'), '/sys/fs/cgroup');
  assert.equal(mountPoint('/sys'), '/sys/fs/cgroup');
  assert.equal(mountPoint('/host/cgroup'), '/host/cgroup');
  assert.throws(
    () => mountPoint('/hos'),
    (error: unknown) => error instanceof CgroupfsError && error.message.includes('/hos'),
  );
});

test('a proc that is not there, or strange, is an error that says what to do', (context) => {
  const good = `${root}30 22 0:29 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n`;
  const bad = [
    { mountinfo: good },
    { cgroup: '0::/\n' },
    { mountinfo: good, cgroup: '' },
    { mountinfo: good, cgroup: 'nonsense\n' },
    { mountinfo: 'cgroup2 /sys/fs/cgroup cgroup2 rw 0 0\n', cgroup: '0::/\n' },
    {
      mountinfo: '30 22 0:29 / /sys/fs/cgroup rw cgroup2 cgroup2 rw\n',
      cgroup: '0::/\n',
    },
  ];
  for (const files of bad)
    assert.throws(
      () => readHierarchies(fakeProc(context, files)),
      (error: unknown) =>
        error instanceof CgroupfsError && /[Mm]ount|proc/.test(error.message),
      JSON.stringify(files),
    );
});

test('the hierarchies of this host include the one this process is in', () => {
  const hierarchies = readHierarchies();
  assert.ok(hierarchies.length > 0);
  assert.ok(hierarchies.some(({ mountPoint }) => mountPoint !== undefined));
});
