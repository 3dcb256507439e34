import { normalizePath } from '../cgroupfs/index.js';
import { eventKinds } from '../events/event.js';
import type { EventKind } from '../events/event.js';
import { parseDuration } from '../text/index.js';

type Words = string | readonly string[] | undefined;

/** Each value of an option that may be given more than once, or as a list with commas. */
function allWords(words: Words): string[] {
  if (words === undefined) return [];
  return typeof words === 'string' ? [words] : [...words];
}

/** The last value counts, as it does for most commands. */
function lastDuration(words: Words): bigint | undefined {
  const text = allWords(words).at(-1);
  return text === undefined ? undefined : parseDuration(text);
}

/** An option that takes a duration; ns. */
export function durationOption(description: string) {
  return {
    describe: description,
    string: true,
    requiresArg: true,
    coerce: lastDuration,
  } as const;
}

/** The same, where it has a value in any case. */
export function durationOptionOr(byDefault: string, description: string) {
  return {
    ...durationOption(description),
    default: byDefault,
    coerce: (words: Words) => lastDuration(words) ?? parseDuration(byDefault),
  } as const;
}

export const underOption = {
  describe: 'Only this cgroup and below: its path, or directory. Repeatable',
  string: true,
  requiresArg: true,
  coerce: allWords,
} as const;

export const hierarchyOption = {
  describe: 'Only this hierarchy: id, controller, name=NAME, v2. Repeatable',
  string: true,
  requiresArg: true,
  coerce: allWords,
} as const;

export const cgroupRootOption = {
  describe:
    "Where the host's cgroups are mounted, if more than once: /host/sys/fs/cgroup",
  string: true,
  requiresArg: true,
  coerce: (words: Words): string | undefined => {
    const word = allWords(words).at(-1);
    if (word === undefined) return undefined;
    if (!word.startsWith('/'))
      throw new Error(
        `${JSON.stringify(word)} is no directory: give one that begins with a slash, such as /host/sys/fs/cgroup.`,
      );
    return normalizePath(Buffer.from(word, 'utf8').toString('latin1'));
  },
} as const;

/** What the kernel takes for a ring buffer: a power of two, a page or more. */
const ringSizes = { least: 4096, most: 2 ** 30 } as const;

export const ringSizeOption = {
  describe: 'Bytes of the ring buffer for events: a power of two, 4096 or more',
  string: true,
  requiresArg: true,
  coerce: (words: Words): number | undefined => {
    const text = allWords(words).at(-1);
    if (text === undefined) return undefined;
    const bytes = Number(text);
    const isPowerOfTwo = Number.isInteger(Math.log2(bytes));
    if (isPowerOfTwo && bytes >= ringSizes.least && bytes <= ringSizes.most) return bytes;
    throw new Error(
      `${JSON.stringify(text)} is no size of a ring buffer: give bytes, a power of two from ${ringSizes.least} to ${ringSizes.most}, such as 16777216.`,
    );
  },
} as const;

export const eventOption = {
  describe: `Only these events: ${eventKinds.join(',')}`,
  string: true,
  requiresArg: true,
  coerce: (words: Words): EventKind[] =>
    allWords(words)
      .flatMap((word) => word.split(','))
      .map((word) => {
        const kind = eventKinds.find((each) => each === word);
        if (kind) return kind;
        throw new Error(
          `${JSON.stringify(word)} is no event: give one or more of ${eventKinds.join(', ')}.`,
        );
      }),
} as const;

export const jsonOption = {
  describe: 'Print one JSON object a line, see docs/json.md',
  boolean: true,
} as const;
