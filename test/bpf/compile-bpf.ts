import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = fileURLToPath(new URL('.', import.meta.url));
const settings = fileURLToPath(
  new URL('../../scripts/native-config.mjs', import.meta.url),
);

function setting(name: string): string {
  return execFileSync(process.execPath, [settings, name], { encoding: 'utf8' }).trim();
}

/** Compiles a program of this folder, or a path, as the build does, and gives the object. */
export function compileBpf(name: string, flags: readonly string[] = []): Buffer {
  const directory = mkdtempSync(join(tmpdir(), 'cgleak-test-bpf-'));
  try {
    const object = join(directory, 'object.o');
    execFileSync(
      setting('clang'),
      [
        ...['-O2', '-g', '-Wall', '-Wextra', '-Werror', '-Wno-unused-parameter'],
        ...['--target=bpf', `-D__TARGET_ARCH_${setting('target-arch')}`],
        ...[`-I${setting('system-include')}`, ...flags],
        ...['-c', resolve(here, name), '-o', object],
      ],
      { stdio: ['ignore', 'inherit', 'inherit'] },
    );
    return readFileSync(object);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}
