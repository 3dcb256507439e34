/**
 * For callers without types: what is no Uint8Array the addon refuses in few words.
 * @throws TypeError
 */
export function requireBytes(what: string, value: unknown): void {
  if (value instanceof Uint8Array) return;
  throw new TypeError(
    `${what} is a Uint8Array (a Buffer is one), not ${describe(value)}.`,
  );
}

function describe(value: unknown): string {
  return typeof value === 'object' && value !== null
    ? (value.constructor as { name?: string } | undefined)?.name || 'an object'
    : String(value);
}
