import { createHierarchyTable } from '../cgroupfs/index.js';
import type { HierarchyTable } from '../cgroupfs/index.js';
import { toWallClock } from '../events/index.js';
import { colourStyle, plainStyle } from '../report/index.js';
import type { ReportContext, Style } from '../report/index.js';
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
export function startSession(): Session {
  requireHost();
  const table = createHierarchyTable();
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

/** The paths and hierarchies that a user has chosen, where any. */
export function resolveChoice(
  words: {
    readonly under: readonly string[] | undefined;
    readonly hierarchy: readonly string[] | undefined;
  },
  table: HierarchyTable,
): { under?: string[]; hierarchies?: number[] } {
  const all = table.all();
  const under = words.under?.flatMap((word) => resolveUnder(word, all));
  const hierarchies = words.hierarchy?.map((word) => resolveHierarchy(word, all).id);
  return { ...(under && { under }), ...(hierarchies && { hierarchies }) };
}
