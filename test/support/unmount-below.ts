import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** Unmounts what is mounted below a folder of the test's own, the innermost first. */
export function unmountBelow(folder: string): void {
  const mounts = readFileSync('/proc/self/mountinfo', 'utf8')
    .split('\n')
    .map((line) => line.split(' ')[4] ?? '')
    .filter((directory) => directory.startsWith(`${folder}/`));
  for (const directory of mounts.reverse()) execFileSync('umount', ['--lazy', directory]);
}
