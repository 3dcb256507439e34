import { posix } from 'node:path';
import type { Hierarchy } from './hierarchy.js';
import { isWithin } from './mountinfo.js';

/**
 * The directory of a cgroup, as bytes for the file system; undefined where the
 * hierarchy is not mounted, or its mount shows another part of it.
 *
 * @param path - raw bytes as latin1, as in events.
 */
export function cgroupDirectory(hierarchy: Hierarchy, path: string): Buffer | undefined {
  const { mountPoint, mountRoot = '/' } = hierarchy;
  if (mountPoint === undefined || !isWithin(path, mountRoot)) return undefined;
  const below = mountRoot === '/' ? path : path.slice(mountRoot.length);
  const start = mountPoint === '/' ? '' : mountPoint;
  return Buffer.from(
    below === '' || below === '/' ? mountPoint : start + below,
    'latin1',
  );
}

/** A file or directory in a directory; names of any bytes are bytes. */
export function childOf(directory: Buffer, name: Buffer | string): Buffer {
  return Buffer.concat([directory, Buffer.from('/'), Buffer.from(name)]);
}

/** Without `.` and `..`, slashes too many, and one at its end; raw bytes as latin1. */
export function normalizePath(path: string): string {
  return posix.normalize(path).replace(/(.)\/$/, '$1');
}

/** The reverse: the path of the cgroup whose directory it is, where it is one. */
export function cgroupPath(
  hierarchies: readonly Hierarchy[],
  directory: string,
): string | undefined {
  const mounted = hierarchies
    .filter(
      ({ mountPoint }) => mountPoint !== undefined && isWithin(directory, mountPoint),
    )
    .sort((a, b) => (b.mountPoint ?? '').length - (a.mountPoint ?? '').length)[0];
  if (mounted?.mountPoint === undefined) return undefined;
  const { mountPoint, mountRoot = '/' } = mounted;
  const below = mountPoint === '/' ? directory : directory.slice(mountPoint.length);
  const path = mountRoot === '/' ? below : mountRoot + below;
  return path === '' ? '/' : path;
}
