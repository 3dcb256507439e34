import { machine } from 'node:os';
import {
  memoryCgroupLimit,
  memoryCgroupsInUse,
  readHierarchies,
} from '../../cgroupfs/index.js';
import type { Hierarchy } from '../../cgroupfs/index.js';
import type { Check, DoctorReport } from '../../report/index.js';
import { hostFacts } from '../host/require-host.js';
import { version } from '../version.js';
import { hierarchyChecks, memoryCgroupCheck } from './cgroup-checks.js';
import { hostChecks } from './host-checks.js';
import { examinePrograms } from './program-checks.js';

/** Looks at everything that watch needs, and tries the programs where it may. */
export function examine(cgroupRoot?: string): DoctorReport {
  const facts = hostFacts();
  const { hierarchies, problem } = findHierarchies(cgroupRoot);
  const host = hostChecks(facts, hierarchies);
  const { programs, checks: programChecks } = examinePrograms(
    host.every(({ state }) => state !== 'fail'),
  );
  const used = memoryCgroups();
  return {
    version: version(),
    kernel: facts.kernel,
    machine: machine(),
    checks: [
      ...host,
      ...programChecks,
      ...(problem ? [problem] : hierarchyChecks(hierarchies)),
      memoryCgroupCheck(used),
    ],
    programs,
    hierarchies,
    ...(used !== undefined && { memoryCgroups: { used, limit: memoryCgroupLimit } }),
  };
}

function findHierarchies(cgroupRoot: string | undefined): {
  hierarchies: readonly Hierarchy[];
  problem?: Check;
} {
  try {
    return {
      hierarchies: readHierarchies({ cgroupRoot }),
    };
  } catch (error) {
    const { message } = error as Error;
    return { hierarchies: [], problem: { name: 'hierarchies', state: 'fail', message } };
  }
}

function memoryCgroups(): number | undefined {
  try {
    return memoryCgroupsInUse();
  } catch {
    return undefined;
  }
}
