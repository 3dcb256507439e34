import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { SetupError } from './setup-error.mjs';

/**
 * The folder that node-gyp takes as --nodedir: where Node is installed, with
 * include/node in it. So nothing is downloaded for the build.
 * @returns {string | undefined}
 */
export function nodeHeaders() {
  const candidates = [
    process.env.npm_config_nodedir,
    join(dirname(process.execPath), '..'),
  ].filter(Boolean);
  return candidates.find((folder) =>
    existsSync(join(folder, 'include/node/node_version.h')),
  );
}

/** @throws {SetupError} */
export function requireNodeHeaders() {
  const folder = nodeHeaders();
  if (folder !== undefined) return folder;
  const expected = join(dirname(process.execPath), '../include/node/node_version.h');
  throw new SetupError(
    `Node's own headers are needed for the build, and ${expected} is not there. Install a ` +
      'Node that brings them, such as the archives of nodejs.org do, or set ' +
      'npm_config_nodedir to a folder with include/node in it.',
  );
}
