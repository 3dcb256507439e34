import { spawnSync } from 'node:child_process';
import { closeSync, mkdirSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import { SetupError } from './setup-error.mjs';

/**
 * Does something while no other process does anything under the same lock. The
 * kernel frees it with the process, however that ends: it is flock(2), taken
 * through a file that this process has open.
 */
export async function withLock(path, action) {
  mkdirSync(dirname(path), { recursive: true });
  const file = openSync(path, 'a');
  try {
    if (flock(file, '-n') !== 0) {
      console.error('Waiting for another build to end');
      if (flock(file) !== 0) throw new SetupError(`Could not lock ${path}.`);
    }
    return await action();
  } finally {
    closeSync(file);
  }
}

function flock(file, ...flags) {
  const stdio = ['ignore', 'inherit', 'inherit', file];
  const { status, error } = spawnSync('flock', [...flags, '-x', '3'], { stdio });
  if (error) {
    throw new SetupError(
      `The command flock does not run (${error.message}). Install util-linux, which has it.`,
    );
  }
  return status;
}
