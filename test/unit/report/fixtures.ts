import type { CgroupEvent, Task } from '../../../src/events/index.js';
import type { Hierarchy } from '../../../src/cgroupfs/index.js';
import type { Finding } from '../../../src/lifecycle/index.js';
import type { ReportContext } from '../../../src/report/index.js';

export const second = 1_000_000_000n;

export const hierarchies: readonly Hierarchy[] = [
  { id: 0, version: 2, controllers: ['v2'], mountPoint: '/cg/unified', mountRoot: '/' },
  { id: 1, version: 1, controllers: ['cpu', 'cpuacct'], mountPoint: '/cg/cpu,cpuacct' },
  { id: 4, version: 1, controllers: ['memory'], mountPoint: '/cg/memory' },
  { id: 9, version: 1, controllers: ['name=systemd'], mountPoint: '/cg/systemd' },
  { id: 10, version: 1, controllers: ['pids'] },
];

/** The host's clock stood at 2026-12-01 14:00:00 when the monotonic one began. */
export const context: ReportContext = {
  toWallClock: (monotonic) => BigInt(Date.UTC(2026, 11, 1, 14)) * 1_000_000n + monotonic,
  hierarchy: (id) => hierarchies.find((hierarchy) => hierarchy.id === id),
};

export const nomad: Task = { pid: 13590, tid: 13591, uid: 0, comm: 'nomad' };
export const path = '/nomad/94715179-b709-3010-3b91-21c477e6fbad';

const base = {
  time: 62n * second + 42_000_001n,
  hierarchy: 1,
  id: 18_446_744_073_709_551_615n,
  path,
  pathTruncated: false,
  task: nomad,
};

export const mkdir: CgroupEvent = {
  ...base,
  kind: 'mkdir',
  ancestors: [
    { pid: 13011, comm: 'nomad' },
    { pid: 1, comm: 'systemd' },
  ],
};
export const emptiedByExit: CgroupEvent = {
  ...base,
  kind: 'emptied',
  task: { pid: 0, tid: 0, uid: 0, comm: 'swapper/0' },
  lastTask: { pid: 13602, tid: 13603, comm: 'ls', exitCode: 0, signal: null },
};
export const emptiedBySignal: CgroupEvent = {
  ...base,
  kind: 'emptied',
  lastTask: { pid: 13602, tid: 13602, comm: 'ls', exitCode: null, signal: 9 },
};
export const emptiedByMove: CgroupEvent = {
  ...base,
  kind: 'emptied',
  movedBy: { pid: 7, comm: 'cgexec' },
};
export const plain = (['populated', 'rmdir', 'release', 'rename'] as const).map(
  (kind): CgroupEvent => ({ ...base, kind }),
);
export const strange: CgroupEvent = {
  ...base,
  kind: 'mkdir',
  hierarchy: 77,
  path: '/a b/\x1b[31m\xff"\\x41',
  pathTruncated: true,
  task: { ...nomad, comm: 'a\x1b[2J\xfe b' },
  ancestors: [],
};

export const opened: Finding = {
  key: 1,
  state: 'opened',
  finding: 'partial',
  time: 131n * second,
  path,
  left: [{ hierarchy: 9, id: 274n }],
  removed: [
    { hierarchy: 0, id: 1n },
    { hierarchy: 1, id: 2n },
    { hierarchy: 4, id: 3n },
  ],
  createdAt: 98n * second,
  preexisting: false,
  creator: {
    pid: 13590,
    comm: 'nomad',
    ancestors: [
      { pid: 13011, comm: 'nomad' },
      { pid: 1, comm: 'systemd' },
    ],
  },
  emptiedAt: 101n * second,
  lastTask: { pid: 13602, tid: 13602, comm: 'ls', exitCode: 0, signal: null },
  siblings: { count: 341, p50: 12_345_678n, p99: 80_000_000n },
  parent: false,
};

export const closed: Finding = {
  ...opened,
  state: 'closed',
  time: 161n * second,
  reason: 'removed',
  removedBy: { pid: 14007, tid: 14007, uid: 1000, comm: 'rmdir' },
};

/** As little as may be known. */
export const bare: Finding = {
  key: 2,
  state: 'opened',
  finding: 'abandoned',
  time: 131n * second,
  path: '/x\xff',
  left: [{ hierarchy: 77, id: 274n }],
  removed: [],
  preexisting: true,
  parent: true,
};

export const dying: Finding = {
  key: 3,
  state: 'opened',
  finding: 'dying',
  time: 131n * second,
  path: '/jobs\xff',
  left: [],
  removed: [],
  preexisting: false,
  parent: false,
  removedBy: nomad,
  dying: {
    cgroups: 1234,
    hierarchies: [4],
    oldestRemovedAt: 98n * second,
    pinnedBytes: 240 * 1024 * 1024,
  },
};
