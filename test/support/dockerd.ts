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
      stdio: ['ignore', 'ignore', 'pipe'],
    });

  const stop = async () => {
    daemon.kill('SIGTERM');
    await ended;
    rmSync(folder, { recursive: true });
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

  return {
    run: (cgroupParent, ...command) => {
      docker(
        ...['run', '--rm', '--network=none', `--cgroup-parent=${cgroupParent}`, image],
        ...command,
      );
    },
    stop,
  };
}
