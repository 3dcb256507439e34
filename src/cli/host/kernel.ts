import { release } from 'node:os';

/** BPF ring buffers came with it. */
export const oldestKernel = '5.8';

/** Whether a release as in uname(2), `5.10.0-30-amd64`, is that version or a later one. */
export function isAtLeast(version: string, kernel = release()): boolean {
  const [major = 0, minor = 0] = numbers(kernel);
  const [wantedMajor = 0, wantedMinor = 0] = numbers(version);
  return major > wantedMajor || (major === wantedMajor && minor >= wantedMinor);
}

function numbers(text: string): number[] {
  return text.split('.').map((part) => Number.parseInt(part, 10) || 0);
}
