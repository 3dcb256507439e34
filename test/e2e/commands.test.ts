import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdirSync, openSync, readdirSync, rmdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { main, startCgleak } from '../support/cgleak.js';
import type { Line, Running } from '../support/cgleak.js';
import { requireRoot } from '../support/require-root.js';
import { makeSubtree } from '../support/subtree.js';
import type { Subtree } from '../support/subtree.js';

requireRoot();

const exitUnsupported = 77;
const exitLeaked = 3;
let subtree: Subtree;

before(() => {
  subtree = makeSubtree('commands');
});

after(() => subtree.remove());

function cgleak(...args: readonly string[]) {
  return spawnSync(process.execPath, [main, ...args], { encoding: 'utf8' });
}

function directory(): string {
  const [first] = subtree.directories.values();
  assert.ok(first !== undefined);
  return first;
}

/** Lets a process exit in a cgroup. */
function exitIn(cgroup: Buffer): void {
  const { status } = spawnSync('sh', ['-c', 'IFS= read -r procs; echo $$ > "$procs"'], {
    input: Buffer.concat([cgroup, Buffer.from('/cgroup.procs\n')]),
  });
  assert.equal(status, 0);
}

/** Where the demo has its subtree. */
function demoSubtrees({ process: { pid } }: Running): string[] {
  return [...subtree.directories.values()].flatMap((each) => {
    const root = dirname(each);
    return readdirSync(root)
      .filter(
        (name) => name.startsWith('cgleak-demo-') && name.endsWith(`-${String(pid)}`),
      )
      .map((name) => join(root, name));
  });
}

