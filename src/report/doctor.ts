import type { ProgramStatus } from '../bpf-ts/index.js';
import type { Hierarchy } from '../cgroupfs/index.js';
import { jsonLine } from '../text/index.js';
import { head } from './json-parts.js';
import { jsonHierarchy, jsonProgram } from './status.js';
import type { Style } from './style.js';

/** One thing that the doctor looked at. */
export interface Check {
  readonly name: string;
  /** fail: watch can't run; warn: it can, but something is missing or near its limit. */
  readonly state: 'ok' | 'warn' | 'fail';
  readonly message: string;
  /** What to do, for warn and fail. */
  readonly remedy?: string;
}

export interface DoctorReport {
  readonly version: string;
  readonly kernel: string;
  readonly machine: string;
  readonly checks: readonly Check[];
  readonly programs: readonly ProgramStatus[];
  readonly hierarchies: readonly Hierarchy[];
  /** Absent where the kernel doesn't tell. */
  readonly memoryCgroups?: { readonly used: number; readonly limit: number };
}

export function canWatch({ checks }: DoctorReport): boolean {
  return checks.every(({ state }) => state !== 'fail');
}

export function jsonDoctor(report: DoctorReport, epoch: bigint): string {
  const { version, kernel, machine, checks, programs, hierarchies, memoryCgroups } =
    report;
  return jsonLine({
    ...head('doctor', epoch),
    canWatch: canWatch(report),
    version,
    kernel,
    machine,
    checks,
    programs: programs.map(jsonProgram),
    hierarchies: hierarchies.map(jsonHierarchy),
    ...(memoryCgroups && { memoryCgroups }),
  });
}

export function textDoctor(report: DoctorReport, style: Style): string {
  const width = Math.max(...report.checks.map(({ name }) => name.length));
  const paint = { ok: style.green, warn: style.yellow, fail: style.red };
  const lines = report.checks.flatMap(({ name, state, message, remedy }) => [
    `${paint[state](state.padEnd(4))}  ${name.padEnd(width)}  ${message}`,
    ...(remedy === undefined ? [] : [`${' '.repeat(width + 8)}-> ${remedy}`]),
  ]);
  const verdict = canWatch(report)
    ? style.bold(style.green('cgleak watch works here.'))
    : style.bold(style.red("cgleak watch can't run here.")) + ' See what failed above.';
  return `${lines.join('\n')}\n\n${verdict}\n`;
}
