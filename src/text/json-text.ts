import { escapeBytes } from './escape-text.js';

/** Raw bytes as JSON takes them. */
export interface JsonText {
  /** Valid UTF-8 as itself, any other byte as `\xNN`. */
  readonly text: string;
  /** The exact bytes, only where some are no UTF-8: without it, text is exact. */
  readonly base64?: string;
}

const ascii = /^[\x00-\x7f]*$/;

/** Turns raw bytes (latin1, as in events) into text for a JSON document. */
export function jsonText(raw: string): JsonText {
  if (ascii.test(raw)) return { text: raw };
  const bytes = Buffer.from(raw, 'latin1');
  const text = bytes.toString('utf8');
  if (Buffer.from(text, 'utf8').equals(bytes)) return { text };
  return {
    text: escapeBytes(raw, (character) => character),
    base64: bytes.toString('base64'),
  };
}

/** What JSON lets through and a terminal would obey, hide or reorder. */
const unshowable =
  /[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;
const plain = /^[\x20-\x7e]*$/;

/** One JSON document on a line, safe to be looked at on a terminal. */
export function jsonLine(document: object): string {
  const text = JSON.stringify(document);
  if (plain.test(text)) return text;
  return text.replace(unshowable, (character) =>
    character.split('').map(escapeUnit).join(''),
  );
}

function escapeUnit(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
