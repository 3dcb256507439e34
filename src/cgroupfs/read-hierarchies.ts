import { statSync } from 'node:fs';
import { isInitialCgroupNamespace } from './cgroup-namespace.js';
import { CgroupfsError } from './cgroupfs-error.js';
import type { Hierarchy } from './hierarchy.js';
import { isWithin, parseMountinfo, reachable } from './mountinfo.js';
import type { Mount } from './mountinfo.js';
import { defaultProcRoot, readProcFile } from './read-proc-file.js';

export interface ProcOptions {
  /** Where proc is mounted: `/proc`. */
  readonly procRoot?: string;
}

export interface HierarchyOptions extends ProcOptions {
  /** Of mounts only those at or below this directory, raw bytes as latin1. All by default. */
  readonly cgroupRoot?: string | undefined;
  /** @internal For tests: whether a mount shows the root of its hierarchy. */
  readonly showsRoot?: (mount: Mount) => boolean;
}

/**
 * The cgroup hierarchies of this host, by id: those that the kernel has at work,
 * and where they are mounted. In a cgroup namespace of its own a process sees of the
 * latter only those that show all of a hierarchy, as those of the host do.
 *
 * @example
 * for (const { id, controllers, mountPoint } of readHierarchies())
 *   console.log(id, controllers.join(), mountPoint);
 *
 * @throws CgroupfsError
 */
export function readHierarchies(options: HierarchyOptions = {}): Hierarchy[] {
  const { procRoot = defaultProcRoot, cgroupRoot, showsRoot = isKernfsRoot } = options;
  const memberships = readMemberships(procRoot);
  const mounts = parseMountinfo(readProcFile(procRoot, 'self/mountinfo'));
  const visible = reachable(
    mounts,
    mounts.filter(({ type }) => type === 'cgroup' || type === 'cgroup2'),
  );
  // Elsewhere their roots are told as seen from the namespace's own, as `/../..`.
  const inHostTerms = isInitialCgroupNamespace(options)
    ? visible
    : visible.filter(showsRoot).map((mount) => ({ ...mount, root: '/' }));
  const cgroupMounts =
    cgroupRoot === undefined
      ? inHostTerms
      : inHostTerms.filter(({ mountPoint }) => isWithin(mountPoint, cgroupRoot));
  if (cgroupRoot !== undefined && cgroupMounts.length === 0)
    throw new CgroupfsError(
      `No cgroup hierarchy is mounted at or below ${JSON.stringify(cgroupRoot)}: give the directory where the host's are, such as /host/sys/fs/cgroup.`,
    );

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

/** The kernel gives the root of each hierarchy this inode, since 5.5. */
const rootInode = 1n;

function isKernfsRoot({ mountPoint }: Mount): boolean {
  try {
    const directory = Buffer.from(mountPoint, 'latin1');
    return statSync(directory, { bigint: true }).ino === rootInode;
  } catch {
    return false;
  }
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