test('help, version and completion say when they can’t be written', () => {
  const full = openSync('/dev/full', 'w');
  for (const args of [['--help'], ['watch', '--help'], ['--version'], ['completion']]) {
    const { status, stderr } = spawnSync(process.execPath, [main, ...args], {
      encoding: 'utf8',
      stdio: ['ignore', full, 'pipe'],
    });
    assert.equal(status, 1, args.join(' '));
    assert.match(stderr, /can't be written to \(ENOSPC\)/);
  }
  closeSync(full);
  const { status, stdout } = cgleak('watch', '--help');
  assert.equal(status, 0);
  assert.match(stdout, /--grace.*\n[^]*Examples:/);
});

test('names of any bytes are handled exactly and shown escaped', async () => {
  const names = [
    Buffer.from('with space and "quotes" and \\backslash\''),
    Buffer.from('\x1b[31mred\x1b]0;title\x07'),
    Buffer.from([0x62, 0xff, 0xfe, 0x80, 0x62]),
    Buffer.from('tab\tand return\r'),
    Buffer.from('bidi \u202e and ünïcödé'),
    Buffer.from('n'.repeat(255)),
  ];
  const watch = await startCgleak(
    ...['watch', '--grace', '500ms', '--under', subtree.path, '--new-only'],
  );
  const text = spawn(
    process.execPath,
    [main, 'watch', '--grace', '500ms', '--under', subtree.path, '--new-only'],
    { stdio: ['ignore', 'pipe', 'pipe'] },
  );
  const textEnded = once(text, 'exit');
  let shown = '';
  text.stdout.setEncoding('latin1').on('data', (chunk: string) => (shown += chunk));
  await once(text.stderr, 'data');

  const cgroups = names.map((name) =>
    Buffer.concat([Buffer.from(`${directory()}/`), name]),
  );
  for (const cgroup of cgroups) {
    mkdirSync(cgroup);
    exitIn(cgroup);
  }
  const prefix = Buffer.from(`${subtree.path}/`);
  for (const name of names) {
    await watch.waitFor(`the finding of ${JSON.stringify(name.toString())}`, (line) => {
      if (line.type !== 'finding') return false;
      const path =
        line['pathBase64'] === undefined
          ? Buffer.from(line['path'] as string)
          : Buffer.from(line['pathBase64'] as string, 'base64');
      return path.equals(Buffer.concat([prefix, name]));
    });
  }
  const told = () => [...shown.matchAll(/^LEAKED/gm)].length;
  for (let tries = 0; told() < names.length && tries < 100; tries++) await sleep(50);
  for (const cgroup of cgroups) rmdirSync(cgroup);
  const { lines } = await watch.stop();
  text.kill('SIGINT');
  await textEnded;

  const closed = lines.filter(({ state }) => state === 'closed');
  assert.equal(closed.length, names.length);
  const invalid = lines.find((line) => line['pathBase64'] !== undefined);
  assert.ok((invalid?.['path'] as string).endsWith('/b\\xff\\xfe\\x80b'));
  assert.equal(told(), names.length);
  // Nothing but newlines, printable ASCII and valid UTF-8 gets to a terminal.
  assert.doesNotMatch(shown, /[\x00-\x09\x0b-\x1f\x7f]/);
  assert.ok(Buffer.from(shown, 'latin1').toString('utf8').includes('ünïcödé'));
  assert.ok(shown.includes('\\x1b[31mred'));
  assert.doesNotMatch(
    Buffer.from(shown, 'latin1').toString('utf8'),
    /[\u202a-\u202e\ufffd]/,
  );
});

test('trace shows each event in order, with its details', async () => {
  const trace = await startCgleak('trace', '--under', subtree.path);
  const cgroup = Buffer.from(`${directory()}/traced`);
  mkdirSync(cgroup);
  exitIn(cgroup);
  rmdirSync(cgroup);
  const path = `${subtree.path}/traced`;
  const of = (line: Line, event: string) =>
    line['path'] === path && line['event'] === event;
  await trace.waitFor('the rmdir', (line) => of(line, 'rmdir'));
  const { code, lines } = await trace.stop();
  assert.equal(code, 0);
  assert.deepEqual(
    lines
      .filter((line) => line['path'] === path && line['event'] !== 'release')
      .map((line) => line['event']),
    ['mkdir', 'populated', 'emptied', 'rmdir'],
  );
  const mkdir = lines.find((line) => of(line, 'mkdir'));
  assert.equal((mkdir?.['task'] as { pid: number }).pid, process.pid);
  assert.equal((mkdir?.['ancestors'] as { pid: number }[])[0]?.pid, process.ppid);
  const emptied = lines.find((line) => of(line, 'emptied'));
  assert.equal((emptied?.['lastTask'] as { exitCode: number }).exitCode, 0);
});

test('watch ends with 3 where something leaked and that was asked for', async () => {
  const args = ['watch', '--grace', '300ms', '--under', subtree.path, '--new-only'];
  const clean = cgleak(...args, '--once-after', '1s', '--fail-on-leak');
  assert.equal(clean.status, 0, clean.stderr);

  const watch = await startCgleak(...args.slice(0), '--fail-on-leak');
  const cgroup = Buffer.from(`${directory()}/left`);
  mkdirSync(cgroup);
  exitIn(cgroup);
  await watch.waitFor('the finding', ({ state }) => state === 'opened');
  assert.equal((await watch.stop()).code, exitLeaked);
  rmdirSync(cgroup);
});

test('a parent left empty is counted, and a finding only with --parents', async () => {
  const args = ['watch', '--grace', '300ms', '--under', subtree.path, '--new-only'];
  const [counting, telling] = await Promise.all([
    startCgleak(...args),
    startCgleak(...args, '--parents'),
  ]);
  const parent = `${directory()}/parent`;
  mkdirSync(`${parent}/child`, { recursive: true });
  exitIn(Buffer.from(`${parent}/child`));
  rmdirSync(`${parent}/child`);
  const finding = await telling.waitFor('the finding', ({ type }) => type === 'finding');
  assert.equal(finding['path'], `${subtree.path}/parent`);
  assert.equal(finding['parent'], true);
  await telling.stop();
  const { lines, summary } = await counting.stop();
  assert.deepEqual(
    lines.filter(({ type }) => type === 'finding'),
    [],
  );
  assert.ok((summary?.['emptyParents'] as number) >= 1);
  rmdirSync(parent);
});

test('the demo shows a finding within 15 s, and removes all that it made', async () => {
  const demo = await startCgleak('demo');
  const finding = await demo.waitFor(
    'a finding',
    ({ type, state }) => type === 'finding' && state === 'opened',
    15_000,
  );
  assert.equal(
    finding['finding'],
    subtree.directories.size > 1 ? 'partial' : 'abandoned',
  );
  assert.equal((finding['left'] as string[]).length, 1);
  const { code } = await demo.stop();
  assert.equal(code, 0);
  assert.deepEqual(demoSubtrees(demo), []);
});

for (const signal of ['SIGTERM', 'SIGHUP'] as const) {
  test(`the demo removes all that it made on ${signal}, too`, async () => {
    const demo = await startCgleak('demo');
    const exited = once(demo.process, 'exit');
    await demo.waitFor('a finding', ({ type }) => type === 'finding', 15_000);
    assert.notDeepEqual(demoSubtrees(demo), []);
    demo.process.kill(signal);
    const [code, by] = (await exited) as [number | null, NodeJS.Signals | null];
    // Node 20 crashes at an exit of its own where the terminal is gone.
    assert.deepEqual([code, by], signal === 'SIGHUP' ? [null, 'SIGHUP'] : [0, null]);
    assert.deepEqual(demoSubtrees(demo), []);
  });
}

test('doctor says that watch works here, program by program', () => {
  const { status, stdout } = cgleak('doctor', '--json');
  assert.equal(status, 0);
  const report = JSON.parse(stdout) as Record<string, unknown>;
  assert.equal(report['type'], 'doctor');
  for (const name of ['on_mkdir', 'on_rmdir', 'on_exit', 'on_populated']) {
    assert.match(
      cgleak('doctor').stdout,
      new RegExp(`^ok +program ${name} +attached`, 'm'),
    );
  }
});

test('without privilege: one sentence that names what is missing, and 77', () => {
  for (const command of ['watch', 'trace']) {
    const { status, stdout, stderr } = spawnSync(
      'setpriv',
      [
        // Still user 0, whom the tests' files belong to, wherever they are.
        '--bounding-set=-all',
        '--inh-caps=-all',
        process.execPath,
        main,
        command,
      ],
      { encoding: 'utf8' },
    );
    assert.equal(status, exitUnsupported, stderr);
    assert.equal(stdout, '');
    assert.match(stderr, /CAP_BPF/);
    assert.match(stderr, /CAP_PERFMON/);
    assert.match(stderr, /sudo/);
    assert.doesNotMatch(stderr, /\n\s+at /);
  }
});

test('a closed pipe ends trace cleanly', () => {
  const script = `
    "$0" "$1" trace --duration 3s | head -n 1 & reader=$!
    sleep 1.5; mkdir "$2/pipe"; rmdir "$2/pipe"; mkdir "$2/pipe"; rmdir "$2/pipe"
    wait $reader; echo "trace: \${PIPESTATUS[0]}"`;
  const { stdout, stderr } = spawnSync(
    'bash',
    ['-c', `set -o pipefail; ${script}`, process.execPath, main, directory()],
    { encoding: 'utf8' },
  );
  assert.match(stdout, /trace: 0/, stderr);
  assert.equal(stderr, '');
});

test('a wrong flag or duration gets the right form', () => {
  const flag = cgleak('watch', '--grcae', '5s');
  assert.equal(flag.status, 1);
  assert.match(flag.stderr, /grcae/);
  const duration = cgleak('watch', '--grace', '5 parsecs');
  assert.equal(duration.status, 1);
  assert.match(duration.stderr, /5 parsecs/);
  assert.match(duration.stderr, /30s/);
});

test('a path where no cgroup is gets a warning, and the start says what is watched', () => {
  const args = ['watch', '--once-after', '10ms', '--hierarchy', 'memory'];
  const slip = cgleak(...args, '--under', `${subtree.path}/not-there`);
  assert.equal(slip.status, 0);
  assert.match(
    slip.stderr,
    /^No cgroup is at --under \/cgleak-test-commands-\S+\/not-there now/,
  );
  const right = cgleak(...args, '--under', `${subtree.path}/..${subtree.path}/`);
  assert.equal(right.status, 0);
  assert.doesNotMatch(right.stderr, /No cgroup/);
  assert.ok(
    right.stderr.startsWith(
      `Watching 1 cgroup hierarchy (memory), below ${subtree.path}, for cgroups`,
    ),
    right.stderr,
  );
});

test('in a cgroup namespace the host’s mounts are found, and those chosen taken', () => {
  const [cgroup] = subtree.directories.values();
  assert.ok(cgroup !== undefined);
  const empty = join(cgroup, 'namespace-empty');
  mkdirSync(empty);
  try {
    const own = join(cgroup, 'namespace-own');
    mkdirSync(own);
    const within = (...args: readonly string[]) =>
      spawnSync(
        'sh',
        [
          ...['-c', 'echo $$ > "$0/cgroup.procs" && exec unshare --cgroup "$@"', own],
          ...[process.execPath, main, ...args],
        ],
        { encoding: 'utf8' },
      );
    for (const args of [
      ['scan', '--cgroup-root', '/sys/'],
      ['watch', '--grace', '300ms', '--once-after', '2s'],
    ]) {
      const { status, stdout, stderr } = within(
        ...args,
        '--under',
        subtree.path,
        '--json',
      );
      assert.equal(status, 0, stderr);
      assert.ok(stdout.includes(`"path":"${subtree.path}/namespace-empty"`), stdout);
    }
    assert.match(
      within('doctor').stdout,
      /in a cgroup namespace, with the host's mounts/,
    );
    const nowhere = within('scan', '--cgroup-root', '/proc');
    assert.equal(nowhere.status, 77);
    assert.match(nowhere.stderr, /No cgroup hierarchy is mounted at or below "\/proc"/);
    rmdirSync(own);
  } finally {
    rmdirSync(empty);
  }
});
