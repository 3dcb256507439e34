import { defaultProcRoot, readProcFile } from './read-proc-file.js';
import type { ProcOptions } from './read-hierarchies.js';

/** A line of /proc/cgroups. */
export interface Controller {
  readonly name: string;
  /** The id of its hierarchy: 0 is v2, or none. */
  readonly hierarchy: number;
  /** How many cgroups it has, dying ones included. */
  readonly cgroups: number;
  readonly enabled: boolean;
}

/** The controllers of this kernel that /proc/cgroups lists. */
export function readControllers(options: ProcOptions = {}): Controller[] {
  const { procRoot = defaultProcRoot } = options;
  return readProcFile(procRoot, 'cgroups').flatMap((line) => {
    const match = /^(\S+)\t(\d+)\t(\d+)\t([01])$/.exec(line);
    if (!match) return [];
    const [, name = '', hierarchy, cgroups, enabled] = match;
    return [
      {
        name,
        hierarchy: Number(hierarchy),
        cgroups: Number(cgroups),
        enabled: enabled === '1',
      },
    ];
  });
}

/** The kernel has so many ids of memory cgroups; dying ones keep theirs. */
export const memoryCgroupLimit = 65_535;

/**
 * How many memory cgroups there are, dying ones included; undefined where the
 * kernel doesn't tell, or has none.
 */
export function memoryCgroupsInUse(options: ProcOptions = {}): number | undefined {
  return readControllers(options).find(
    ({ name, enabled }) => name === 'memory' && enabled,
  )?.cgroups;
}
