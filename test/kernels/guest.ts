/**
 * Runs within the guest, as its only program: mounts each kind of hierarchy in
 * turn and compares what the tracer tells with what was done.
 */
import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  mkdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { release } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { openTracer, startWatch } from 'cgleak';
import { kernelKnows } from 'cgleak/bpf-ts';
import type { CgroupEvent, EmptiedEvent, Finding, MkdirEvent, PlainEvent } from 'cgleak';

interface Mount {
  readonly name: string;
  readonly directory: string;
  readonly version: 1 | 2;
  /** As in /proc/self/cgroup. */
  readonly names: string;
}

function mount(
  name: string,
  version: 1 | 2,
  options: readonly string[],
  names: string,
): Mount {
  const directory = `/tmp/${name}`;
  mkdirSync(directory);
  const type = version === 2 ? 'cgroup2' : 'cgroup';
  const flags = options.length > 0 ? ['-o', options.join(',')] : [];
  execFileSync('mount', ['-t', type, ...flags, name, directory]);
  return { name, directory, version, names };
}

const mounts = [
  mount('v2', 2, [], ''),
  mount('cpu', 1, ['cpu'], 'cpu'),
  mount('named', 1, ['none', 'name=cgleak-guest'], 'name=cgleak-guest'),
];

const events: CgroupEvent[] = [];
const tracer = openTracer({
  onEvents: (batch) => {
    events.push(...batch);
  },
});

/** What has come so far of one kind, of a path in a hierarchy. */
function eventsOf(
  hierarchy: number,
  path: string,
  kind: CgroupEvent['kind'],
): CgroupEvent[] {
  tracer.flush();
  return events.filter(
    (event) =>
      event.hierarchy === hierarchy && event.path === path && event.kind === kind,
  );
}

type EventOf<Kind> = Kind extends 'mkdir'
  ? MkdirEvent
  : Kind extends 'emptied'
    ? EmptiedEvent
    : PlainEvent;

/** The one event of that kind, which may take a moment to come. */
async function eventOf<Kind extends CgroupEvent['kind']>(
  hierarchy: number,
  path: string,
  kind: Kind,
): Promise<EventOf<Kind>> {
  for (let tries = 0; tries < 100; tries++) {
    const found = eventsOf(hierarchy, path, kind);
    if (found.length > 0) {
      assert.equal(found.length, 1, `${kind} of ${path} came ${found.length} times`);
      return found[0] as EventOf<Kind>;
    }
    await sleep(100);
  }
  throw new assert.AssertionError({ message: `no ${kind} of ${path} within 10 s` });
}

/** The hierarchy's id, from /proc/self/cgroup: `id:names:path`. */
function hierarchyId(names: string): number {
  const lines = readFileSync('/proc/self/cgroup', 'utf8').split('\n');
  const line = lines.find((each) => each.split(':')[1] === names);
  assert.ok(line !== undefined, `no hierarchy with ${names}`);
  return Number(line.split(':')[0]);
}

function idOf(directory: string): bigint {
  return statSync(directory, { bigint: true }).ino;
}

/** Starts a shell that enters the cgroup, then runs the script. */
function startIn(directory: string, script: string) {
  return spawn(
    '/bin/sh',
    ['-c', `echo $$ > ${join(directory, 'cgroup.procs')}; ${script}`],
    {
      stdio: ['pipe', 'inherit', 'inherit'],
    },
  );
}

function pidOf(child: { pid?: number | undefined }): number {
  assert.ok(child.pid !== undefined);
  return child.pid;
}

// Otherwise a failure would leave the guest running.
after(() => {
  tracer.close();
});

test(`kernel ${release()}: every program is attached`, () => {
  for (const program of tracer.programs) {
    // Only there to tell what newer kernels tell in another way.
    if (program.name === 'on_task_dead' && program.state === 'disabled') continue;
    assert.equal(
      program.state,
      'attached',
      `${program.name}: ${program.reason?.message ?? ''}`,
    );
  }
});

