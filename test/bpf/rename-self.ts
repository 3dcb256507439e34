import { writeFileSync } from 'node:fs';

/**
 * Fires the task_rename tracepoint in this process, some times, and has it over
 * when it returns.
 */
export function renameSelf(times = 1): void {
  for (let time = 0; time < times; time++) writeFileSync('/proc/self/comm', 'node');
}
