import type { ExitedTask, Task, TaskName } from '../events/index.js';
import type { RemovalDelay } from '../lifecycle/index.js';
import type { Ownership } from '../owners/index.js';
import { formatRfc3339, jsonText, signalName } from '../text/index.js';

/** Every object begins so; the version grows when a name changes or goes. */
export function head<Type extends string>(type: Type, epoch: bigint) {
  return { v: 1, type, time: formatRfc3339(epoch) } as const;
}

export function jsonPath(path: string): { path: string; pathBase64?: string } {
  const { text, base64 } = jsonText(path);
  return base64 === undefined ? { path: text } : { path: text, pathBase64: base64 };
}

export function jsonTask({ pid, tid, comm, uid }: Task) {
  return { pid, tid, comm: jsonText(comm).text, uid };
}

export function jsonTaskName({ pid, comm }: TaskName) {
  return { pid, comm: jsonText(comm).text };
}

export function jsonLastTask({ pid, comm, exitCode, signal }: ExitedTask) {
  return {
    ...jsonTaskName({ pid, comm }),
    exitCode,
    signal: signal === null ? null : signalName(signal),
  };
}

export function jsonOwner({ owner, idKind, id }: Ownership) {
  return {
    name: owner,
    ...(idKind !== undefined && { idKind }),
    ...(id !== undefined && { id: jsonText(id).text }),
  };
}

export function jsonSiblings({ count, p50, p99 }: RemovalDelay) {
  return { count, p50Seconds: seconds(p50), p99Seconds: seconds(p99) };
}

export function seconds(nanoseconds: bigint): number {
  return Number(nanoseconds) / 1e9;
}
