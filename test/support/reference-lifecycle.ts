import type { CgroupEvent } from '../../src/events/index.js';
import type { FindingMember } from '../../src/lifecycle/index.js';
import type { CgroupWorld, WorldCgroup } from './cgroup-world.js';
import { allPaths, pathState, type PathState } from './expected-leaks.js';

interface Open {
  readonly path: string;
  readonly opened: readonly WorldCgroup[];
  text: string;
}

/** What the lifecycle should say, found out slowly: it looks at all after each step. */
export interface ReferenceLifecycle {
  /** After a step of the world; its changes, as lines. */
  afterStep(events: readonly CgroupEvent[]): string[];
  /** When all that is due is settled; its changes, as lines. */
  settle(): string[];
  emptyParents(): number;
}

export function createReferenceLifecycle(
  world: CgroupWorld,
  { grace, parents }: { readonly grace: bigint; readonly parents: boolean },
): ReferenceLifecycle {
  let open: Open[] = [];

  return {
    afterStep: (events) => {
      const lines: string[] = [];
      const standing: Open[] = [];
      for (const finding of open) {
        const state = pathState(world, finding.path, parents);
        const isGone = !finding.opened.some((cgroup) => state.left.includes(cgroup));
        const text = describe(state);
        if (isGone) {
          const by = events.find(({ kind }) => kind === 'rmdir' || kind === 'rename');
          const end =
            by?.kind === 'rename' ? 'renamed' : `removed by ${by?.task.pid ?? 'nobody'}`;
          lines.push(`closed ${finding.path} ${end}`);
        } else if (!state.kind) {
          const reason = state.isPopulated ? 'repopulated' : 'parent';
          lines.push(`closed ${finding.path} ${reason}`);
        } else {
          standing.push(finding);
          if (text !== finding.text) lines.push(`updated ${text}`);
          finding.text = text;
        }
      }
      open = standing;
      return lines.sort();
    },
    settle: () => {
      const lines: string[] = [];
      for (const path of allPaths(world)) {
        if (open.some((finding) => finding.path === path)) continue;
        const state = pathState(world, path, parents);
        if (!state.kind || state.changedAt + grace > world.now()) continue;
        const text = describe(state);
        open.push({ path, opened: state.left, text });
        lines.push(`opened ${text}`);
      }
      return lines.sort();
    },
    emptyParents: () =>
      allPaths(world)
        .map((path) => pathState(world, path, true))
        .filter(
          ({ left, removed, isPopulated, hasChildren }) =>
            left.length > 0 &&
            !isPopulated &&
            !hasChildren &&
            [...left, ...removed].some(({ everParent }) => everParent),
        ).length,
  };
}

function describe({ path, kind, left, removed }: PathState): string {
  return `${kind ?? ''} ${path} left ${names(left)} removed ${names(removed)}`;
}

/** Each as hierarchy:id, ascending. */
export function names(members: readonly FindingMember[]): string {
  return [...members]
    .sort((a, b) => a.hierarchy - b.hierarchy)
    .map(({ hierarchy, id }) => `${hierarchy}:${id}`)
    .join();
}
