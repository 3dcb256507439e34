import type { Line } from './cgleak.js';

/** The findings that are open after these lines: the last line of each, by path. */
export function openFindings(lines: readonly Line[]): Map<string, Line> {
  const open = new Map<string, Line>();
  for (const line of lines) {
    if (line.type !== 'finding') continue;
    if (line['state'] === 'closed') open.delete(line['path'] as string);
    else open.set(line['path'] as string, line);
  }
  return open;
}
