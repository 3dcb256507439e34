import {
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmdirSync,
  writeFileSync,
} from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { cgroupDirectory, childOf } from '../../cgroupfs/index.js';
import type { Hierarchy } from '../../cgroupfs/index.js';
import { escapeText } from '../../text/index.js';
import { HostError } from '../host-error.js';

/** The pid namespace of the host, as the kernel names it since 3.8. */
const initialPidNamespace = 'pid:[4026531836]';
const taskName = /^task-\d+$/;

/** Cgroups of the demo's own: the same path in every hierarchy that it may write to. */
export interface DemoSubtree {
  readonly path: string;
  readonly hierarchies: readonly Hierarchy[];
  /** Where the demo forgets to remove its tasks' cgroups. */
  readonly kept: Hierarchy;
  /** The same, in words. */
  readonly forgets: string;
  /** What could not be used, and why. */
  readonly leftOut: readonly string[];
  /** The directory of a task's cgroup. */
  directory(hierarchy: Hierarchy, task: string): Buffer;
  /** Removes it all, waiting for tasks that are on their way out. What is left is named. */
  remove(): Promise<string[]>;
  /** The same at once, for the end of the process. */
  readonly removeNow: () => void;
}

/** @throws HostError where no hierarchy can be written to. */
export function createDemoSubtree(
  all: readonly Hierarchy[],
  pid = process.pid,
  pidNamespace = readPidNamespace(),
): DemoSubtree {
  const path = `/${prefixIn(pidNamespace)}${pid}`;
  const hierarchies: Hierarchy[] = [];
  const leftOut: string[] = [];
  for (const hierarchy of all) {
    const name = hierarchy.controllers.join();
    const directory = cgroupDirectory(hierarchy, path);
    if (!directory) {
      leftOut.push(`${name} is left out: it is mounted nowhere, or only a part of it.`);
      continue;
    }
    try {
      mkdirSync(directory);
      hierarchies.push(hierarchy);
      prepareCpuset(hierarchy, directory);
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException;
      leftOut.push(`${name} is left out: ${code ?? escapeText(message)}.`);
    }
  }
  const kept =
    hierarchies.find(({ controllers }) => controllers.includes('name=systemd')) ??
    hierarchies.at(-1);
  if (!kept)
    throw new HostError(
      `The demo can make no cgroup here: run it as root, where the hierarchies are mounted writable. ${leftOut.join(' ')}`,
    );

  const directories = () =>
    hierarchies.flatMap((hierarchy) => cgroupDirectory(hierarchy, path) ?? []);
  return {
    path,
    hierarchies,
    kept,
    forgets:
      hierarchies.length === 1
        ? 'not at all'
        : `everywhere but in ${kept.controllers.join()}`,
    leftOut,
    directory: (hierarchy, task) =>
      cgroupDirectory(hierarchy, `${path}/${task}`) ?? Buffer.alloc(0),
    remove: async () => {
      for (let tries = 0; tries < 50; tries++) {
        if (directories().filter((directory) => !removeSubtree(directory)).length === 0)
          return [];
        await sleep(100);
      }
      return directories()
        .filter((directory) => isThere(directory))
        .map((directory) => escapeText(directory.toString('latin1')));
    },
    removeNow: () => {
      for (const directory of directories()) removeSubtree(directory);
    },
  };
}

/**
 * Removes what demos of this pid namespace left behind whose process is gone: of
 * others, as in a container, none can know whether theirs is.
 * @returns how many cgroups.
 */
export function removeStaleSubtrees(
  all: readonly Hierarchy[],
  pidNamespace = readPidNamespace(),
): number {
  const prefix = prefixIn(pidNamespace);
  let removed = 0;
  for (const hierarchy of all) {
    const root = cgroupDirectory(hierarchy, '/');
    if (!root) continue;
    for (const name of childrenOf(root)) {
      const text = name.toString('latin1');
      const pid = text.startsWith(prefix) ? text.slice(prefix.length) : '';
      if (!/^\d+$/.test(pid) || isAlive(Number(pid))) continue;
      const directory = childOf(root, name);
      // Somebody else's, if there is anything in it that a demo doesn't make.
      const tasks = childrenOf(directory);
      if (!tasks.every((task) => taskName.test(task.toString('latin1')))) continue;
      if (removeSubtree(directory)) removed += 1 + tasks.length;
    }
  }
  return removed;
}

/** The pid namespace of this process, such as `pid:[4026531836]`. */
function readPidNamespace(): string {
  try {
    return readlinkSync('/proc/self/ns/pid');
  } catch {
    return 'unknown';
  }
}

/** Elsewhere than on the host itself the namespace is a part of the name. */
function prefixIn(pidNamespace: string): string {
  if (pidNamespace === initialPidNamespace) return 'cgleak-demo-';
  return `cgleak-demo-${/\d+/.exec(pidNamespace)?.[0] ?? 'elsewhere'}-`;
}

/** Removes the tasks' cgroups and their parent; false where something is left. */
function removeSubtree(directory: Buffer): boolean {
  const tasks = childrenOf(directory).filter((name) =>
    taskName.test(name.toString('latin1')),
  );
  const removed = tasks.filter((name) => removeCgroup(childOf(directory, name)));
  return removed.length === tasks.length && removeCgroup(directory);
}

/** True where it is gone. */
export function removeCgroup(directory: Buffer): boolean {
  try {
    rmdirSync(directory);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT';
  }
}

/** A task can't enter a v1 cpuset without CPUs and memory nodes; its children copy them. */
function prepareCpuset({ version, controllers }: Hierarchy, directory: Buffer): void {
  if (version === 2 || !controllers.includes('cpuset')) return;
  for (const file of ['cpuset.cpus', 'cpuset.mems']) {
    const parent = readFileSync(childOf(directory, `../${file}`));
    writeFileSync(childOf(directory, file), parent);
  }
  writeFileSync(childOf(directory, 'cgroup.clone_children'), '1');
}

function childrenOf(directory: Buffer): Buffer[] {
  try {
    return readdirSync(directory, { withFileTypes: true, encoding: 'buffer' })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => name);
  } catch {
    return [];
  }
}

function isThere(directory: Buffer): boolean {
  return lstatSync(directory, { throwIfNoEntry: false }) !== undefined;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}
