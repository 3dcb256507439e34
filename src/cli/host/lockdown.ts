import { readText } from './read-text.js';

/** `none`, `integrity` or `confidentiality`; undefined where the kernel doesn't tell. */
export function lockdownLevel(
  text = readText('/sys/kernel/security/lockdown'),
): string | undefined {
  return /\[(\w+)\]/.exec(text ?? '')?.[1];
}
