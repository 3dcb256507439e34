import { constants } from 'node:os';

const names = new Map<number, string>(
  Object.entries(constants.errno).map(([name, value]) => [value, name]),
);
// The kernel's own, which user space has no name for.
names.set(524, 'ENOTSUPP');

export function errorCode(errno: number): string {
  return names.get(errno) ?? `E${String(errno)}`;
}

/** The kernel, or libbpf, refused something: `code` says what, as in errno(3). */
export class BpfError extends Error {
  override readonly name: string = 'BpfError';
  /** `EPERM`, `ENOENT`, ... */
  readonly code: string;
  readonly errno: number;

  constructor(message: string, errno: number, options?: ErrorOptions) {
    super(message, options);
    this.errno = errno;
    this.code = errorCode(errno);
  }
}
