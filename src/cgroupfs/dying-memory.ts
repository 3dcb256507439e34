import { readdirSync, readFileSync } from 'node:fs';
import { cgroupDirectory, childOf } from './cgroup-directory.js';
import type { Hierarchy } from './hierarchy.js';

/** With more children than this it is not worth its time. */
const mostChildren = 1_000;

/**
 * What may be charged to removed cgroups below a path at most, bytes: what the
 * kernel charges to it in all, less its own and its children's. That these are not
 * read at one moment, and that kernel memory of released cgroups stays with the
 * parent, makes it an estimate. Undefined where it can't be known: without a memory
 * controller there, at the root, whose own part nobody knows, or if the path is gone.
 *
 * @param path - raw bytes as latin1, as in events.
 */
export function dyingMemory(hierarchy: Hierarchy, path: string): number | undefined {
  const directory = cgroupDirectory(hierarchy, path);
  const isMemory = hierarchy.version === 2 || hierarchy.controllers.includes('memory');
  if (!directory || !isMemory || path === '/') return undefined;
  const usage = hierarchy.version === 2 ? 'memory.current' : 'memory.usage_in_bytes';
  try {
    const children = readdirSync(directory, { withFileTypes: true, encoding: 'buffer' })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => name);
    if (children.length > mostChildren) return undefined;
    let rest = Number(read(directory, usage));
    // On v2 a cgroup whose children have the controller has no tasks of its own.
    if (hierarchy.version === 1) rest -= ownUsage(read(directory, 'memory.stat'));
    for (const child of children) rest -= usageOfChild(directory, child, usage);
    return Number.isSafeInteger(rest) ? Math.max(0, rest) : undefined;
  } catch {
    return undefined;
  }
}

/** How many removed cgroups the kernel counts below a path; undefined but on v2. */
export function dyingDescendants(hierarchy: Hierarchy, path: string): number | undefined {
  const directory = cgroupDirectory(hierarchy, path);
  if (!directory || hierarchy.version !== 2) return undefined;
  try {
    const line = /^nr_dying_descendants (\d+)$/m.exec(read(directory, 'cgroup.stat'));
    return line ? Number(line[1]) : undefined;
  } catch {
    return undefined;
  }
}

function usageOfChild(directory: Buffer, child: Buffer, usage: string): number {
  try {
    return Number(read(childOf(directory, child), usage));
  } catch {
    // Removed meanwhile, and dying itself then.
    return 0;
  }
}

/** The first lines of a v1 memory.stat are the cgroup's own, total_ ones with all below. */
function ownUsage(stat: string): number {
  const of = (name: string) =>
    Number(new RegExp(`^${name} (\\d+)$`, 'm').exec(stat)?.[1] ?? 0);
  return of('cache') + of('rss');
}

function read(directory: Buffer, name: string): string {
  return readFileSync(childOf(directory, name), 'latin1');
}
