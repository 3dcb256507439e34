import { readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { defaultProcRoot } from './read-proc-file.js';
import type { ProcOptions } from './read-hierarchies.js';

/** The inode number of the first cgroup namespace is fixed in the kernel. */
const initialNamespace = 'cgroup:[4026531835]';

/**
 * Whether paths of cgroups are the host's here. In another namespace those in
 * /proc are relative to its own root, and those in events are not.
 */
export function isInitialCgroupNamespace(options: ProcOptions = {}): boolean {
  const { procRoot = defaultProcRoot } = options;
  try {
    return readlinkSync(join(procRoot, 'self/ns/cgroup')) === initialNamespace;
  } catch {
    // A kernel without such namespaces.
    return true;
  }
}
