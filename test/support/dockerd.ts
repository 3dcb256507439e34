import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { makeRootFileSystem } from './runc.js';

/** A Docker daemon of our own, with one image. */
export interface Docker {
  /** `docker run --rm` in a cgroup below the parent. */
  run(cgroupParent: string, ...command: readonly string[]): void;
  /** `docker run -d`, likewise. Returns the container's id. */
  start(cgroupParent: string, ...command: readonly string[]): string;
  /** The pid of a container's first process. */
  pid(id: string): number;
  /** Where the daemon keeps all that is its own: a part of its processes' command lines. */
  readonly folder: string;
  /** Ends the daemon with SIGKILL, and its containerd with it. */
  kill(): Promise<void>;
  stop(): Promise<void>;
}

const image = 'cgleak-test';

export async function startDocker(): Promise<Docker> {
  const folder = mkdtempSync(join(tmpdir(), 'cgleak-docker-'));
  const socket = `unix://${join(folder, 'socket')}`;
  const log = join(folder, 'log');
  const daemon = spawn(
    'dockerd',
    [
      ...['--bridge=none', '--iptables=false', '--ip6tables=false'],
      ...['--storage-driver=vfs', '--host', socket],
      ...['--data-root', join(folder, 'data'), '--exec-root', join(folder, 'exec')],
      ...['--pidfile', join(folder, 'pid')],
    ],
    { stdio: ['ignore', openSync(log, 'w'), openSync(log, 'a')] },
  );
  const ended = once(daemon, 'exit');
  const docker = (...args: readonly string[]) =>
    execFileSync('docker', ['--host', socket, ...args], {
      stdio: ['ignore', 'pipe', 'pipe'],
      encoding: 'utf8',
    }).trim();

  const stop = async () => {
    daemon.kill('SIGTERM');
    await ended;
    rmSync(folder, { recursive: true });
  };
  const kill = async () => {
    // Its containerd follows it, and the shims go on.
    daemon.kill('SIGKILL');
    await ended;
  };

  try {
    for (let tries = 0; ; tries++) {
      try {
        docker('version');
        break;
      } catch (cause) {
        if (tries === 100 || daemon.exitCode !== null) {
          throw new Error(`dockerd does not answer:\n${readFileSync(log, 'utf8')}`, {
            cause,
          });
        }
        await sleep(200);
      }
    }
    makeRootFileSystem(join(folder, 'root'));
    execFileSync(
      'sh',
      ['-c', `tar -C ${folder}/root -c . | docker --host ${socket} import - ${image}`],
      { stdio: ['ignore', 'ignore', 'inherit'] },
    );
  } catch (error) {
    await stop();
    throw error;
  }

  const run = (cgroupParent: string, flag: string, command: readonly string[]) =>
    docker(
      ...['run', flag, '--network=none', `--cgroup-parent=${cgroupParent}`, image],
      ...command,
    );

  return {
    folder,
    run: (cgroupParent, ...command) => {
      run(cgroupParent, '--rm', command);
    },
    start: (cgroupParent, ...command) => run(cgroupParent, '--detach', command),
    pid: (id) => Number(docker('inspect', '--format', '{{.State.Pid}}', id)),
    kill,
    stop,
  };
}
