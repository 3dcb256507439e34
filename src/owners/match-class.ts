/** What stands for a kind of text in a pattern, by the name between `{` and `}`. */
export type CharacterClass = 'hex64' | 'uuid' | 'uid' | 'number' | 'hex';

/** The classes, and which bytes they are made of. */
export const characterClasses: Readonly<Record<CharacterClass, RegExp>> = {
  hex64: /[0-9a-f]/,
  uuid: /[0-9a-fA-F-]/,
  uid: /[0-9a-fA-F_-]/,
  number: /[0-9]/,
  hex: /[0-9a-fA-F]/,
};

/** Those whose length is open. */
export const openClasses: ReadonlySet<CharacterClass> = new Set(['number', 'hex']);

/** Counts the bytes that were looked at, so that a test can hold the cost to a bound. */
export interface Steps {
  count: number;
}

/** Where a text of that class that begins at `at` ends; -1 where there is none. */
export function matchClass(
  kind: CharacterClass,
  path: string,
  at: number,
  end: number,
  steps: Steps,
): number {
  switch (kind) {
    case 'hex64':
      return hexRun(path, at, Math.min(end, at + 64), steps, true) === at + 64
        ? at + 64
        : -1;
    case 'uuid':
      return uuid(path, at, end, steps, 45);
    case 'uid': {
      // A static pod's uid is a bare hash.
      const run = hexRun(path, at, Math.min(end, at + 32), steps, false);
      if (run === at + 32) return run;
      const separator = path.charCodeAt(at + 8);
      return separator === 45 || separator === 95
        ? uuid(path, at, end, steps, separator)
        : -1;
    }
    case 'number':
      return atLeastOne(at, digitRun(path, at, end, steps));
    case 'hex':
      return atLeastOne(at, hexRun(path, at, end, steps, false));
  }
}

function atLeastOne(at: number, end: number): number {
  return end > at ? end : -1;
}

function digitRun(path: string, at: number, end: number, steps: Steps): number {
  let position = at;
  while (position < end && isDigit(path.charCodeAt(position))) position++;
  steps.count += position - at + 1;
  return position;
}

function hexRun(
  path: string,
  at: number,
  end: number,
  steps: Steps,
  lowerOnly: boolean,
): number {
  let position = at;
  while (position < end && isHex(path.charCodeAt(position), lowerOnly)) position++;
  steps.count += position - at + 1;
  return position;
}

/** 8-4-4-4-12 hex digits. */
function uuid(
  path: string,
  at: number,
  end: number,
  steps: Steps,
  separator: number,
): number {
  if (end - at < 36) return -1;
  for (let offset = 0; offset < 36; offset++) {
    steps.count++;
    const code = path.charCodeAt(at + offset);
    const isSeparator = offset === 8 || offset === 13 || offset === 18 || offset === 23;
    if (isSeparator ? code !== separator : !isHex(code, false)) return -1;
  }
  return at + 36;
}

function isDigit(code: number): boolean {
  return code >= 48 && code <= 57;
}

function isHex(code: number, lowerOnly: boolean): boolean {
  return (
    isDigit(code) ||
    (code >= 97 && code <= 102) ||
    (!lowerOnly && code >= 65 && code <= 70)
  );
}
