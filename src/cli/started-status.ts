import { release } from 'node:os';
import type { ProgramStatus } from '../bpf-ts/index.js';
import type { HierarchyTable } from '../cgroupfs/index.js';
import type { StartedStatus } from '../report/index.js';
import { version } from './version.js';

/** The first line of a command with --json. */
export function startedStatus(
  command: string,
  programs: readonly ProgramStatus[],
  table: HierarchyTable,
  more: Pick<StartedStatus, 'grace' | 'under'> = {},
): StartedStatus {
  return {
    state: 'started',
    command,
    version: version(),
    kernel: release(),
    hierarchies: table.all(),
    programs,
    ...more,
  };
}

const consequences: Readonly<Record<string, string>> = {
  on_exit: 'which task exited last stays unknown',
  on_rename: 'a renamed cgroup keeps its old path',
  on_release: 'removed cgroups that the kernel has not freed are not told',
};

/** A line for each program that this kernel doesn't take. */
export function programWarnings(programs: readonly ProgramStatus[]): string[] {
  return programs
    .filter(({ state }) => state === 'unavailable')
    .map(({ name, reason }) => {
      const consequence = consequences[name] ?? 'what it reports is missing';
      return `cgleak: ${consequence}: this kernel doesn't take the program ${name} (${reason?.code ?? 'unknown reason'}).`;
    });
}
