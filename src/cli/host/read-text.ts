import { readFileSync } from 'node:fs';

/** A small file of /proc or /sys; undefined where it can't be read. */
export function readText(path: string): string | undefined {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    return undefined;
  }
}
