/** A number with commas: `65,535`. */
export function formatCount(count: number): string {
  return count.toLocaleString('en-US');
}

/** A number and what it counts: `1 event`, `2 events`. */
export function countOf(count: number, one: string, many = `${one}s`): string {
  return `${formatCount(count)} ${count === 1 ? one : many}`;
}

/** Names in a sentence: `cpu`, `cpu and pids`, `cpu, memory and pids`. */
export function listOf(names: readonly string[]): string {
  if (names.length < 2) return names.join('');
  return `${names.slice(0, -1).join(', ')} and ${names.at(-1) ?? ''}`;
}