for (const { name, directory, version, names } of mounts) {
  const hierarchy = hierarchyId(names);
  const root = join(directory, 'cgleak-test-guest');
  mkdirSync(root);
  const path = (leaf: string) => `/cgleak-test-guest/${leaf}`;

  test(`${name}: mkdir tells the creator and its ancestors`, async () => {
    const shell = spawn('/bin/sh', ['-c', `mkdir ${join(root, 'made')}; exit 0`]);
    await once(shell, 'exit');
    const event: MkdirEvent = await eventOf(hierarchy, path('made'), 'mkdir');
    assert.equal(event.id, idOf(join(root, 'made')));
    assert.equal(event.task.uid, 0);
    const chain = event.ancestors.map(({ pid }) => pid);
    if (event.task.pid === pidOf(shell)) chain.unshift(event.task.pid);
    assert.deepEqual(chain.slice(0, 3), [pidOf(shell), process.pid, 1]);
    rmdirSync(join(root, 'made'));
    assert.equal((await eventOf(hierarchy, path('made'), 'rmdir')).task.pid, process.pid);
    assert.equal((await eventOf(hierarchy, path('made'), 'release')).id, event.id);
  });

  test(`${name}: the last exit is joined, its status and signal right`, async () => {
    for (const [leaf, script, exitCode, signal] of [
      ['exits', 'exit 3', 3, null],
      ['killed', 'kill -KILL $$', null, 9],
    ] as const) {
      mkdirSync(join(root, leaf));
      const child = startIn(join(root, leaf), script);
      await once(child, 'exit');
      const event: EmptiedEvent = await eventOf(hierarchy, path(leaf), 'emptied');
      assert.equal(event.movedBy, undefined);
      assert.equal(event.lastTask?.pid, pidOf(child));
      assert.equal(event.lastTask.exitCode, exitCode);
      assert.equal(event.lastTask.signal, signal);
      assert.equal(event.lastTask.comm, 'sh');
      rmdirSync(join(root, leaf));
    }
  });

  test(`${name}: an exit empties the ancestors too`, async () => {
    mkdirSync(join(root, 'a/b/c'), { recursive: true });
    const child = startIn(join(root, 'a/b/c'), 'exit 4');
    await once(child, 'exit');
    for (const leaf of ['a/b/c', 'a/b', 'a']) {
      const event: EmptiedEvent = await eventOf(hierarchy, path(leaf), 'emptied');
      assert.equal(event.lastTask?.pid, pidOf(child), leaf);
      assert.equal(event.lastTask.exitCode, 4, leaf);
    }
    for (const leaf of ['a/b/c', 'a/b', 'a']) rmdirSync(join(root, leaf));
  });

  test(`${name}: a task moved out after another's exit is told as a move`, async () => {
    mkdirSync(join(root, 'from'));
    mkdirSync(join(root, 'to'));
    const stays = startIn(join(root, 'from'), 'read line');
    const exits = startIn(join(root, 'from'), 'exit 5');
    await once(exits, 'exit');
    await eventOf(hierarchy, path('from'), 'populated');
    // Where tasks are unlinked later, a move within 100 ms may pass for an exit.
    if (kernelKnows('cgroup_task_dead')) await sleep(200);
    const mover = spawn('/bin/sh', [
      '-c',
      `echo ${pidOf(stays)} > ${join(root, 'to/cgroup.procs')}; exit 0`,
    ]);
    await once(mover, 'exit');
    const event: EmptiedEvent = await eventOf(hierarchy, path('from'), 'emptied');
    assert.equal(event.lastTask, undefined);
    assert.equal(event.movedBy?.pid, pidOf(mover));
    stays.stdin.end();
    await once(stays, 'exit');
    const moved: EmptiedEvent = await eventOf(hierarchy, path('to'), 'emptied');
    assert.equal(moved.lastTask?.pid, pidOf(stays));
    rmdirSync(join(root, 'from'));
    rmdirSync(join(root, 'to'));
  });

  test(`${name}: many exits at once leave one emptied, by one of them`, async () => {
    for (let round = 0; round < 20; round++) {
      const leaf = `crowd-${round}`;
      mkdirSync(join(root, leaf));
      const crowd = Array.from({ length: 6 }, () =>
        startIn(join(root, leaf), 'read line; exit 6'),
      );
      while (
        readFileSync(join(root, leaf, 'cgroup.procs'), 'utf8').split('\n').length <=
        crowd.length
      ) {
        await sleep(10);
      }
      crowd.forEach((child) => child.stdin.end());
      await Promise.all(crowd.map((child) => once(child, 'exit')));
      await eventOf(hierarchy, path(leaf), 'emptied');
      const event = eventsOf(hierarchy, path(leaf), 'emptied')[0] as EmptiedEvent;
      assert.ok(crowd.some(({ pid }) => pid === event.lastTask?.pid));
      assert.equal(event.lastTask?.exitCode, 6);
      rmdirSync(join(root, leaf));
    }
  });

  test(`${name}: a path of up to 4,095 bytes is whole`, async () => {
    const names: string[] = [];
    // Deep first, then with the longest names, up to the limit.
    let length = '/cgleak-test-guest'.length;
    for (let level = 0; level < 1000; level++) names.push('d');
    length += 2000;
    while (length < 4095) {
      const size = Math.min(255, 4095 - length - 1);
      names.push('n'.repeat(size));
      length += size + 1;
    }
    process.chdir(root);
    for (const each of names) {
      mkdirSync(each);
      process.chdir(each);
    }
    mkdirSync('over');
    const whole = path(names.join('/'));
    assert.equal(whole.length, 4095);
    assert.equal((await eventOf(hierarchy, whole, 'mkdir')).pathTruncated, false);
    tracer.flush();
    const over = events.filter(
      (event) => event.pathTruncated && event.hierarchy === hierarchy,
    );
    assert.equal(over.length, 1, 'a longer one is marked');
    assert.ok(
      over[0] && over[0].path.length > 3800 && `${whole}/over`.endsWith(over[0].path),
    );

    rmdirSync('over');
    for (const each of names.reverse()) {
      process.chdir('..');
      rmdirSync(each);
    }
    process.chdir('/');
    assert.equal((await eventOf(hierarchy, whole, 'rmdir')).pathTruncated, false);
  });

  if (version === 1) {
    test(`${name}: rename keeps the id`, async () => {
      mkdirSync(join(root, 'before'));
      renameSync(join(root, 'before'), join(root, 'after'));
      const id = idOf(join(root, 'after'));
      assert.equal((await eventOf(hierarchy, path('after'), 'rename')).id, id);
      rmdirSync(join(root, 'after'));
      assert.equal((await eventOf(hierarchy, path('after'), 'rmdir')).id, id);
    });
  }
}

