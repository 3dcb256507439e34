import type { Writable } from 'node:stream';

/** Standard output can't be written to. */
export class OutputError extends Error {
  override readonly name = 'OutputError';
}

/** Where lines go: standard output, however slow or closed the other end. */
export interface Output {
  readonly isTerminal: boolean;
  /** False where the other end is slow: hold back until the next drain. */
  write(text: string): boolean;
  onDrain(listener: () => void): void;
  /**
   * Resolves once all is written.
   * @throws OutputError where something could not be written, or the other end has
   *   not read for two seconds; a reader that has gone, as after `| head`, is none.
   */
  flush(): Promise<void>;
}

const patienceMs = 2_000;

/** What is met when the reader, or the terminal, has gone. */
const goneCodes: readonly string[] = ['EPIPE', 'EIO', 'ERR_STREAM_DESTROYED'];

/** @param onClosed - called once when nothing can be written any more. */
export function createOutput(
  stream: Writable & { isTTY?: boolean },
  onClosed: () => void,
): Output {
  let isClosed = false;
  let failure: OutputError | undefined;
  stream.on('error', (cause: NodeJS.ErrnoException) => {
    if (isClosed) return;
    isClosed = true;
    const code = cause.code ?? cause.message;
    if (!goneCodes.includes(code))
      failure = new OutputError(
        `Standard output can't be written to (${code}): send it elsewhere, or make room.`,
        { cause },
      );
    onClosed();
  });

  const written = () =>
    new Promise<void>((resolve) => {
      const timer = setTimeout(() => {
        failure ??= new OutputError(
          'What reads standard output has not read for two seconds: its end is cut off. Let it read on, or send the output to a file.',
        );
        resolve();
      }, patienceMs);
      stream.write('', () => {
        clearTimeout(timer);
        resolve();
      });
    });

  return {
    isTerminal: stream.isTTY === true,
    write: (text) => isClosed || text === '' || stream.write(text),
    onDrain: (listener) => {
      stream.once('drain', listener);
    },
    flush: async () => {
      if (!isClosed) await written();
      if (failure) throw failure;
    },
  };
}

/** Colours are for terminals, and not for those who don't want them (no-color.org). */
export function wantsColour(isTerminal: boolean, environment = process.env): boolean {
  const noColor = environment['NO_COLOR'] ?? '';
  return isTerminal && noColor === '' && environment['TERM'] !== 'dumb';
}
