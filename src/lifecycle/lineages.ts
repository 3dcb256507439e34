import type { MkdirEvent, TaskName } from '../events/event.js';
import type { Creator } from './finding.js';

const slots = 256;

/** A task and its ancestors, as a list that begins with the task. */
export interface Lineage extends TaskName {
  readonly parent: Lineage | undefined;
}

/**
 * Gives one object for all that a task creates, in 13 hierarchies for instance, and
 * one for each ancestor that creators have in common: there are as many creators in
 * memory as cgroups, where each is made by a runtime's own short process.
 */
export interface Lineages {
  of(event: MkdirEvent): Lineage;
}

export function createLineages(): Lineages {
  /** By pid; a later one takes an earlier one's slot. */
  const recent = new Array<Lineage | undefined>(slots).fill(undefined);

  function find({ pid, comm }: TaskName, parent: Lineage | undefined): Lineage {
    const slot = pid % slots;
    const known = recent[slot];
    if (known?.pid === pid && known.comm === comm && known.parent === parent)
      return known;
    const lineage = { pid, comm, parent };
    recent[slot] = lineage;
    return lineage;
  }

  return {
    of: ({ task, ancestors }) => {
      let parent: Lineage | undefined;
      for (let at = ancestors.length - 1; at >= 0; at--) {
        const ancestor = ancestors[at];
        if (ancestor) parent = find(ancestor, parent);
      }
      return find(task, parent);
    },
  };
}

export function creatorOf({ pid, comm, parent }: Lineage): Creator {
  const ancestors: TaskName[] = [];
  for (let each = parent; each; each = each.parent) {
    ancestors.push({ pid: each.pid, comm: each.comm });
  }
  return { pid, comm, ancestors };
}
