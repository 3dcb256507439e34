import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/**
 * Where PATH has a command, without starting a process.
 * @param {string} name
 * @returns {string | undefined}
 */
export function findCommand(name) {
  for (const folder of (process.env.PATH ?? '').split(delimiter)) {
    const file = join(folder, name);
    try {
      accessSync(file, constants.X_OK);
      if (folder !== '' && statSync(file).isFile()) return file;
    } catch {
      // Not here.
    }
  }
  return undefined;
}
