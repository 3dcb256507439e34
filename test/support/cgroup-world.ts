import type { CgroupEvent, ExitedTask, Task } from '../../src/events/index.js';
import type { Observation } from '../../src/lifecycle/index.js';

/** One cgroup at one path, from a step of the world to another. */
export interface Stay {
  readonly cgroup: WorldCgroup;
  readonly path: string;
  readonly from: number;
  /** Infinity while it lasts. */
  to: number;
  end: 'rmdir' | 'rename' | undefined;
}

export interface WorldCgroup {
  readonly hierarchy: number;
  readonly id: bigint;
  readonly parent: WorldCgroup | undefined;
  alive: boolean;
  /** In it alone. */
  tasks: number;
  everPopulated: boolean;
  everParent: boolean;
}

/**
 * Cgroups as the kernel keeps them, kept as simply as can be: lists, and a search
 * for every question. Each change is a step, and gives the events that the kernel
 * would report, in its order.
 */
export interface CgroupWorld {
  readonly stays: readonly Stay[];
  /** Which path had an event of its own, or a child made or removed, and when. */
  readonly touches: readonly { readonly path: string; readonly time: bigint }[];
  /** Steps so far. */
  step(): number;
  now(): bigint;
  advance(nanoseconds: bigint): void;
  pathOf(cgroup: WorldCgroup): string;
  at(hierarchy: number, path: string): WorldCgroup | undefined;
  alive(): WorldCgroup[];
  children(cgroup: WorldCgroup): WorldCgroup[];
  /** Whether a task is in it, or below. */
  isPopulated(cgroup: WorldCgroup): boolean;
  observe(hierarchy: number, path: string, id: bigint): Observation['state'];
  mkdir(hierarchy: number, path: string): CgroupEvent[];
  /** A task enters. */
  enter(cgroup: WorldCgroup): CgroupEvent[];
  /** A task leaves, by its exit. */
  leave(cgroup: WorldCgroup): CgroupEvent[];
  rmdir(cgroup: WorldCgroup): CgroupEvent[];
  /** Within its parent, as v1 has it. */
  rename(cgroup: WorldCgroup, name: string): CgroupEvent[];
}

export function createCgroupWorld(): CgroupWorld {
  const stays: Stay[] = [];
  const touches: { path: string; time: bigint }[] = [];
  let step = 0;
  let now = 1_000_000_000n;
  let nextId = 1n;
  let nextPid = 100;

  const current = () => stays.filter(({ to }) => to === Infinity);
  const alive = () => current().map(({ cgroup }) => cgroup);
  const children = (parent: WorldCgroup) =>
    alive().filter((cgroup) => cgroup.parent === parent);
  const isPopulated = (cgroup: WorldCgroup): boolean =>
    cgroup.tasks > 0 || children(cgroup).some(isPopulated);
  const at = (hierarchy: number, path: string) =>
    current().find((stay) => stay.path === path && stay.cgroup.hierarchy === hierarchy)
      ?.cgroup;

  function stayOf(cgroup: WorldCgroup): Stay {
    const stay = current().find((each) => each.cgroup === cgroup);
    if (!stay) throw new Error('It has been removed');
    return stay;
  }
  const pathOf = (cgroup: WorldCgroup) => stayOf(cgroup).path;

  function ancestry(cgroup: WorldCgroup): WorldCgroup[] {
    return cgroup.parent ? [cgroup, ...ancestry(cgroup.parent)] : [cgroup];
  }

  function touch(path: string): void {
    touches.push({ path, time: now });
  }

  function base(cgroup: WorldCgroup, path = pathOf(cgroup)) {
    const pid = nextPid++;
    const task: Task = { pid, tid: pid, uid: 0, comm: `task${pid % 3}` };
    const { hierarchy, id } = cgroup;
    return { time: now, hierarchy, id, path, pathTruncated: false, task };
  }

  /** Lets the number of tasks change, and reports whom that populates or empties. */
  function changeTasks(cgroup: WorldCgroup, difference: 1 | -1): CgroupEvent[] {
    step += 1;
    const line = ancestry(cgroup);
    const before = line.map(isPopulated);
    cgroup.tasks += difference;
    const pid = nextPid++;
    const lastTask: ExitedTask = {
      pid,
      tid: pid,
      comm: 'job',
      exitCode: 0,
      signal: null,
    };
    return line
      .filter((each, index) => isPopulated(each) !== before[index])
      .map((each): CgroupEvent => {
        touch(pathOf(each));
        if (difference < 0) return { kind: 'emptied', ...base(each), lastTask };
        each.everPopulated = true;
        return { kind: 'populated', ...base(each) };
      });
  }

  return {
    stays,
    touches,
    step: () => step,
    now: () => now,
    advance: (nanoseconds) => {
      now += nanoseconds;
    },
    pathOf,
    at,
    alive,
    children,
    isPopulated,
    observe: (hierarchy, path, id) => {
      const cgroup = at(hierarchy, path);
      if (!cgroup) return 'absent';
      if (cgroup.id !== id) return 'replaced';
      if (children(cgroup).length > 0) return 'parent';
      return isPopulated(cgroup) ? 'populated' : 'empty';
    },
    mkdir: (hierarchy, path) => {
      step += 1;
      const parentPath = path.slice(0, path.lastIndexOf('/'));
      const parent = parentPath === '' ? undefined : at(hierarchy, parentPath);
      if (parent) {
        parent.everParent = true;
        touch(parentPath);
      }
      const cgroup: WorldCgroup = {
        hierarchy,
        id: nextId++,
        parent,
        alive: true,
        tasks: 0,
        everPopulated: false,
        everParent: false,
      };
      stays.push({ cgroup, path, from: step, to: Infinity, end: undefined });
      touch(path);
      return [{ kind: 'mkdir', ...base(cgroup), ancestors: [] }];
    },
    enter: (cgroup) => changeTasks(cgroup, 1),
    leave: (cgroup) => changeTasks(cgroup, -1),
    rmdir: (cgroup) => {
      step += 1;
      const stay = stayOf(cgroup);
      const event: CgroupEvent = { kind: 'rmdir', ...base(cgroup) };
      touch(stay.path);
      if (cgroup.parent) touch(pathOf(cgroup.parent));
      stay.to = step;
      stay.end = 'rmdir';
      cgroup.alive = false;
      return [event];
    },
    rename: (top, name) => {
      step += 1;
      const oldPath = pathOf(top);
      const newPath = oldPath.slice(0, oldPath.lastIndexOf('/') + 1) + name;
      for (const stay of current()) {
        if (!ancestry(stay.cgroup).includes(top)) continue;
        const path = newPath + stay.path.slice(oldPath.length);
        touch(stay.path);
        touch(path);
        stay.to = step;
        stay.end = 'rename';
        stays.push({
          cgroup: stay.cgroup,
          path,
          from: step,
          to: Infinity,
          end: undefined,
        });
      }
      return [{ kind: 'rename', ...base(top, newPath) }];
    },
  };
}
