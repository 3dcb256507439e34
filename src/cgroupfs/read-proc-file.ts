import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CgroupfsError } from './cgroupfs-error.js';

/** Where proc is mounted. */
export const defaultProcRoot = '/proc';

/** The lines of a file of proc, as bytes (latin1): names in them need not be UTF-8. */
export function readProcFile(procRoot: string, name: string): string[] {
  const path = join(procRoot, name);
  try {
    return readFileSync(path, 'latin1')
      .split('\n')
      .filter((line) => line !== '');
  } catch (cause) {
    const code = (cause as NodeJS.ErrnoException).code ?? 'error';
    throw new CgroupfsError(
      `${path} can't be read (${code}), and without it cgleak doesn't know the cgroup hierarchies: mount proc there, and see that nothing hides it.`,
      { cause },
    );
  }
}
