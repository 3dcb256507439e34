import type { CgroupEvent } from '../src/events/index.js';

export interface ContainerOptions {
  /** Which one. */
  readonly at: number;
  readonly hierarchies: number;
  /** Whether all are made by one task, as by a daemon, or each by its own, as by runc. */
  readonly sameCreator: boolean;
}

/**
 * The life of one container, below /docker: mkdir, populated, emptied, rmdir, in
 * each hierarchy. All values are new ones, as from the decoder, but for comms and
 * short-lived parts that it remembers.
 */
export function containerLife(options: ContainerOptions): CgroupEvent[] {
  const events: CgroupEvent[] = [];
  for (const kind of ['mkdir', 'populated', 'emptied', 'rmdir'] as const) {
    for (let hierarchy = 0; hierarchy < options.hierarchies; hierarchy++) {
      events.push(containerEvent(kind, hierarchy, options));
    }
  }
  return events;
}

function containerEvent(
  kind: 'mkdir' | 'populated' | 'emptied' | 'rmdir',
  hierarchy: number,
  { at, sameCreator }: ContainerOptions,
): CgroupEvent {
  const pid = sameCreator ? 4_000 : 4_000 + at * 3;
  const base = {
    time: BigInt(at) * 1_000_000n + 100_000_000_000_000n,
    hierarchy,
    id: BigInt(at) * 64n + 4_300_000_000_000n,
    path: pathOf(at),
    pathTruncated: false,
    task: { pid, tid: pid, uid: 0, comm: 'runc' },
  };
  switch (kind) {
    case 'mkdir':
      return {
        kind,
        ...base,
        ancestors: [
          { pid: pid - 1, comm: 'containerd-shim' },
          { pid: 1_200, comm: 'containerd' },
          { pid: 1, comm: 'systemd' },
        ],
      };
    case 'emptied':
      return {
        kind,
        ...base,
        lastTask: { pid: pid + 1, tid: pid + 1, comm: 'sh', exitCode: 0, signal: null },
      };
    case 'populated':
    case 'rmdir':
      return { kind, ...base };
  }
}

/** Bytes to string, as the decoder does it: nothing shared with other paths. */
function pathOf(at: number): string {
  const id = at.toString(16).padStart(64, '0');
  return Buffer.from(`/docker/${id}`, 'latin1').toString('latin1');
}
