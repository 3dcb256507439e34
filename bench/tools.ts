import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { main } from '../test/support/cgleak.js';

/** A tool that watches cgroups while the host is under load. */
export interface Tool {
  readonly name: string;
  /** Starts it. Resolves to undefined for the run without any tool. */
  readonly start: () => Promise<ChildProcess | undefined>;
}

const bpftraceProgram = `
tracepoint:cgroup:cgroup_mkdir { printf("mkdir %d %d %s %s %d\\n", args->root, args->id, str(args->path), comm, pid); }
tracepoint:cgroup:cgroup_rmdir { printf("rmdir %d %d %s %s %d\\n", args->root, args->id, str(args->path), comm, pid); }
tracepoint:cgroup:cgroup_notify_populated { printf("populated %d %d %s %d %s %d\\n", args->root, args->id, str(args->path), args->val, comm, pid); }
BEGIN { printf("ready\\n"); }
`;

export const tools: readonly Tool[] = [
  { name: 'nothing', start: () => Promise.resolve(undefined) },
  {
    name: 'cgleak watch',
    start: () =>
      startUntil(main, ['watch', '--json'], (line) => line.includes('"type":"status"')),
  },
  {
    name: 'bpftrace',
    start: () =>
      startUntil('bpftrace', ['-e', bpftraceProgram], (line) => line === 'ready'),
  },
];

async function startUntil(
  command: string,
  args: readonly string[],
  isReady: (line: string) => boolean,
): Promise<ChildProcess> {
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  await new Promise<void>((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code) => {
      reject(new Error(`${command} ended with ${String(code)} before it was ready`));
    });
    let said = '';
    let isReadyNow = false;
    child.stdout.setEncoding('latin1').on('data', (chunk: string) => {
      // What follows is read and thrown away, as cheaply as can be.
      if (isReadyNow) return;
      said += chunk;
      isReadyNow = said.split('\n').some(isReady);
      if (isReadyNow) resolve();
    });
  });
  return child;
}

export async function stop(child: ChildProcess | undefined): Promise<void> {
  if (!child) return;
  const exited = once(child, 'exit');
  child.kill('SIGINT');
  await exited;
}

const ticksPerSecond = 100;

/** CPU time of a process so far, user and system, in seconds. */
export function cpuSeconds(child: ChildProcess): number {
  const stat = readFileSync(`/proc/${String(child.pid)}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) / ticksPerSecond;
}

/** Resident memory of a process now, in MB (a million bytes). */
export function residentMegabytes(child: ChildProcess): number {
  const status = readFileSync(`/proc/${String(child.pid)}/status`, 'utf8');
  return (Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1]) * 1024) / 1e6;
}
