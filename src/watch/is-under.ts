import { isWithin } from '../cgroupfs/index.js';

/**
 * Whether a path is one of some cgroups, or below one of them.
 *
 * @param under - paths, raw bytes as latin1; undefined for all.
 */
export function isUnder(under: readonly string[] | undefined): (path: string) => boolean {
  if (under === undefined || under.includes('/')) return () => true;
  return (path) => under.some((directory) => isWithin(path, directory));
}
