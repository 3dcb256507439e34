import { availableParallelism } from 'node:os';
import { kernelKnows, loadObject } from '../bpf-ts/index.js';
import type { ProgramStatus } from '../bpf-ts/index.js';
import { decodeBatch } from './decode.js';
import type { CgroupEvent } from './event.js';
import { linkedObject } from './objects.js';
import { createUnreleased, type Unreleased } from './unreleased.js';

export interface TracerOptions {
  /** Called once a batch, in the order of the ring. */
  readonly onEvents: (events: readonly CgroupEvent[]) => void;
  /** Called after the batch that follows a loss, with totals since the start. */
  readonly onLost?: (lostPerCpu: readonly number[]) => void;
  /**
   * Leaves out the program that reports each of these kinds: they then cost the
   * kernel nothing. None by default.
   */
  readonly without?: readonly ('rename' | 'release')[];
  /**
   * Keeps which removed cgroups are not released, see Tracer.unreleased, in place of
   * an event for each release. False by default.
   */
  readonly keepUnreleased?: boolean;
  /** Size of the ring buffer in bytes: a power of two, a page or more. 4 MiB by default. */
  readonly ringBytes?: number;
}

/** The BPF programs at work. */
export interface Tracer {
  readonly programs: readonly ProgramStatus[];
  /** Absent where that was not asked for, or this kernel doesn't take the program. */
  readonly unreleased?: Unreleased;
  /** How many records found the ring full, for each CPU, since the start. */
  lost(): readonly number[];
  /** Delivers what is in the ring now. */
  flush(): void;
  /** Stops delivery: the ring fills up, and what does not fit is counted as lost. */
  pause(): void;
  resume(): void;
  close(): void;
}

/** What only adds to the picture: without it a host can still be watched. */
const optionalPrograms = ['on_rename', 'on_release', 'on_exit', 'on_task_dead'];

const defaultRingBytes = 4 * 1024 * 1024;

/**
 * An event after a quiet time is delivered at once, those that follow together
 * after this time: so that a busy host costs 20 wake-ups a second and no more.
 */
const coalesceMs = 50;

/** As many may wait between the two tracepoints beside the one on each CPU. */
const waitingExits = 64;

/**
 * Loads and attaches the BPF programs.
 *
 * @throws BpfError where the kernel refuses: no privilege, no BTF, a program
 *   that can't be left out.
 */
export function openTracer(options: TracerOptions): Tracer {
  const { keepUnreleased = false } = options;
  const unlinksLater = kernelKnows('cgroup_task_dead');
  const { object, programs } = loadObject(linkedObject('lifecycle'), {
    name: 'cgleak',
    globals: {
      exiting_tasks_limit: waitingExits + availableParallelism(),
      keep_unreleased: keepUnreleased,
      unlinks_later: unlinksLater,
    },
    maxEntries: {
      events: options.ringBytes ?? defaultRingBytes,
      ...(!keepUnreleased && { unreleased: 1 }),
    },
    optional: optionalPrograms,
    disabled: [
      ...(options.without ?? []).map((kind) => `on_${kind}`),
      ...(unlinksLater ? [] : ['on_task_dead']),
    ],
  });
  const lostMap = object.map('lost');
  const key = new Uint8Array(4);
  let lostBefore = 0;

  function lost(): number[] {
    return (lostMap.lookupPerCpu(key) ?? []).map((value) =>
      Number(new DataView(value.buffer, value.byteOffset).getBigUint64(0, true)),
    );
  }

  function tellLoss(): void {
    const perCpu = lost();
    const total = perCpu.reduce((sum, count) => sum + count, 0);
    if (total > lostBefore) {
      lostBefore = total;
      options.onLost?.(perCpu);
    }
  }

  const ring = object.ringBuffer(
    'events',
    (batch) => {
      options.onEvents(decodeBatch(batch));
      tellLoss();
    },
    { coalesceMs },
  );

  const isKept =
    keepUnreleased &&
    programs.some(({ name, state }) => name === 'on_release' && state === 'attached');
  return {
    programs,
    ...(isKept && { unreleased: createUnreleased(object.map('unreleased')) }),
    lost,
    flush: () => {
      ring.flush();
    },
    pause: () => {
      ring.pause();
    },
    resume: () => {
      ring.resume();
    },
    close: () => {
      object.close();
    },
  };
}
