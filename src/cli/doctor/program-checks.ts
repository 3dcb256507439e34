import { BpfError } from '../../bpf-ts/index.js';
import type { ProgramStatus } from '../../bpf-ts/index.js';
import { openTracer } from '../../events/index.js';
import type { Check } from '../../report/index.js';

/** Loads and attaches the programs for a moment, where there is any hope. */
export function examinePrograms(hope: boolean): {
  programs: readonly ProgramStatus[];
  checks: Check[];
} {
  const name = 'programs';
  if (!hope)
    return {
      programs: [],
      checks: [
        {
          name,
          state: 'warn',
          message: 'not tried, for what failed above',
          remedy: 'see to that first',
        },
      ],
    };
  try {
    const tracer = openTracer({ onEvents: () => undefined });
    tracer.close();
    return { programs: tracer.programs, checks: tracer.programs.map(programCheck) };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const remedy =
      error instanceof BpfError
        ? 'see whether a seccomp filter or a security module forbids bpf(2) here'
        : 'build cgleak on this machine: npm run build';
    return { programs: [], checks: [{ name, state: 'fail', message, remedy }] };
  }
}

function programCheck({ name, section, state, reason }: ProgramStatus): Check {
  if (state === 'attached')
    return { name: `program ${name}`, state: 'ok', message: `attached to ${section}` };
  if (state === 'disabled')
    return {
      name: `program ${name}`,
      state: 'ok',
      message: `${section}: not needed here`,
    };
  return {
    name: `program ${name}`,
    state: 'warn',
    message: `${section}: ${reason?.message ?? state}`,
    remedy: 'cgleak does without it, and tells less',
  };
}
