import { execFileSync } from 'node:child_process';
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

/** A place with a root file system of busybox, and runc's state. */
export interface Bundle {
  /** `runc run`: with `-d` where detached. Returns what it printed. */
  run(id: string, options: RunOptions): void;
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

export function makeBundle(): Bundle {
  const folder = mkdtempSync(join(tmpdir(), 'cgleak-runc-'));
  makeRootFileSystem(join(folder, 'rootfs'));
  execFileSync('runc', ['spec'], { cwd: folder });
  const config = join(folder, 'config.json');
  const runc = (...args: readonly string[]) =>
    execFileSync('runc', ['--root', join(folder, 'state'), ...args], {
      cwd: folder,
      encoding: 'utf8',
      // A detached container would keep a pipe open.
      stdio: ['ignore', args[0] === 'state' ? 'pipe' : 'ignore', 'inherit'],
    });

  return {
    run: (id, { cgroup, command, detach = false }) => {
      const specification = JSON.parse(readFileSync(config, 'utf8')) as Specification;
      specification.process.terminal = false;
      specification.process.args = command;
      delete specification.process.rlimits;
      specification.linux.cgroupsPath = cgroup;
      specification.linux.resources = {};
      writeFileSync(config, JSON.stringify(specification));
      runc('run', ...(detach ? ['-d'] : []), id);
    },
    pid: (id) => (JSON.parse(runc('state', id)) as { pid: number }).pid,
    remove: () => {
      rmSync(folder, { recursive: true });
    },
  };
}
