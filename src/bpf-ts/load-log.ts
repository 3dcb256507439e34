/** The program that libbpf gave up on, from what it said: its last word on a program. */
export function refusedProgram(log: string): string | undefined {
  const matches = [
    ...log.matchAll(/^libbpf: prog '([^']+)': (?:BPF program load failed|failed )/gm),
  ];
  return matches.at(-1)?.[1];
}

/**
 * The line of libbpf's messages that explains most: the verifier's verdict where
 * there is one, else the last that says more than that the load failed.
 */
export function explanation(log: string): string | undefined {
  const lines = log
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  const end = lines.findLastIndex((line) => line.endsWith('-- END PROG LOAD LOG --'));
  const start = lines.findLastIndex((line) => line.endsWith('-- BEGIN PROG LOAD LOG --'));
  const verdict = lines
    .slice(start + 1, Math.max(end, 0))
    .findLast(
      (line) => !/^(processed \d+ insns|verification time|stack depth)/.test(line),
    );
  if (verdict !== undefined) return verdict;
  return lines
    .filter((line) => line.startsWith('libbpf: ') && !commonplace.test(line))
    .at(-1)
    ?.slice('libbpf: '.length);
}

/** Says nothing of the cause, or, as the limit on locked memory, mostly a wrong one. */
const commonplace =
  /BPF program load failed|failed to load(:| program| object)|PROG LOAD LOG --|failed to prepare load attributes|ulimit -l|Couldn't load trivial BPF program/;
