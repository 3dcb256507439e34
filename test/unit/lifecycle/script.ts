import type {
  CgroupEvent,
  ExitedTask,
  Task,
  TaskName,
} from '../../../src/events/index.js';
import { createLifecycle } from '../../../src/lifecycle/index.js';
import type {
  Finding,
  Lifecycle,
  LifecycleOptions,
  Observation,
} from '../../../src/lifecycle/index.js';

export const second = 1_000_000_000n;
export const grace = 10n * second;
export const runtime: Task = { pid: 100, tid: 100, uid: 0, comm: 'runc' };
export const ancestors: readonly TaskName[] = [
  { pid: 90, comm: 'containerd-shim' },
  { pid: 1, comm: 'systemd' },
];
export const lastTask: ExitedTask = {
  pid: 101,
  tid: 101,
  comm: 'sleep',
  exitCode: null,
  signal: 9,
};

interface Of {
  readonly hierarchy?: number;
  /** By default that of the last mkdir there. */
  readonly id?: bigint;
  readonly time?: bigint;
  readonly task?: Task;
  readonly pathTruncated?: boolean;
}

/** A lifecycle and the story that a test tells it. */
export interface Script {
  readonly lifecycle: Lifecycle;
  mkdir(path: string, of?: Of & { ancestors?: readonly TaskName[] }): CgroupEvent;
  populated(path: string, of?: Of): CgroupEvent;
  emptied(
    path: string,
    of?: Of & { lastTask?: ExitedTask; movedBy?: TaskName },
  ): CgroupEvent;
  rmdir(path: string, of?: Of): CgroupEvent;
  release(path: string, of?: Of): CgroupEvent;
  rename(path: string, newPath: string, of?: Of): CgroupEvent;
  /** mkdir, populated and emptied, in each hierarchy. */
  leave(path: string, hierarchies?: readonly number[]): void;
  id(path: string, hierarchy?: number): bigint;
  now(): bigint;
  advance(seconds: number): void;
  /** Settles what is due, and returns the paths that were. `empty` by default. */
  settle(state?: Observation['state'] | StateOf): string[];
  /** Lets the grace pass, and settles. */
  expire(state?: Observation['state'] | StateOf): string[];
  /** Changes not yet taken, as `opened abandoned /a left 0 removed 1,2 (reason)`. */
  changes(): string[];
  take(): readonly Finding[];
}

export type StateOf = (path: string, hierarchy: number) => Observation['state'];

export function startScript(options: Partial<LifecycleOptions> = {}): Script {
  const lifecycle = createLifecycle({ grace, ...options });
  const ids = new Map<string, bigint>();
  let nextId = 1n;
  let now = 1_000n * second;

  const idOf = (path: string, hierarchy: number) => {
    const key = `${hierarchy} ${path}`;
    const id = ids.get(key) ?? nextId++;
    ids.set(key, id);
    return id;
  };

  function base(path: string, of: Of = {}) {
    const { hierarchy = 0, id, time = now, task = runtime, pathTruncated = false } = of;
    return {
      path,
      hierarchy,
      id: id ?? idOf(path, hierarchy),
      time,
      task,
      pathTruncated,
    };
  }

  function feed(event: CgroupEvent): CgroupEvent {
    lifecycle.feed(event);
    return event;
  }

  const script: Script = {
    lifecycle,
    mkdir: (path, of = {}) => {
      const id = of.id ?? nextId++;
      ids.set(`${of.hierarchy ?? 0} ${path}`, id);
      return feed({
        kind: 'mkdir',
        ...base(path, { ...of, id }),
        ancestors: of.ancestors ?? ancestors,
      });
    },
    populated: (path, of) => feed({ kind: 'populated', ...base(path, of) }),
    emptied: (path, of) => {
      const cause = of?.movedBy
        ? { movedBy: of.movedBy }
        : { lastTask: of?.lastTask ?? lastTask };
      return feed({ kind: 'emptied', ...base(path, of), ...cause });
    },
    rmdir: (path, of) => feed({ kind: 'rmdir', ...base(path, of) }),
    release: (path, of) => feed({ kind: 'release', ...base(path, of) }),
    rename: (path, newPath, of = {}) => {
      const id = of.id ?? idOf(path, of.hierarchy ?? 0);
      ids.set(`${of.hierarchy ?? 0} ${newPath}`, id);
      return feed({ kind: 'rename', ...base(newPath, { ...of, id }) });
    },
    leave: (path, hierarchies = [0]) => {
      for (const hierarchy of hierarchies) {
        script.mkdir(path, { hierarchy });
        script.populated(path, { hierarchy });
      }
      for (const hierarchy of hierarchies) script.emptied(path, { hierarchy });
    },
    id: (path, hierarchy = 0) => idOf(path, hierarchy),
    now: () => now,
    advance: (seconds) => {
      now += BigInt(Math.round(seconds * 1e9));
    },
    settle: (state = 'empty') => {
      const candidates = lifecycle.due(now);
      for (const candidate of candidates) {
        const observed = candidate.members.map((member): Observation => ({
          ...member,
          state:
            typeof state === 'string' ? state : state(candidate.path, member.hierarchy),
        }));
        lifecycle.settle(candidate, observed, now);
      }
      return candidates.map(({ path }) => path);
    },
    expire: (state) => {
      now += grace;
      return script.settle(state);
    },
    take: () => lifecycle.takeChanges(),
    changes: () => lifecycle.takeChanges().map(line),
  };
  return script;
}

function line({ state, finding, path, left, removed, reason }: Finding): string {
  const hierarchies = (members: Finding['left']) =>
    members.map(({ hierarchy }) => hierarchy).join();
  return [
    `${state} ${finding} ${path} left ${hierarchies(left)}`,
    removed.length > 0 ? ` removed ${hierarchies(removed)}` : '',
    reason ? ` (${reason})` : '',
  ].join('');
}
