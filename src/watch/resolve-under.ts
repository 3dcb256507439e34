import { cgroupPath, isWithin, normalizePath } from '../cgroupfs/index.js';
import type { Hierarchy } from '../cgroupfs/index.js';
import { unescapeText } from '../text/index.js';

/** What was given is neither a cgroup's path nor a directory. */
export class UnderError extends Error {
  override readonly name = 'UnderError';
}

/**
 * The paths of cgroups, raw bytes as latin1, that a user may mean by one word: a
 * cgroup's path (`/nomad`), or its directory (`/sys/fs/cgroup/memory/nomad`),
 * as it is or as cgleak shows it, with `\xNN`; `..` and slashes too many are
 * resolved. More than one where it is open whether a backslash belongs to the name,
 * as in systemd's.
 *
 * @throws UnderError
 */
export function resolveUnder(word: string, hierarchies: readonly Hierarchy[]): string[] {
  if (!word.startsWith('/'))
    throw new UnderError(
      `${JSON.stringify(word)} is no cgroup: give a path that begins with a slash, such as /nomad or /sys/fs/cgroup/memory/nomad.`,
    );
  const asIs = Buffer.from(word, 'utf8').toString('latin1');
  const paths = [asIs, unescapeText(word)].map((raw) => {
    const path = normalizePath(raw);
    if (hierarchies.some(({ mountPoint }) => isAbove(path, mountPoint))) return '/';
    return cgroupPath(hierarchies, path) ?? path;
  });
  return [...new Set(paths)];
}

/** `/sys/fs/cgroup` where hierarchies are mounted in it: all of them are meant. */
function isAbove(path: string, mountPoint: string | undefined): boolean {
  return mountPoint !== undefined && path !== mountPoint && isWithin(mountPoint, path);
}