test('v2 with the memory controller: what is left is told, and how it ends', async () => {
  const [{ directory: v2, names } = assert.fail(), { directory: v1 } = assert.fail()] =
    mounts;
  const hierarchy = hierarchyId(names);
  const root = join(v2, 'cgleak-test-findings');
  const twin = join(v1, 'cgleak-test-findings');
  writeFileSync(join(v2, 'cgroup.subtree_control'), '+memory');
  for (const each of [root, twin]) mkdirSync(each);
  writeFileSync(join(root, 'cgroup.subtree_control'), '+memory');
  const findings: Finding[] = [];
  const watch = startWatch({
    grace: 2_000_000_000n,
    under: ['/cgleak-test-findings'],
    dying: { leastCgroups: 4 },
    onFinding: (finding) => findings.push(finding),
  });
  const told = async (
    leaf: string,
    kind: Finding['finding'],
    state: Finding['state'],
  ): Promise<Finding> => {
    const path = `/cgleak-test-findings${leaf}`;
    for (let tries = 0; tries < 600; tries++) {
      const found = findings.find(
        (each) => each.path === path && each.finding === kind && each.state === state,
      );
      if (found) return found;
      await sleep(100);
    }
    throw new assert.AssertionError({
      message: `no ${kind} ${state} of ${path} within a minute`,
    });
  };

  try {
    mkdirSync(join(root, 'unused'));
    mkdirSync(join(root, 'abandoned'));
    for (const each of [root, twin]) mkdirSync(join(each, 'partial'));
    for (const [leaf, status] of [
      ['abandoned', 7],
      ['partial', 8],
    ] as const)
      await once(startIn(join(root, leaf), `exit ${status}`), 'exit');
    rmdirSync(join(twin, 'partial'));

    const unused = await told('/unused', 'unused', 'opened');
    assert.equal(unused.lastTask, undefined);
    assert.equal(unused.creator?.pid, process.pid);
    const abandoned = await told('/abandoned', 'abandoned', 'opened');
    assert.deepEqual(abandoned.left, [{ hierarchy, id: idOf(join(root, 'abandoned')) }]);
    assert.equal(abandoned.lastTask?.exitCode, 7);
    assert.equal(abandoned.lastTask.comm, 'sh');
    const partial = await told('/partial', 'partial', 'opened');
    assert.deepEqual(partial.left, [{ hierarchy, id: idOf(join(root, 'partial')) }]);
    assert.equal(partial.removed.length, 1);
    assert.equal(partial.lastTask?.exitCode, 8);

    await once(startIn(join(root, 'unused'), 'exit 0'), 'exit');
    assert.equal((await told('/unused', 'unused', 'closed')).reason, 'repopulated');
    for (const leaf of ['abandoned', 'partial']) rmdirSync(join(root, leaf));
    const removed = await told('/abandoned', 'abandoned', 'closed');
    assert.equal(removed.reason, 'removed');
    assert.equal(removed.removedBy?.pid, process.pid);
    assert.equal((await told('/partial', 'partial', 'closed')).reason, 'removed');
    await told('/unused', 'abandoned', 'opened');
    rmdirSync(join(root, 'unused'));
    await told('/unused', 'abandoned', 'closed');

    await compareDying(root, () => told('', 'dying', 'opened'));
    const isDyingTold = findings.some(({ finding }) => finding === 'dying');
    assert.equal(isDyingTold, !givesPagesAway);
    if (isDyingTold) assert.equal((await told('', 'dying', 'closed')).reason, 'released');
    const { findings: count, open, lost } = watch.close();
    const opened = findings.filter(({ state }) => state === 'opened').length;
    assert.deepEqual([count, open, lost], [opened, 0, 0]);
  } finally {
    watch.close();
  }
  for (const each of [root, twin]) rmdirSync(each);
});

