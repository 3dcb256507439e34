import { closeSync, constants, openSync } from 'node:fs';

/** The kernel takes no path of PATH_MAX (4,096) bytes or more; this leaves room to add a name. */
const longest = 3_800;

/**
 * Calls with a path of the same directory that the kernel takes, however deep the
 * directory is: where its own is too long, one that begins in the middle. That one is
 * good for the time of the call alone.
 *
 * @param directory - absolute, bytes.
 * @throws what opening a directory on the way throws, and what `use` throws.
 */
export function withShortPath<T>(directory: Buffer, use: (directory: Buffer) => T): T {
  if (directory.length <= longest) return use(directory);
  const middle = directory.lastIndexOf('/', longest);
  const fd = openSync(
    directory.subarray(0, middle),
    constants.O_RDONLY | constants.O_DIRECTORY,
  );
  try {
    const start = Buffer.from(`/proc/self/fd/${fd}`);
    return withShortPath(Buffer.concat([start, directory.subarray(middle)]), use);
  } finally {
    closeSync(fd);
  }
}
