import { escapeText } from '../text/index.js';

/** What a shell takes as it is. */
const shellSafe = /^[\w./:@%+=,-]*$/;

/**
 * Directories of one cgroup in several hierarchies, in a form that a shell
 * takes: `/sys/fs/cgroup/{cpu,memory}/a`. Undefined where there is none, or no
 * such form of several.
 *
 * @param directories - raw bytes as latin1.
 */
export function compactDirectories(directories: readonly string[]): string | undefined {
  const [first] = directories;
  if (first === undefined) return undefined;
  if (directories.length === 1) return shellWord(first);
  if (!directories.every((directory) => shellSafe.test(directory))) return undefined;

  const parts = directories.map((directory) => directory.split('/'));
  const [firstParts = []] = parts;
  const differs = firstParts.findIndex((part, at) =>
    parts.some((each) => each[at] !== part),
  );
  if (differs < 0) return undefined;
  const ends = parts.map((each) => each.slice(differs + 1).join('/'));
  if (!ends.every((end) => end === ends[0])) return undefined;
  const names = parts.map((each) => (each[differs] ?? '').replaceAll(',', '\\,'));
  return `${firstParts.slice(0, differs).join('/')}/{${names.join(',')}}/${ends[0] ?? ''}`;
}

function shellWord(directory: string): string {
  if (shellSafe.test(directory)) return directory;
  const shown = escapeText(directory);
  // What had to be escaped is no name for a shell any more.
  return shown === directory && !directory.includes("'") ? `'${directory}'` : shown;
}
