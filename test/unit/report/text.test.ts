import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  colourStyle,
  createEventTable,
  plainStyle,
  textDoctor,
  textFinding,
  textSummary,
  textWatching,
} from '../../../src/report/index.js';
import type { ExitedTask } from '../../../src/events/index.js';
import type { Finding } from '../../../src/lifecycle/index.js';
import type { WatchSummary } from '../../../src/watch/index.js';
import { compactDirectories } from '../../../src/report/compact-directories.js';
import {
  bare,
  dying,
  closed,
  context,
  emptiedByExit,
  emptiedByMove,
  emptiedBySignal,
  hierarchies,
  mkdir,
  opened,
  path,
  second,
  strange,
} from './fixtures.js';

const told = (finding: typeof opened) => textFinding(finding, context, plainStyle);
const control = /[\x00-\x09\x0b-\x1f\x7f]/;

test('a partial leak, as a human reads it', () => {
  assert.equal(
    told(opened),
    `LEAKED  /nomad/94715179-b709-3010-3b91-21c477e6fbad  2026-12-01 14:02:11 UTC
  partial: still in name=systemd, but removed from 4 hierarchies (v2, cpu, cpuacct, memory)
  at /cg/systemd/nomad/94715179-b709-3010-3b91-21c477e6fbad
  created 14:01:38 by nomad (pid 13590) <- nomad (13011) <- systemd (1)
  last task ls (pid 13602) exited with code 0 at 14:01:41, 30 s ago; nobody has removed it since
  others under /nomad are usually removed 12 ms after they become empty (p99 80 ms, 341 seen)

`,
  );
});

test('a leak of which little is known says so, and nothing else', () => {
  assert.equal(
    told(bare),
    `LEAKED  /x\\xff  2026-12-01 14:02:11 UTC
  abandoned: parent whose children are gone, still in hierarchy=77
  created before cgleak started, by whom is unknown
  empty since before cgleak started, for how long is unknown

`,
  );
});

test('whose it is, and that it never was used', () => {
  const owner = {
    owner: 'docker',
    idKind: 'container',
    id: '4f\xff',
    keepsEmpty: false,
    isWholeParent: false,
    outlives: false,
  };
  const unused: Finding = { ...opened, finding: 'unused', removed: [], owner };
  delete (unused as { emptiedAt?: bigint }).emptiedAt;
  delete (unused as { lastTask?: ExitedTask }).lastTask;
  assert.match(
    told(unused),
    /\n {2}unused: still in name=systemd\n {2}belongs to docker: container 4f\\xff\n[^]*\n {2}no task has ever been in it\n {2}others of docker are usually removed 12 ms/,
  );
  assert.match(
    told({ ...unused, state: 'closed', reason: 'repopulated' }),
    /\n {2}in use: a task entered it\n/,
  );
});

test('other ends of the last task', () => {
  const moved: Finding = { ...opened };
  delete (moved as { lastTask?: ExitedTask }).lastTask;
  assert.match(
    told({ ...moved, movedBy: { pid: 7, comm: 'cgexec' } }),
    /last task moved out by cgexec \(pid 7\) at 14:01:41, 30 s ago/,
  );
  assert.match(told(moved), /emptied at 14:01:41, 30 s ago/);
  const killed = { pid: 1, tid: 1, comm: 'a', exitCode: null, signal: 15 };
  assert.match(
    told({ ...opened, lastTask: killed }),
    /a \(pid 1\) was killed by SIGTERM at/,
  );
});

test('what happened on another day is told with its day', () => {
  assert.match(
    told({ ...opened, createdAt: -15n * 3600n * second }),
    /created 2026-11-30 23:/,
  );
});

test('the end of a finding says why', () => {
  assert.match(
    told(closed),
    /^CLEARED .*\n {2}gone from all hierarchies, the last removed by rmdir \(pid 14007\), 1m after it became empty\n\n$/,
  );
  assert.match(told({ ...closed, removed: [] }), /\n {2}removed by rmdir/);
  assert.match(
    told({ ...closed, reason: 'repopulated' }),
    /in use again: a task entered/,
  );
  assert.match(
    told({ ...closed, reason: 'renamed' }),
    /\n {2}renamed, .* after it became empty: it is there under another path/,
  );
  assert.match(told({ ...closed, reason: 'parent' }), /in use again: it got a child/);
});

