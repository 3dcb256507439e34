/**
 * The lifecycle events of cgroups, as the BPF programs report them.
 *
 * Times are nanoseconds of CLOCK_MONOTONIC, as bpf_ktime_get_ns() gives them;
 * toWallClock() makes a date of one. Paths and comms are
 * raw bytes, one byte a code unit (latin1), so that any name survives exactly:
 * escape them before a human or a terminal sees them, and turn a path back into
 * bytes with `Buffer.from(path, 'latin1')` before it goes to the file system.
 */

/** Every kind of event, in the order in which they occur in a cgroup's life. */
export const eventKinds = [
  'mkdir',
  'populated',
  'emptied',
  'rmdir',
  'release',
  'rename',
] as const;

export type EventKind = (typeof eventKinds)[number];

/** The task in whose context the kernel fired the event. */
export interface Task {
  /** Thread group id, in the initial pid namespace. */
  readonly pid: number;
  readonly tid: number;
  /** Real user id, in the initial user namespace. */
  readonly uid: number;
  /** Raw bytes as latin1, up to 15. */
  readonly comm: string;
}

export interface TaskName {
  readonly pid: number;
  readonly comm: string;
}

/** A task that exited, and how. Exactly one of exitCode and signal is a number. */
export interface ExitedTask extends TaskName {
  readonly tid: number;
  /** What it gave to exit(2), 0 to 255; null where a signal killed it. */
  readonly exitCode: number | null;
  /** The number of the signal that killed it; null where it exited by itself. */
  readonly signal: number | null;
}

interface EventBase {
  /** CLOCK_MONOTONIC, ns. */
  readonly time: bigint;
  /** Hierarchy id as in /proc/self/cgroup: 0 is v2. */
  readonly hierarchy: number;
  /** Id within the hierarchy: the inode number of the cgroup's directory. */
  readonly id: bigint;
  /** Path below the hierarchy's root, raw bytes as latin1; `/a/b`. */
  readonly path: string;
  /** True where the path is longer than 4,095 bytes and only its end is here. */
  readonly pathTruncated: boolean;
  /**
   * Whoever was running then. The cause for mkdir, rmdir and rename; for
   * release a kernel worker; for emptied see lastTask and movedBy instead.
   */
  readonly task: Task;
}

export interface MkdirEvent extends EventBase {
  readonly kind: 'mkdir';
  /** The creator's ancestors, the parent first, at most five. */
  readonly ancestors: readonly TaskName[];
}

/** The last task has left a cgroup or its subtree: by an exit, or moved out. */
export interface EmptiedEvent extends EventBase {
  readonly kind: 'emptied';
  readonly lastTask?: ExitedTask;
  readonly movedBy?: TaskName;
}

export interface PlainEvent extends EventBase {
  /** For rename the path is the new one. */
  readonly kind: 'populated' | 'rmdir' | 'release' | 'rename';
}

export type CgroupEvent = MkdirEvent | EmptiedEvent | PlainEvent;
