import type { DyingEvidence, Finding } from '../lifecycle/index.js';
import { formatRfc3339, jsonLine } from '../text/index.js';
import {
  head,
  jsonLastTask,
  jsonOwner,
  jsonPath,
  jsonSiblings,
  jsonTask,
  jsonTaskName,
} from './json-parts.js';
import { hierarchyNames, namesOfAll, type ReportContext } from './report-context.js';

function jsonDying(dying: DyingEvidence, context: ReportContext) {
  const { cgroups, hierarchies, oldestRemovedAt, pinnedBytes, nrDyingDescendants } =
    dying;
  return {
    cgroups,
    hierarchies: hierarchies.flatMap((id) => hierarchyNames(context, id)),
    oldestRemovedAt: formatRfc3339(context.toWallClock(oldestRemovedAt)),
    ...(pinnedBytes !== undefined && { pinnedBytes }),
    ...(nrDyingDescendants !== undefined && { nrDyingDescendants }),
  };
}

/** A finding, or a change of it, as a line of JSON, without its end. */
export function jsonFinding(finding: Finding, context: ReportContext): string {
  const { createdAt, emptiedAt, creator, lastTask, movedBy, siblings } = finding;
  const time = (monotonic: bigint) => formatRfc3339(context.toWallClock(monotonic));
  return jsonLine({
    ...head('finding', context.toWallClock(finding.time)),
    state: finding.state,
    key: finding.key,
    finding: finding.finding,
    ...jsonPath(finding.path),
    ...(finding.owner && { owner: jsonOwner(finding.owner) }),
    left: namesOfAll(context, finding.left),
    removed: namesOfAll(context, finding.removed),
    preexisting: finding.preexisting,
    ...(finding.unseen && { unseen: true }),
    parent: finding.parent,
    ...(createdAt !== undefined && { createdAt: time(createdAt) }),
    ...(creator && {
      creator: {
        ...jsonTaskName(creator),
        ancestors: creator.ancestors.map(jsonTaskName),
      },
    }),
    ...(emptiedAt !== undefined && { emptiedAt: time(emptiedAt) }),
    ...(lastTask && { lastTask: jsonLastTask(lastTask) }),
    ...(movedBy && { movedBy: jsonTaskName(movedBy) }),
    ...(siblings && { siblings: jsonSiblings(siblings) }),
    ...(finding.reason && { reason: finding.reason }),
    ...(finding.removedBy && { removedBy: jsonTask(finding.removedBy) }),
    ...(finding.dying && { dying: jsonDying(finding.dying, context) }),
  });
}