test('no name can reach the terminal as it is', () => {
  const evil = '/\x1b]0;x\x07\x9b\xff';
  const comm = '\x1b[2J';
  const text = told({
    ...opened,
    path: evil,
    creator: { pid: 1, comm, ancestors: [{ pid: 2, comm }] },
    lastTask: { pid: 1, tid: 1, comm, exitCode: 1, signal: null },
  });
  assert.doesNotMatch(text, control);
  assert.doesNotMatch(
    createEventTable(context, plainStyle, []).line(strange).trimEnd(),
    control,
  );
  assert.match(textFinding(opened, context, colourStyle), /\x1b\[31mLEAKED/);
});

test('events stand in columns under their heads', () => {
  const table = createEventTable(context, plainStyle, hierarchies);
  const line = table.line(mkdir);
  assert.match(
    line,
    /^14:01:02\.042 {2}mkdir {6}cpu,cpuacct {3}\/nomad\S+ +13590 {2}nomad {12}<- nomad\(13011\) <- systemd\(1\)\n$/,
  );
  assert.equal(table.header.indexOf('HIERARCHY'), line.indexOf('cpu,cpuacct'));
  assert.equal(table.header.indexOf('CGROUP'), line.indexOf(path));
  // The column has widened for the path: so the next line stands under this one.
  assert.equal(table.line(emptiedByExit).indexOf('13602'), line.indexOf('13590'));
});

test('an emptied cgroup names who left it, not who ran then', () => {
  const table = createEventTable(context, plainStyle, hierarchies);
  assert.match(
    table.line(emptiedByExit),
    / 13602 {2}ls +last task exited with code 0\n$/,
  );
  assert.match(
    table.line(emptiedBySignal),
    / 13602 {2}ls +last task was killed by SIGKILL\n$/,
  );
  assert.match(table.line(emptiedByMove), / 7 {2}cgexec +moved the last task out\n$/);
});

test('a name with blanks is one word', () => {
  const line = createEventTable(context, plainStyle, hierarchies).line(strange);
  assert.deepEqual(line.trim().split(/\s+/).slice(2), [
    'hierarchy=77',
    '.../a\\x20b/\\x1b[31m\\xff"\\\\x41',
    '13590',
    'a\\x1b[2J\\xfe\\x20b',
  ]);
});

test('several directories are one word of a shell', () => {
  assert.equal(compactDirectories(['/cg/memory/a']), '/cg/memory/a');
  assert.equal(
    compactDirectories(['/cg/cpu,cpuacct/a/b', '/cg/memory/a/b']),
    '/cg/{cpu\\,cpuacct,memory}/a/b',
  );
  assert.equal(compactDirectories(['/cg/a b']), "'/cg/a b'");
  assert.equal(compactDirectories(['/cg/x/a', '/mnt/y/z/a']), undefined);
  assert.equal(compactDirectories(['/cg/x/a b', '/cg/y/a b']), undefined);
  assert.equal(compactDirectories([]), undefined);
});

const quiet: WatchSummary = {
  created: 1234,
  removed: 1234,
  findings: 0,
  open: 0,
  pending: 0,
  emptyParents: 0,
  lost: 0,
  duration: 151n * second,
};

test('the summary is one line where nothing is wrong', () => {
  assert.equal(
    textSummary(quiet, plainStyle),
    'Watched for 2m 31s: 1,234 cgroups created, 1,234 removed, 0 leaked, 0 events lost.\n',
  );
});

test('the summary tells what leaked, what is open, and what nobody knows yet', () => {
  const text = textSummary(
    { ...quiet, findings: 3, open: 2, pending: 1, emptyParents: 2, lost: 5 },
    plainStyle,
  );
  assert.match(text, /3 leaked \(2 still there\), 5 events lost\./);
  assert.match(
    text,
    /\n1 empty cgroup still within grace: too early to say whether it leaks\./,
  );
  assert.match(text, /\n2 empty parents, .*--parents/);
  assert.match(
    textSummary({ ...quiet, findings: 3, open: 3 }, plainStyle),
    /3 leaked \(still/,
  );
  assert.match(
    textSummary({ ...quiet, findings: 3 }, plainStyle),
    /3 leaked \(gone by now\)/,
  );
});

test('the summary names what is there still, up to twenty', () => {
  const many = Array.from({ length: 1_022 }, (_, index) => ({
    path: `/a\x1b/${index}`,
    finding: 'abandoned' as const,
  }));
  const lines = (count: number) =>
    textSummary(
      { ...quiet, findings: count, open: count },
      plainStyle,
      many.slice(0, count),
    ).split('\n');
  assert.deepEqual(lines(2).slice(1), ['  /a\\x1b/0', '  /a\\x1b/1', '']);
  assert.deepEqual(lines(20).slice(-2), ['  /a\\x1b/19', '']);
  assert.deepEqual(lines(1_022).slice(-3), [
    '  /a\\x1b/19',
    '  and 1,002 more: cgleak scan',
    '',
  ]);
  const removed = textSummary(quiet, plainStyle, [{ path: '/jobs', finding: 'dying' }]);
  assert.match(removed, /\n {2}\/jobs \(removed from it, not freed\)\n$/);
});

test('the line while nothing happens counts', () => {
  assert.equal(
    textWatching({ created: 12, removed: 10, findings: 2, open: 1 }, 0, 61n * second),
    'watching for 1m 1s: 12 cgroups created, 10 removed, 2 leaked (1 still there), 0 events lost',
  );
});

test('the doctor says what to do, and whether watch works', () => {
  const report = {
    version: '0.1.0',
    kernel: '6.1.0',
    machine: 'x86_64',
    programs: [],
    hierarchies: [],
  };
  const ok = { name: 'kernel', state: 'ok', message: 'Linux' } as const;
  const fail = {
    name: 'BTF',
    state: 'fail',
    message: 'not there',
    remedy: 'boot',
  } as const;
  assert.match(textDoctor({ ...report, checks: [ok] }, plainStyle), /works here\.\n$/);
  assert.equal(
    textDoctor({ ...report, checks: [ok, fail] }, plainStyle),
    `ok    kernel  Linux
fail  BTF     not there
              -> boot

cgleak watch can't run here. See what failed above.
`,
  );
});

test('removed cgroups that are not released: what, where, since when, and what to do', () => {
  assert.equal(
    told(dying),
    [
      'DYING   /jobs\\xff  2026-12-01 14:02:11 UTC',
      '  dying: 1,234 cgroups below it, removed from memory, but not freed by the kernel',
      '  the first removed at 14:01:38, 33 s ago; the last by nomad (pid 13590)',
      '  they keep at most 240 MiB of memory charged',
      '  each keeps one of the 65,535 ids of memory cgroups',
      '  most often page cache of files that their tasks read or wrote keeps them: the kernel frees them as it needs memory',
      '  to have them freed now: sync; echo 1 > /proc/sys/vm/drop_caches (reads from disk are slower for a while, on the whole host)',
      '  what stays then is held by something else: files left in tmpfs or shared memory, open sockets, or other kernel objects',
      '',
      '',
    ].join('\n'),
  );
  const evidence = { cgroups: 1, hierarchies: [0], oldestRemovedAt: 98n * second };
  const unified = told({
    ...dying,
    dying: { ...evidence, nrDyingDescendants: 17 },
  });
  assert.match(unified, /1 cgroup below it, removed from v2/);
  assert.match(unified, /the kernel counts 17 there/);
  assert.doesNotMatch(unified, /drop_caches/, 'no memory controller is there');
  const charged = told({ ...dying, dying: { ...evidence, pinnedBytes: 1 } });
  assert.match(charged, /drop_caches/);
  const other = told({ ...dying, dying: { ...evidence, hierarchies: [10] } });
  assert.doesNotMatch(other, /drop_caches|65,535|at most/);
  const ended: Finding = { ...dying, state: 'closed', reason: 'released' };
  assert.match(told(ended), /released: the kernel has freed them but for 1,234\n/);
  assert.match(
    told({ ...ended, dying: { ...evidence, cgroups: 0 } }),
    /^CLEARED .*\n {2}released: the kernel has freed them all\n\n$/,
  );
  assert.match(
    textSummary({ ...quiet, dying: 2 }, plainStyle),
    /\n2 removed cgroups not freed by the kernel yet: something is still charged to them\.\n$/,
  );
});
