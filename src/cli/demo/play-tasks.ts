import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { childOf } from '../../cgroupfs/index.js';
import { removeCgroup } from './demo-subtree.js';
import type { DemoSubtree } from './demo-subtree.js';

const pauseMs = 1_000;

/** Runs one task a second, and forgets a cgroup of each, until it is stopped. */
export async function playTasks(
  subtree: DemoSubtree,
  stopped: Promise<unknown>,
): Promise<void> {
  const end = stopped.then(() => false);
  let isGoingOn = true;
  for (let number = 1; isGoingOn; number++) {
    const pause = sleep(pauseMs, true);
    await playTask(subtree, `task-${number}`);
    isGoingOn = await Promise.race([end, pause]);
  }
}

async function playTask(subtree: DemoSubtree, task: string): Promise<void> {
  const directories = subtree.hierarchies.map((hierarchy) => ({
    hierarchy,
    directory: subtree.directory(hierarchy, task),
  }));
  for (const { directory } of directories) mkdirSync(directory);

  // It waits until it is in its cgroups, as a runtime's child does.
  const child = spawn('sh', ['-c', 'read -r _; exec sleep 0.2'], {
    stdio: ['pipe', 'ignore', 'ignore'],
    // A Ctrl-C is for the demo alone.
    detached: true,
  });
  const exited = once(child, 'exit');
  try {
    await once(child, 'spawn');
    for (const { hierarchy, directory } of directories)
      enter(directory, child.pid, hierarchy === subtree.kept);
  } finally {
    child.stdin.end('\n');
    await exited;
  }

  for (const { hierarchy, directory } of directories)
    if (hierarchy !== subtree.kept) await removeSoon(directory);
}

/** Some controllers refuse some tasks: that matters only where the leak will be. */
function enter(directory: Buffer, pid: number | undefined, isNeeded: boolean): void {
  try {
    writeFileSync(childOf(directory, 'cgroup.procs'), String(pid));
  } catch (error) {
    if (isNeeded) throw error;
  }
}

/** The kernel may still count the task that has just exited. */
async function removeSoon(directory: Buffer): Promise<void> {
  for (let tries = 0; tries < 20 && !removeCgroup(directory); tries++) await sleep(10);
}
