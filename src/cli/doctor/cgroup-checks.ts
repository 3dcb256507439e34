import { memoryCgroupLimit } from '../../cgroupfs/index.js';
import type { Hierarchy } from '../../cgroupfs/index.js';
import type { Check } from '../../report/index.js';
import { escapeText, formatCount } from '../../text/index.js';

/** From here on it is time to do something. */
const warnAtShare = 0.8;

export function hierarchyChecks(hierarchies: readonly Hierarchy[]): Check[] {
  return hierarchies.map(({ id, controllers, mountPoint, mountRoot = '/' }) => {
    const name = `hierarchy ${id}`;
    const names = controllers.join();
    if (mountPoint === undefined)
      return {
        name,
        state: 'warn',
        message: `${names}: mounted nowhere that is seen from here`,
        remedy: 'mount it: findings in it rest on events alone',
      };
    const where = `${names} at ${escapeText(mountPoint)}`;
    return mountRoot === '/'
      ? { name, state: 'ok', message: where }
      : {
          name,
          state: 'warn',
          message: `${where}, which shows ${escapeText(mountRoot)} alone`,
          remedy: "mount the hierarchy's root: findings outside rest on events alone",
        };
  });
}

export function memoryCgroupCheck(used: number | undefined): Check {
  const name = 'memory ids';
  if (used === undefined)
    return { name, state: 'ok', message: "unknown: /proc/cgroups doesn't tell" };
  const share = used / memoryCgroupLimit;
  const message = `${formatCount(used)} of ${formatCount(memoryCgroupLimit)} memory-cgroup ids used (${(share * 100).toFixed(1)} %), dying cgroups included`;
  return share < warnAtShare
    ? { name, state: 'ok', message }
    : {
        name,
        state: 'warn',
        message,
        remedy:
          'find who leaves cgroups behind (cgleak watch); dropping the page cache lets dying ones go: echo 1 > /proc/sys/vm/drop_caches',
      };
}
