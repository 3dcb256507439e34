/**
 * The reverse of escapeText: raw bytes (latin1) of a text in which `\\` is a
 * backslash and `\xNN` a byte. Any other backslash stands for itself.
 */
export function unescapeText(text: string): string {
  const bytes = Buffer.from(text, 'utf8').toString('latin1');
  return bytes.replace(/\\(?:\\|x([0-9a-fA-F]{2}))/g, (_, hex: string | undefined) =>
    hex === undefined ? '\\' : String.fromCharCode(Number.parseInt(hex, 16)),
  );
}
