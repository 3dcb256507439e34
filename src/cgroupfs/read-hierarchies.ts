import { isInitialCgroupNamespace } from './cgroup-namespace.js';
import { CgroupfsError } from './cgroupfs-error.js';
import type { Hierarchy } from './hierarchy.js';
import { parseMountinfo, reachable } from './mountinfo.js';
import type { Mount } from './mountinfo.js';
import { defaultProcRoot, readProcFile } from './read-proc-file.js';

export interface ProcOptions {
  /** Where proc is mounted: `/proc`. */
  readonly procRoot?: string;
}

/**
 * The cgroup hierarchies of this host, by id: those that the kernel has at work,
 * and where they are mounted. In a cgroup namespace of its own a process does
 * not see the latter.
 *
 * @example
 * for (const { id, controllers, mountPoint } of readHierarchies())
 *   console.log(id, controllers.join(), mountPoint);
 *
 * @throws CgroupfsError
 */
export function readHierarchies(options: ProcOptions = {}): Hierarchy[] {
  const { procRoot = defaultProcRoot } = options;
  const memberships = readMemberships(procRoot);
  const mounts = parseMountinfo(readProcFile(procRoot, 'self/mountinfo'));
  // Elsewhere nobody knows which of the host's cgroups a mount shows.
  const cgroupMounts = isInitialCgroupNamespace(options)
    ? reachable(
        mounts,
        mounts.filter(({ type }) => type === 'cgroup' || type === 'cgroup2'),
      )
    : [];

  return memberships
    .map(({ id, names }): Hierarchy => {
      const mount = best(cgroupMounts.filter((candidate) => isOf(candidate, id, names)));
      return {
        id,
        version: id === 0 ? 2 : 1,
        controllers: id === 0 ? ['v2'] : [...names].sort(),
        ...(mount && { mountPoint: mount.mountPoint, mountRoot: mount.root }),
      };
    })
    .sort((a, b) => a.id - b.id);
}

interface Membership {
  readonly id: number;
  readonly names: readonly string[];
}

/** The hierarchies in /proc/self/cgroup: `4:cpu,cpuacct:/path`, and v2 as `0::/path`. */
function readMemberships(procRoot: string): Membership[] {
  const lines = readProcFile(procRoot, 'self/cgroup');
  if (lines.length === 0)
    throw new CgroupfsError(
      `${procRoot}/self/cgroup is empty: no cgroup hierarchy is at work. Mount one: mount -t cgroup2 cgroup2 /sys/fs/cgroup`,
    );
  return lines.map((line) => {
    const match = /^(\d+):([^:]*):\//.exec(line);
    if (!match)
      throw new CgroupfsError(
        `${procRoot}/self/cgroup has a line that is no cgroup: ${JSON.stringify(line.slice(0, 120))}. See that the real proc is mounted at ${procRoot}.`,
      );
    const [, id, names = ''] = match;
    return { id: Number(id), names: names.split(',').filter((name) => name !== '') };
  });
}

function isOf(mount: Mount, id: number, names: readonly string[]): boolean {
  if (id === 0) return mount.type === 'cgroup2';
  return (
    mount.type === 'cgroup' && names.some((name) => mount.superOptions.includes(name))
  );
}

/** The mount that shows the most: of the root, writable, and the shortest name. */
function best(mounts: readonly Mount[]): Mount | undefined {
  return mounts
    .filter(({ root }) => !root.endsWith('//deleted'))
    .sort(
      (a, b) =>
        a.root.length - b.root.length ||
        Number(a.readOnly) - Number(b.readOnly) ||
        a.mountPoint.length - b.mountPoint.length,
    )[0];
}
