/** `path_length` and `PATH_LENGTH` as `pathLength`. */
export function camelCase(name: string): string {
  const [first = '', ...rest] = words(name);
  return first + rest.map(capitalized).join('');
}

/** `event_head` as `EventHead`. */
export function pascalCase(name: string): string {
  return words(name).map(capitalized).join('');
}

/**
 * Enumerators without what they all begin with: the words of the enum's name,
 * as in `EVENT_MKDIR` of `enum event_kind`; else the words that they share. A
 * word is left to each, and none begins with a digit.
 */
export function enumeratorNames(enumName: string, names: readonly string[]): string[] {
  const split = names.map(words);
  const shared = sharedWords([words(enumName), ...split]) || sharedWords(split);
  const most = Math.min(...split.map((each) => each.length - 1));
  let cut = Math.max(0, Math.min(shared, most));
  while (cut > 0 && split.some((each) => /^\d/.test(each[cut] ?? ''))) cut--;
  return split.map((each) => camelCase(each.slice(cut).join('_')));
}

function words(name: string): string[] {
  return name
    .split('_')
    .filter((word) => word !== '')
    .map((word) => (/[a-z]/.test(word) ? word : word.toLowerCase()));
}

function capitalized(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}

function sharedWords(lists: readonly (readonly string[])[]): number {
  const [first = [], ...others] = lists;
  if (others.length === 0) return 0;
  const differs = first.findIndex((word, at) =>
    others.some((other) => other[at]?.toLowerCase() !== word.toLowerCase()),
  );
  return differs < 0 ? first.length : differs;
}
