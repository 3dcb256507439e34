import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Subtree } from './subtree.js';

/** Of the processes whose command line has that text in it: those that a test started. */
export function processesWith(text: string): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => pid !== process.pid && commandLine(pid).includes(text));
}

function commandLine(pid: number): string {
  try {
    return readFileSync(join('/proc', String(pid), 'cmdline'), 'latin1');
  } catch {
    return '';
  }
}

/** The processes in the cgroups below a subtree, in any hierarchy; each once. */
export function processesBelow({ directories }: Subtree): number[] {
  const pids = new Set<number>();
  const look = (directory: string) => {
    for (const entry of readdirSync(directory, { withFileTypes: true })) {
      if (!entry.isDirectory()) continue;
      const child = join(directory, entry.name);
      look(child);
      for (const line of readFileSync(join(child, 'cgroup.procs'), 'utf8').split('\n'))
        if (line !== '') pids.add(Number(line));
    }
  };
  for (const directory of directories.values()) look(directory);
  return [...pids].sort((a, b) => a - b);
}

/**
 * Ends processes for good, and waits until each is gone, or a zombie and so in no
 * cgroup any more. Those that are gone already are passed over.
 */
export async function killAll(pids: readonly number[]): Promise<void> {
  for (const pid of pids) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // It has ended by itself.
    }
  }
  for (const pid of pids) await until(`the end of ${pid}`, () => !isAlive(pid));
}

function isAlive(pid: number): boolean {
  try {
    return !/\) [ZX] /.test(readFileSync(join('/proc', String(pid), 'stat'), 'latin1'));
  } catch {
    return false;
  }
}

/** Looks again and again until it is so; throws after the time-out. */
export async function until(
  what: string,
  isSo: () => boolean,
  timeoutMs = 60_000,
): Promise<void> {
  const start = Date.now();
  while (!isSo()) {
    if (Date.now() - start > timeoutMs)
      throw new Error(`${what}: not within ${timeoutMs} ms`);
    await sleep(2);
  }
}
