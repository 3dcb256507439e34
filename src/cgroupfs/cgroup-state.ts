import { lstatSync, readFileSync, statfsSync } from 'node:fs';
import { cgroupDirectory, childOf } from './cgroup-directory.js';
import type { Hierarchy } from './hierarchy.js';
import { withShortPath } from './with-short-path.js';

/** What the file system says of a cgroup. */
export type CgroupState =
  /** No directory of that path. */
  | 'absent'
  /** The path is there, and is another cgroup. */
  | 'replaced'
  /** It has children. */
  | 'parent'
  /** A task is in it. */
  | 'populated'
  | 'empty'
  /** Not to be seen from here. */
  | 'unknown';

/** The few system calls that it takes. Names are bytes. */
export interface CgroupFiles {
  lstat(directory: Buffer): { readonly ino: bigint; readonly nlink: bigint };
  readFile(file: Buffer): string;
  /** The magic number of the file system. */
  fileSystem(directory: Buffer): bigint;
}

const systemFiles: CgroupFiles = {
  lstat: (directory) =>
    withShortPath(directory, (short) => lstatSync(short, { bigint: true })),
  readFile: (file) => withShortPath(file, (short) => readFileSync(short, 'latin1')),
  fileSystem: (directory) => statfsSync(directory, { bigint: true }).type,
};

/** As in statfs(2). */
const cgroupMagic = 0x27e0ebn;
const cgroup2Magic = 0x63677270n;

/**
 * Looks at one cgroup.
 *
 * @param path - raw bytes as latin1, as in events.
 * @param id - its inode number, too.
 */
export function cgroupState(
  hierarchy: Hierarchy,
  path: string,
  id: bigint,
  files: CgroupFiles = systemFiles,
): CgroupState {
  const directory = cgroupDirectory(hierarchy, path);
  if (!directory) return 'unknown';
  try {
    const { ino, nlink } = files.lstat(directory);
    if (ino !== id) return isMounted(hierarchy, files) ? 'replaced' : 'unknown';
    // The kernel gives a cgroup's directory two links and one for each child.
    if (nlink > 2n) return 'parent';
    return isPopulated(hierarchy, directory, files) ? 'populated' : 'empty';
  } catch (error) {
    // ENODEV: it was removed while its files were being read.
    const isGone = ['ENOENT', 'ENODEV'].includes(code(error));
    return isGone && isMounted(hierarchy, files) ? 'absent' : 'unknown';
  }
}

/** A hierarchy that has been unmounted says nothing about its cgroups. */
function isMounted(hierarchy: Hierarchy, files: CgroupFiles): boolean {
  try {
    const mountPoint = Buffer.from(hierarchy.mountPoint ?? '', 'latin1');
    const magic = hierarchy.version === 2 ? cgroup2Magic : cgroupMagic;
    return files.fileSystem(mountPoint) === magic;
  } catch {
    return false;
  }
}

function isPopulated(
  hierarchy: Hierarchy,
  directory: Buffer,
  files: CgroupFiles,
): boolean {
  const read = (name: string) => files.readFile(childOf(directory, name));
  // On v2 cgroup.procs can't be read of a threaded cgroup, and says nothing of
  // tasks in other pid namespaces that we don't see.
  if (hierarchy.version === 2) return /^populated 1$/m.test(read('cgroup.events'));
  return read('cgroup.procs') !== '' || read('tasks') !== '';
}

function code(error: unknown): string {
  return (error as NodeJS.ErrnoException).code ?? '';
}
