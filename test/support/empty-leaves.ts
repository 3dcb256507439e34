import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Subtree } from './subtree.js';

/**
 * The paths below a subtree at which no hierarchy has a task or a child, as the
 * files say, and the hierarchies in which each stands, sorted.
 */
export function emptyLeaves({ path, directories }: Subtree): Map<string, string[]> {
  const left = new Map<string, string[]>();
  const used = new Set<string>();
  const look = (controllers: string, directory: string, at: string) => {
    const children = readdirSync(directory, { withFileTypes: true }).filter((entry) =>
      entry.isDirectory(),
    );
    left.set(at, [...(left.get(at) ?? []), ...controllers.split(',')].sort());
    const procs = readFileSync(join(directory, 'cgroup.procs'), 'utf8');
    if (children.length > 0 || procs !== '') used.add(at);
    for (const { name } of children)
      look(controllers, join(directory, name), `${at}/${name}`);
  };
  for (const [controllers, directory] of directories) look(controllers, directory, path);
  for (const each of used) left.delete(each);
  left.delete(path);
  return left;
}
