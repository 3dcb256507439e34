import { execFileSync, spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A place with a root file system of busybox, and the state of runc, or of its like. */
export interface Bundle {
  readonly folder: string;
  /** `runc run`: with `-d` where detached. */
  run(id: string, options: RunOptions): void;
  /** `runc run` in the foreground, while the test goes on. */
  start(id: string, options: RunOptions): ChildProcess;
  /** The pid of a container's first process, as runc knows it. */
  pid(id: string): number;
  remove(): void;
}

export interface RunOptions {
  /** The cgroup's path in every hierarchy. */
  readonly cgroup: string;
  readonly command: readonly string[];
  readonly detach?: boolean;
}

interface Specification {
  process: { terminal: boolean; args: readonly string[]; rlimits?: unknown };
  linux: { cgroupsPath?: string; resources: unknown };
}

/** Fills a folder with what a container needs: busybox and its commands. */
export function makeRootFileSystem(folder: string): void {
  mkdirSync(join(folder, 'bin'), { recursive: true });
  copyFileSync('/bin/busybox', join(folder, 'bin/busybox'));
  for (const command of ['sh', 'sleep', 'true']) {
    symlinkSync('busybox', join(folder, 'bin', command));
  }
}

export function makeBundle(runtime: 'runc' | 'crun' = 'runc'): Bundle {
  const folder = mkdtempSync(join(tmpdir(), `cgleak-${runtime}-`));
  makeRootFileSystem(join(folder, 'rootfs'));
  execFileSync(runtime, ['spec'], { cwd: folder });
  const config = join(folder, 'config.json');
  const state = join(folder, 'state');
  const [program, ...prefix] =
    runtime === 'crun' ? withoutUnified(runtime) : ([runtime] as const);
  const runc = (...args: readonly string[]) => {
    return execFileSync(program, [...prefix, '--root', state, ...args], {
      cwd: folder,
      encoding: 'utf8',
      // A detached container would keep a pipe open.
      stdio: ['ignore', args[0] === 'state' ? 'pipe' : 'ignore', 'inherit'],
    });
  };

  const specify = ({ cgroup, command }: RunOptions) => {
    const specification = JSON.parse(readFileSync(config, 'utf8')) as Specification;
    specification.process.terminal = false;
    specification.process.args = command;
    delete specification.process.rlimits;
    specification.linux.cgroupsPath = cgroup;
    specification.linux.resources = {};
    writeFileSync(config, JSON.stringify(specification));
  };

  return {
    folder,
    run: (id, options) => {
      specify(options);
      runc('run', ...(options.detach === true ? ['-d'] : []), id);
    },
    start: (id, options) => {
      specify(options);
      const args = [...prefix, '--root', state, 'run', id];
      return spawn(program, args, { cwd: folder, stdio: 'ignore' });
    },
    pid: (id) => (JSON.parse(runc('state', id)) as { pid: number }).pid,
    remove: () => {
      rmSync(folder, { recursive: true });
    },
  };
}

/**
 * A command that runs a program where v2 is not mounted, if v1 is: crun refuses to
 * run on both while v2 has a controller.
 */
function withoutUnified(program: string): [string, ...string[]] {
  const mounts = readFileSync('/proc/self/mountinfo', 'utf8').split('\n');
  const isUnified = (line: string) => line.includes(' - cgroup2 ');
  if (!mounts.some((line) => line.includes(' - cgroup '))) return [program];
  const directories = mounts.filter(isUnified).map((line) => line.split(' ')[4] ?? '');
  if (directories.length === 0) return [program];
  const script = `umount ${directories.join(' ')} && exec "$@"`;
  return ['unshare', '--mount', 'sh', '-c', script, 'sh', program];
}
