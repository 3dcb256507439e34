import { mkdirSync, readdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { withShortPath } from '../../src/cgroupfs/index.js';

/** A subtree of our own, of the same path in every mounted hierarchy. */
export interface Subtree {
  /** As the kernel says it: `/cgleak-test-…`. */
  readonly path: string;
  /** Its directory in each hierarchy, by the controllers' names, `name=…` or `v2`. */
  readonly directories: ReadonlyMap<string, string>;
  /** Ends every task below it and removes all that is below it. */
  empty(): Promise<void>;
  /** Ends every task in it and removes it all. */
  remove(): Promise<void>;
}

let made = 0;

/** Mounts of cgroup hierarchies at their root, as this test process sees them. */
function mountedHierarchies(): Map<string, string> {
  const mounts = new Map<string, string>();
  for (const line of readFileSync('/proc/self/mountinfo', 'utf8').split('\n')) {
    const [fields, filesystem] = line.split(' - ');
    const [, , , root, directory] = fields?.split(' ') ?? [];
    const [type, , options] = filesystem?.split(' ') ?? [];
    if (root !== '/' || directory === undefined || options === undefined) continue;
    if (type === 'cgroup2') mounts.set('v2', directory);
    if (type === 'cgroup') mounts.set(options.replace(/^r[wo],/, ''), directory);
  }
  return mounts;
}

/** Makes the subtree; its cpusets get the CPUs and memory nodes that a task needs. */
export function makeSubtree(purpose: string): Subtree {
  made += 1;
  const name = `cgleak-test-${purpose}-${process.pid}-${made}`;
  const directories = new Map<string, string>();
  for (const [controllers, mount] of mountedHierarchies()) {
    const directory = join(mount, name);
    mkdirSync(directory);
    directories.set(controllers, directory);
    if (controllers === 'cpuset') {
      for (const file of ['cpuset.cpus', 'cpuset.mems']) {
        writeFileSync(join(directory, file), readFileSync(join(mount, file)));
      }
      writeFileSync(join(directory, 'cgroup.clone_children'), '1');
    }
  }
  if (directories.size === 0) throw new Error('No cgroup hierarchy is mounted');

  return {
    path: `/${name}`,
    directories,
    empty: async () => {
      for (const directory of directories.values())
        await removeBelow(Buffer.from(directory));
    },
    remove: async () => {
      for (const directory of directories.values())
        await removeTree(Buffer.from(directory));
    },
  };
}

async function removeBelow(directory: Buffer): Promise<void> {
  const entries = withShortPath(directory, (short) =>
    readdirSync(short, { withFileTypes: true, encoding: 'buffer' }),
  );
  for (const entry of entries) {
    if (entry.isDirectory()) {
      await removeTree(Buffer.concat([directory, Buffer.from('/'), entry.name]));
    }
  }
}

/** Ends the tasks in a cgroup and below, and removes it bottom up. */
async function removeTree(directory: Buffer): Promise<void> {
  await removeBelow(directory);
  for (let tries = 0; ; tries++) {
    try {
      withShortPath(directory, (short) => {
        rmdirSync(short);
      });
      return;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EBUSY' || tries === 100) throw error;
      const procs = Buffer.concat([directory, Buffer.from('/cgroup.procs')]);
      const pids = withShortPath(procs, (short) => readFileSync(short, 'utf8'));
      for (const pid of pids.split('\n').filter(Boolean)) {
        try {
          process.kill(Number(pid), 'SIGKILL');
        } catch {
          // It has gone by itself.
        }
      }
      await sleep(50);
    }
  }
}
