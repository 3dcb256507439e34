import type {
  CgroupEvent,
  CgroupName,
  Task,
  Tracer,
  TracerOptions,
} from '../../../src/events/index.js';

/** What stands for the kernel: a test says what happens. */
export interface FakeTracer {
  readonly open: (options: TracerOptions) => Tracer;
  /** The options that it was opened with. */
  readonly options: () => TracerOptions;
  /** Delivers one batch. */
  send(...events: readonly CgroupEvent[]): void;
  /** Keeps events until the next flush, as the ring does. */
  hold(...events: readonly CgroupEvent[]): void;
  /** Which removed cgroups the kernel keeps: those, from now on. */
  keep(...cgroups: readonly CgroupName[]): void;
  lose(...perCpu: readonly number[]): void;
  readonly isClosed: () => boolean;
}

export function createFakeTracer(): FakeTracer {
  let given: TracerOptions | undefined;
  let held: readonly CgroupEvent[] = [];
  let lost: readonly number[] = [0, 0];
  let kept: readonly CgroupName[] = [];
  let closed = false;
  const options = () => {
    if (!given) throw new Error('The tracer is not open');
    return given;
  };

  return {
    open: (wanted) => {
      given = wanted;
      return {
        programs: [
          { name: 'on_mkdir', section: 'tp_btf/cgroup_mkdir', state: 'attached' },
        ],
        unreleased: {
          has: ({ hierarchy, id }) =>
            kept.some((each) => each.hierarchy === hierarchy && each.id === id),
          all: () => [...kept],
        },
        lost: () => lost,
        flush: () => {
          const events = held;
          held = [];
          if (events.length > 0) wanted.onEvents(events);
        },
        pause: () => undefined,
        resume: () => undefined,
        close: () => {
          closed = true;
        },
      };
    },
    options,
    send: (...events) => {
      options().onEvents(events);
    },
    hold: (...events) => {
      held = events;
    },
    keep: (...cgroups) => {
      kept = cgroups;
    },
    lose: (...perCpu) => {
      lost = perCpu;
      options().onLost?.(perCpu);
    },
    isClosed: () => closed,
  };
}

export const shell: Task = { pid: 100, tid: 100, uid: 0, comm: 'sh' };

interface Of {
  readonly path: string;
  readonly time: bigint;
  readonly hierarchy?: number;
  readonly id?: bigint;
}

const base = ({ path, time, hierarchy = 0, id = 7n }: Of) => ({
  path,
  time,
  hierarchy,
  id,
  pathTruncated: false,
  task: shell,
});

export const mkdir = (of: Of): CgroupEvent => ({
  ...base(of),
  kind: 'mkdir',
  ancestors: [{ pid: 1, comm: 'init' }],
});
export const populated = (of: Of): CgroupEvent => ({ ...base(of), kind: 'populated' });
export const rmdir = (of: Of): CgroupEvent => ({ ...base(of), kind: 'rmdir' });
export const emptied = (of: Of): CgroupEvent => ({
  ...base(of),
  kind: 'emptied',
  lastTask: { pid: 101, tid: 101, comm: 'true', exitCode: 0, signal: null },
});
