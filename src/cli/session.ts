import { existsSync } from 'node:fs';
import { cgroupDirectory, createHierarchyTable } from '../cgroupfs/index.js';
import type { Hierarchy, HierarchyTable } from '../cgroupfs/index.js';
import { toWallClock } from '../events/index.js';
import { colourStyle, plainStyle } from '../report/index.js';
import type { ReportContext, Style } from '../report/index.js';
import { escapeText } from '../text/index.js';
import { resolveHierarchy, resolveUnder } from '../watch/index.js';
import { requireHost } from './host/require-host.js';
import { createOutput, wantsColour } from './output.js';
import type { Output } from './output.js';
import { createStop } from './stop.js';
import type { Stop } from './stop.js';

/** What the commands that watch the host have in common. */
export interface Session {
  readonly output: Output;
  readonly stop: Stop;
  readonly style: Style;
  readonly table: HierarchyTable;
  readonly context: ReportContext;
}

/** @throws HostError or CgroupfsError where the host can't be watched. */
export function startSession(options: { cgroupRoot?: string | undefined } = {}): Session {
  requireHost();
  const { cgroupRoot } = options;
  const table = createHierarchyTable({ cgroupRoot });
  const stop = createStop();
  const output = createOutput(process.stdout, () => {
    stop.now('closed');
  });
  return {
    output,
    stop,
    style: wantsColour(output.isTerminal) ? colourStyle : plainStyle,
    table,
    context: { toWallClock, hierarchy: table.get },
  };
}

/**
 * The paths and hierarchies that a user has chosen, where any. A path that is not
 * there may be a slip, or be made later: a warning says so.
 */
export function resolveChoice(
  words: {
    readonly under: readonly string[] | undefined;
    readonly hierarchy: readonly string[] | undefined;
  },
  table: HierarchyTable,
): { under?: string[]; hierarchies?: number[] } {
  const all = table.all();
  const under = words.under?.flatMap((word) => {
    const paths = resolveUnder(word, all);
    if (!paths.some((path) => isThere(path, all)))
      process.stderr.write(
        `No cgroup is at --under ${escapeText(paths[0] ?? word)} now: only one that is made there later can be seen.\n`,
      );
    return paths;
  });
  const hierarchies = words.hierarchy?.map((word) => resolveHierarchy(word, all).id);
  return { ...(under && { under }), ...(hierarchies && { hierarchies }) };
}

/** In any hierarchy; where none can be seen, it is taken to be there. */
function isThere(path: string, hierarchies: readonly Hierarchy[]): boolean {
  const directories = hierarchies.flatMap(
    (hierarchy) => cgroupDirectory(hierarchy, path) ?? [],
  );
  return directories.length === 0 || directories.some((each) => existsSync(each));
}
