import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeRootFileSystem } from './runc.js';
import { unmountBelow } from './unmount-below.js';

/** Podman with all that is its own in a folder of the test's. */
export interface Podman {
  /** `podman run -d` in a cgroup below the parent. Returns the container's id. */
  start(cgroupParent: string, ...command: readonly string[]): string;
  /** The pid of a container's first process. */
  pid(id: string): number;
  /** A part of the command line of each of its processes. */
  readonly folder: string;
  /** Removes the folder; the processes must have ended. */
  remove(): void;
}

export function makePodman(): Podman {
  const folder = mkdtempSync(join(tmpdir(), 'cgleak-podman-'));
  const root = join(folder, 'root');
  makeRootFileSystem(root);
  for (const name of ['proc', 'dev', 'sys', 'tmp', 'etc', 'run'])
    mkdirSync(join(root, name), { recursive: true });
  const podman = (...args: readonly string[]) =>
    execFileSync(
      'podman',
      [
        ...['--root', join(folder, 'storage'), '--runroot', join(folder, 'run')],
        ...['--tmpdir', join(folder, 'tmp'), '--cgroup-manager=cgroupfs'],
        ...['--storage-driver=vfs', '--events-backend=none', '--runtime=runc'],
        ...args,
      ],
      { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] },
    ).trim();

  return {
    folder,
    start: (cgroupParent, ...command) =>
      podman(
        ...['run', '--detach', '--network=none', '--no-hosts', '--log-driver=none'],
        // Its own defaults are above what a sandbox may allow.
        ...['--ulimit=nofile=1000:1000', '--ulimit=nproc=1000:1000'],
        ...[`--cgroup-parent=${cgroupParent}`, '--rootfs', root, ...command],
      ),
    pid: (id) => Number(podman('inspect', '--format', '{{.State.Pid}}', id)),
    remove: () => {
      unmountBelow(folder);
      rmSync(folder, { recursive: true });
    },
  };
}
