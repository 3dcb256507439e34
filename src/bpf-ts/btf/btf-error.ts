/** BTF that can't be read, or a type that can't be turned into TypeScript. */
export class BtfError extends Error {
  override readonly name = 'BtfError';
}
