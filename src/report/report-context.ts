import type { Hierarchy } from '../cgroupfs/index.js';

/** What the faces of events and findings must know of the host. */
export interface ReportContext {
  /** A time of an event as ns since the epoch. */
  toWallClock(monotonic: bigint): bigint;
  hierarchy(id: number): Hierarchy | undefined;
}

/** What a hierarchy is called: its controllers, `name=…`, `v2`; `hierarchy=12` where unknown. */
export function hierarchyNames(context: ReportContext, id: number): readonly string[] {
  return context.hierarchy(id)?.controllers ?? [`hierarchy=${id}`];
}

/** The names of several, one list. */
export function namesOfAll(
  context: ReportContext,
  members: readonly { readonly hierarchy: number }[],
): string[] {
  return members.flatMap(({ hierarchy }) => hierarchyNames(context, hierarchy));
}
