import { readHierarchies } from '../cgroupfs/index.js';
import { eventKinds } from '../events/event.js';

const durations = ['10s', '30s', '1m', '5m', '1h'];

/** What to offer for the value of an option; none where the shell is to offer files. */
const valuesOf: Readonly<Record<string, () => readonly string[]>> = {
  '--event': () => eventKinds,
  '--hierarchy': hierarchyNames,
  '--grace': () => durations,
  '--duration': () => durations,
  '--once-after': () => durations,
  '--settle': () => durations,
  '--under': () => [],
  '--cgroup-root': () => [],
};

function hierarchyNames(): string[] {
  try {
    return readHierarchies().flatMap(({ controllers }) => controllers);
  } catch {
    return [];
  }
}

/**
 * What fits where the cursor is, if that is in the value of an option: `--event mk`,
 * `--event=mk`, which bash takes for three words, or the end of a list with commas.
 * Undefined where it is no value.
 *
 * @param words - of the command line, the one to complete last.
 */
export function completeValues(words: readonly string[]): readonly string[] | undefined {
  const [option = '', word = ''] = words.filter((each) => each !== '=').slice(-2);
  const [, assigned, value] = /^(--[a-z-]+)=(.*)$/.exec(word) ?? [];
  const choices = valuesOf[assigned ?? option]?.();
  const start = /^(.*,)?/.exec(value ?? word)?.[0] ?? '';
  return choices
    ?.map((choice) => `${assigned === undefined ? '' : `${assigned}=`}${start}${choice}`)
    .filter((choice) => choice.startsWith(word));
}