/** 7.2 gives the page cache of a removed cgroup to its parent, and keeps none for it. */
const givesPagesAway = Number(release().split('.')[0]) >= 7;

/**
 * Removes cgroups whose tasks have written files, and drops the files. As long as the
 * kernel keeps those cgroups, a finding has to say so.
 */
async function compareDying(root: string, told: () => Promise<Finding>): Promise<void> {
  const count = 6;
  const files: string[] = [];
  for (let each = 0; each < count; each++) {
    const cgroup = join(root, `writer-${each}`);
    const file = `/tmp/written-${each}`;
    mkdirSync(cgroup);
    const writer = startIn(
      cgroup,
      `dd if=/dev/zero of=${file} bs=64k count=16 2>/dev/null`,
    );
    await once(writer, 'exit');
    rmdirSync(cgroup);
    files.push(file);
  }
  await sleep(5_000);
  const stat = readFileSync(join(root, 'cgroup.stat'), 'utf8');
  const kept = Number(/^nr_dying_descendants (\d+)$/m.exec(stat)?.[1]);
  assert.equal(kept, givesPagesAway ? 0 : count);
  if (!givesPagesAway) {
    const { dying } = await told();
    assert.equal(dying?.nrDyingDescendants, kept);
    assert.ok((dying.pinnedBytes ?? 0) >= 1024 * 1024, String(dying.pinnedBytes));
  }
  for (const file of files) rmSync(file);
}

test('nothing was lost', () => {
  assert.equal(
    tracer.lost().reduce((sum, count) => sum + count, 0),
    0,
  );
});
