import { BpfError } from './bpf-error.js';

/** An object could not be opened, or the kernel refused to load it. */
export class BpfLoadError extends BpfError {
  override readonly name = 'BpfLoadError';
  /** The program that was refused, where it was one. */
  readonly program?: string;
  /** libbpf's words and in them the verifier's log: the end of it, up to 64 KiB. */
  declare readonly log: string;

  constructor(
    message: string,
    errno: number,
    details: {
      readonly program?: string;
      readonly log: string;
      readonly cause?: unknown;
    },
  ) {
    super(message, errno, { cause: details.cause });
    if (details.program !== undefined) this.program = details.program;
    // Not enumerable: a stack trace would show all of it.
    Object.defineProperty(this, 'log', { value: details.log });
  }
}
