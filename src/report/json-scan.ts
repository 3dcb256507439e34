import { formatRfc3339, jsonLine } from '../text/index.js';
import type { Scan, ScanGroup } from '../watch/index.js';
import { head, jsonOwner, jsonPath, seconds } from './json-parts.js';
import { namesOfAll, type ReportContext } from './report-context.js';
import { jsonHierarchy } from './status.js';

/** A scan as lines of JSON, each without its end: its empty leaves, and what it is in all. */
export function* jsonScan(scan: Scan, context: ReportContext): Generator<string> {
  for (const { leaves } of scan.groups) {
    for (const { path, members, owner } of leaves) {
      yield jsonLine({
        ...head('empty', scan.time),
        ...jsonPath(path),
        ...(owner && { owner: jsonOwner(owner) }),
        left: namesOfAll(context, members),
        ids: members.map(({ id }) => String(id)),
      });
    }
  }
  yield jsonLine({
    ...head('scan', scan.time),
    cgroups: scan.cgroups,
    empty: scan.empty,
    emptyCgroups: scan.emptyCgroups,
    kept: scan.kept,
    unreadable: scan.unreadable,
    durationSeconds: seconds(scan.duration),
    groups: scan.groups.map(jsonGroup),
    hierarchies: scan.hierarchies.map(({ hierarchy, source, cgroups }) => ({
      ...jsonHierarchy(hierarchy),
      source,
      cgroups,
    })),
  });
}

function jsonGroup({ owner, parent, leaves, oldest }: ScanGroup) {
  return {
    ...(owner !== undefined && { owner }),
    ...(parent !== undefined && { parent: jsonPath(parent) }),
    empty: leaves.length,
    oldest: {
      ...jsonPath(oldest.path),
      ...(oldest.standsSince !== undefined && {
        standsSince: formatRfc3339(oldest.standsSince),
      }),
    },
  };
}
