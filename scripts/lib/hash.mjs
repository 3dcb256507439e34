import { createHash } from 'node:crypto';
import { existsSync, readFileSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { inProject } from './project.mjs';

/** All files of a path within the project, which may be a file itself. */
export function filesOf(path) {
  const absolute = inProject(path);
  if (!existsSync(absolute)) return [];
  if (!statSync(absolute).isDirectory()) return [path];
  return readdirSync(absolute)
    .sort()
    .flatMap((name) => filesOf(join(path, name)));
}

/** One hash of the names and the contents of all these files, and of some words. */
export function hashOf(paths, words = []) {
  const hash = createHash('sha256');
  for (const word of words) hash.update(`${word}\0`);
  for (const path of paths.flatMap(filesOf)) {
    const bytes = readFileSync(inProject(path));
    hash.update(`${path}\0${bytes.length}\0`).update(bytes);
  }
  return hash.digest('hex');
}
