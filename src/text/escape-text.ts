/** Printable ASCII but the backslash: nearly every name, and nothing to do. */
const plain = /^[\x20-\x5b\x5d-\x7e]*$/;

/**
 * What a terminal would obey, hide or reorder instead of showing it: control
 * characters, format characters (bidirectional, zero width, tags), unassigned
 * and private ones, separators of lines, and blanks that are no plain space.
 */
const unshowable = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]|(?! )\p{Zs}/u;

/**
 * Makes raw bytes (latin1, as in events) fit to be shown: valid UTF-8 appears as
 * itself; a backslash is doubled; each byte of anything else becomes `\xNN`.
 *
 * @example
 * escapeText('/a\x1b[2J'); // '/a\\x1b[2J'
 */
export function escapeText(raw: string): string {
  if (plain.test(raw)) return raw;
  return escapeBytes(raw, (character) => {
    if (character === '\\') return '\\\\';
    return unshowable.test(character) ? undefined : character;
  });
}

/** As escapeText, and without blanks, for one column of a table. */
export function escapeWord(raw: string): string {
  return escapeText(raw).replaceAll(' ', '\\x20');
}

/**
 * Takes raw bytes apart into the characters of valid UTF-8 and other bytes.
 *
 * @param show - what becomes of a character; `\xNN` for each of its bytes where undefined.
 */
export function escapeBytes(
  raw: string,
  show: (character: string) => string | undefined,
): string {
  const bytes = Buffer.from(raw, 'latin1');
  let text = '';
  for (let at = 0; at < bytes.length;) {
    const length = characterLength(bytes, at);
    const character = length > 0 ? bytes.toString('utf8', at, at + length) : undefined;
    const end = at + Math.max(length, 1);
    text +=
      (character === undefined ? undefined : show(character)) ?? hex(bytes, at, end);
    at = end;
  }
  return text;
}

function hex(bytes: Buffer, start: number, end: number): string {
  let text = '';
  for (let at = start; at < end; at++) text += `\\x${bytes.toString('hex', at, at + 1)}`;
  return text;
}

/** How many bytes the valid UTF-8 character at `start` has; 0 where there is none. */
function characterLength(bytes: Buffer, start: number): number {
  const lead = bytes[start] ?? 0;
  if (lead < 0x80) return 1;
  const length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
  if (lead < 0xc2 || lead > 0xf4 || start + length > bytes.length) return 0;
  for (let at = 1; at < length; at++)
    if (((bytes[start + at] ?? 0) & 0xc0) !== 0x80) return 0;
  // Overlong forms, surrogates, and what is beyond the last character.
  const second = bytes[start + 1] ?? 0;
  if (lead === 0xe0 && second < 0xa0) return 0;
  if (lead === 0xed && second > 0x9f) return 0;
  if (lead === 0xf0 && second < 0x90) return 0;
  if (lead === 0xf4 && second > 0x8f) return 0;
  return length;
}
