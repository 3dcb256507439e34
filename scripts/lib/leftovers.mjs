import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** What tests and demos call their cgroups, most with the pid of the process that made it. */
const ownName = /(?:^|\/)cgleak-(?:test|demo)-(?:[\w-]*?(\d+)(?:-\d+)?(?:$|[/\n]))?/;
/** What the kernel takes a moment to end or to remove, ms. */
const patience = 3000;

/**
 * Watches that tests leave nothing behind: no cgroup, process, mount or file.
 * Tests run with `env`, which marks their processes and gives them a folder of
 * their own for temporary files.
 */
export function watchLeftovers() {
  const folder = mkdtempSync(join(tmpdir(), 'cgleak-'));
  const mark = `CGLEAK_TEST_RUN=${folder}`;
  const before = new Set(lookAround(mark, folder));
  return {
    folder,
    env: { CGLEAK_TEST_RUN: folder, TMPDIR: folder },
    /**
     * What is left, in words.
     * @returns {Promise<readonly string[]>}
     */
    async end() {
      const left = () => lookAround(mark, folder).filter((what) => !before.has(what));
      const start = Date.now();
      while (left().length > 0 && Date.now() - start < patience) await sleep(100);
      const found = left();
      // A file system may still be mounted below.
      if (found.length === 0) rmSync(folder, { recursive: true });
      return found;
    },
  };
}

function lookAround(mark, folder) {
  const mounts = readMounts();
  return [
    ...cgroups(mounts).map((path) => `cgroup ${path}`),
    ...processes(mark),
    ...mounts
      .filter(({ path }) => path.startsWith(`${folder}/`))
      .map(({ path }) => `mount ${path}`),
    ...readdirSync(folder)
      .filter((name) => name.startsWith('cgleak-'))
      .map((name) => `file ${join(folder, name)}`),
  ];
}

function readMounts() {
  const lines = readFileSync('/proc/self/mountinfo', 'utf8').trimEnd().split('\n');
  return lines.map((line) => {
    const [, , , , path] = line.split(' ');
    const [type] = line.slice(line.indexOf(' - ') + 3).split(' ');
    return { type, path: path.replace(/\\([0-7]{3})/g, (_, code) => octal(code)) };
  });
}

const octal = (code) => String.fromCharCode(Number.parseInt(code, 8));

/** Every cgroup that bears the name of a test or a demo, in each mounted hierarchy. */
function cgroups(mounts) {
  const roots = mounts.filter(({ type }) => type === 'cgroup' || type === 'cgroup2');
  return roots.flatMap(({ path }) => ownCgroupsBelow(path));
}

function ownCgroupsBelow(folder) {
  let entries;
  try {
    entries = readdirSync(folder, { withFileTypes: true });
  } catch {
    // Removed meanwhile, or mounted over.
    return [];
  }
  return entries
    .filter((entry) => entry.isDirectory())
    .flatMap(({ name }) => {
      const path = join(folder, name);
      if (!ownName.test(name)) return ownCgroupsBelow(path);
      return isInUse(name) ? [] : [path];
    });
}

/** Processes that a test started, by their environment or their cgroup. */
function processes(mark) {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .filter((pid) => isOfATest(pid, mark) && !hasEnded(pid))
    .map((pid) => {
      const words = readProc(pid, 'cmdline').replaceAll('\0', ' ').trim();
      return `process ${pid}: ${words || readProc(pid, 'comm').trim()}`;
    });
}

function isOfATest(pid, mark) {
  return (
    readProc(pid, 'environ').split('\0').includes(mark) ||
    (ownName.test(readProc(pid, 'cgroup')) && !isInUse(readProc(pid, 'cgroup')))
  );
}

/** Whether a test that still runs made that cgroup: not one of ours, then, but of another run. */
function isInUse(name) {
  const [, maker] = ownName.exec(name) ?? [];
  return maker !== undefined && existsSync(join('/proc', maker));
}

/** A zombie holds nothing any more: to reap it is its parent's business. */
function hasEnded(pid) {
  const stat = readProc(pid, 'stat');
  return /^( [ZX] |)$/.test(
    stat.slice(stat.lastIndexOf(')') + 1, stat.lastIndexOf(')') + 4),
  );
}

function readProc(pid, file) {
  const path = join('/proc', pid, file);
  try {
    return existsSync(path) ? readFileSync(path, 'latin1') : '';
  } catch {
    // It ended meanwhile, or is another user's.
    return '';
  }
}
