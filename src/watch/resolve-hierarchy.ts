import type { Hierarchy } from '../cgroupfs/index.js';
import { listOf } from '../text/index.js';

/** No hierarchy of this host is called that. */
export class HierarchyError extends Error {
  override readonly name = 'HierarchyError';
}

/**
 * The hierarchy that a user means by its id, a controller of it, its name
 * (`systemd` or `name=systemd`), or `v2`.
 *
 * @throws HierarchyError that lists those of this host.
 */
export function resolveHierarchy(
  word: string,
  hierarchies: readonly Hierarchy[],
): Hierarchy {
  const names = word.split(',');
  const found = hierarchies.find(
    ({ id, controllers }) =>
      String(id) === word ||
      names.every((name) => controllers.includes(name)) ||
      controllers.includes(`name=${word}`),
  );
  if (found) return found;
  const known = hierarchies.map(({ id, controllers }) => `${controllers.join()} (${id})`);
  throw new HierarchyError(
    `${JSON.stringify(word)} is no cgroup hierarchy of this host: it has ${listOf(known)}.`,
  );
}
