import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';

/** Files of a proc that does not exist, as bytes (latin1). */
export interface ProcFiles {
  readonly mountinfo?: string;
  readonly cgroup?: string;
  readonly cgroups?: string;
  /** Where self/ns/cgroup points to. */
  readonly namespace?: string;
}

/** Writes them, until the test ends. */
export function fakeProc(context: TestContext, files: ProcFiles): { procRoot: string } {
  const procRoot = mkdtempSync(join(tmpdir(), 'cgleak-proc-'));
  context.after(() => {
    rmSync(procRoot, { recursive: true });
  });
  mkdirSync(join(procRoot, 'self'));
  const write = (name: string, text: string | undefined) => {
    if (text !== undefined) writeFileSync(join(procRoot, name), text, 'latin1');
  };
  write('self/mountinfo', files.mountinfo);
  write('self/cgroup', files.cgroup);
  write('cgroups', files.cgroups);
  if (files.namespace !== undefined) {
    mkdirSync(join(procRoot, 'self/ns'));
    symlinkSync(files.namespace, join(procRoot, 'self/ns/cgroup'));
  }
  return { procRoot };
}
