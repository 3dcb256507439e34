import type { CgroupEvent, EventKind } from '../events/index.js';
import { isUnder } from './is-under.js';

/** What of the event stream is wanted. Everything, where nothing is said. */
export interface EventChoice {
  /** Paths of cgroups, raw bytes as latin1: those, and all below. */
  readonly under?: readonly string[];
  /** Ids. */
  readonly hierarchies?: readonly number[];
  readonly kinds?: readonly EventKind[];
}

/** Whether an event is among those chosen; undefined where all are. */
export function createEventFilter(
  choice: EventChoice,
): ((event: CgroupEvent) => boolean) | undefined {
  const tests: ((event: CgroupEvent) => boolean)[] = [];
  if (choice.hierarchies) {
    const ids = new Set(choice.hierarchies);
    tests.push(({ hierarchy }) => ids.has(hierarchy));
  }
  if (choice.kinds) {
    const kinds = new Set(choice.kinds);
    tests.push(({ kind }) => kinds.has(kind));
  }
  const { under } = choice;
  // The root's own directory has no events: `/` is everything.
  if (under && !under.includes('/')) {
    const isChosen = isUnder(under);
    tests.push(({ path }) => isChosen(path));
  }

  const [first, second, third] = tests;
  if (!first) return undefined;
  if (!second) return first;
  if (!third) return (event) => first(event) && second(event);
  return (event) => first(event) && second(event) && third(event);
}
