import type { ProgramStatus } from '../bpf-ts/index.js';
import type { Hierarchy } from '../cgroupfs/index.js';
import { jsonLine, jsonText } from '../text/index.js';
import type { Reconciled } from '../watch/index.js';
import { head, jsonPath, seconds } from './json-parts.js';

/** The programs are attached: what happens from now on is seen. */
export interface StartedStatus {
  readonly state: 'started';
  readonly command: string;
  readonly version: string;
  readonly kernel: string;
  readonly hierarchies: readonly Hierarchy[];
  readonly programs: readonly ProgramStatus[];
  /** ns */
  readonly grace?: bigint;
  /** Raw bytes as latin1. */
  readonly under?: readonly string[];
}

/** Events found the ring full, totals since the start. */
export interface LostStatus {
  readonly state: 'lost';
  readonly lostPerCpu: readonly number[];
}

/** The model of the watch has been made equal to the file system. */
export interface ReconciledStatus extends Reconciled {
  readonly state: 'reconciled';
}

/** The end of a trace. */
export interface EndedStatus {
  readonly state: 'ended';
  readonly events: number;
  readonly lost: number;
}

export type Status = StartedStatus | LostStatus | ReconciledStatus | EndedStatus;

/** A change of cgleak's own state as a line of JSON, without its end. */
export function jsonStatus(status: Status, epoch: bigint): string {
  return jsonLine({ ...head('status', epoch), ...body(status) });
}

function body(status: Status): object {
  switch (status.state) {
    case 'started': {
      const { state, command, version, kernel, hierarchies, programs } = status;
      return {
        state,
        command,
        version,
        kernel,
        ...(status.grace !== undefined && { graceSeconds: seconds(status.grace) }),
        ...(status.under && { under: status.under.map((path) => jsonPath(path).path) }),
        hierarchies: hierarchies.map(jsonHierarchy),
        programs: programs.map(jsonProgram),
      };
    }
    case 'lost':
      return {
        state: status.state,
        lost: status.lostPerCpu.reduce((sum, count) => sum + count, 0),
        lostPerCpu: status.lostPerCpu,
      };
    case 'reconciled': {
      const { duration, ...rest } = status;
      return { ...rest, durationSeconds: seconds(duration) };
    }
    case 'ended':
      return status;
  }
}

export function jsonHierarchy(hierarchy: Hierarchy) {
  const { id, version, controllers, mountPoint, mountRoot } = hierarchy;
  return {
    id,
    version,
    controllers,
    ...(mountPoint !== undefined && { mountPoint: jsonText(mountPoint).text }),
    ...(mountRoot !== undefined && { mountRoot: jsonText(mountRoot).text }),
  };
}

export function jsonProgram({ name, section, state, reason }: ProgramStatus) {
  return {
    name,
    section,
    state,
    ...(reason && { reason: reason.message, code: reason.code }),
  };
}
