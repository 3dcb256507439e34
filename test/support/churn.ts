import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const source = fileURLToPath(new URL('./churn.c', import.meta.url));

/** Compiles churn.c; its first comment says how to use it. */
export function buildChurn(): { readonly command: string; remove(): void } {
  const folder = mkdtempSync(join(tmpdir(), 'cgleak-churn-'));
  const command = join(folder, 'churn');
  execFileSync('cc', ['-O2', '-o', command, source]);
  return {
    command,
    remove: () => {
      rmSync(folder, { recursive: true });
    },
  };
}
