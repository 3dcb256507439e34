import type { Writable } from 'node:stream';

/** Where lines go: standard output, however slow or closed the other end. */
export interface Output {
  readonly isTerminal: boolean;
  /** False where the other end is slow: hold back until the next drain. */
  write(text: string): boolean;
  onDrain(listener: () => void): void;
  /** Resolves once all is written, or the other end has not read for two seconds. */
  flush(): Promise<void>;
}

const patienceMs = 2_000;

/** @param onClosed - called once when nobody reads any more, as after `| head`. */
export function createOutput(
  stream: Writable & { isTTY?: boolean },
  onClosed: () => void,
): Output {
  let closed = false;
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE' && error.code !== 'ERR_STREAM_DESTROYED') throw error;
    if (closed) return;
    closed = true;
    onClosed();
  });

  return {
    isTerminal: stream.isTTY === true,
    write: (text) => closed || text === '' || stream.write(text),
    onDrain: (listener) => {
      stream.once('drain', listener);
    },
    flush: () =>
      new Promise((resolve) => {
        if (closed || stream.writableLength === 0) {
          resolve();
          return;
        }
        const timer = setTimeout(resolve, patienceMs);
        stream.write('', () => {
          clearTimeout(timer);
          resolve();
        });
      }),
  };
}

/** Colours are for terminals, and not for those who don't want them (no-color.org). */
export function wantsColour(isTerminal: boolean, environment = process.env): boolean {
  const noColor = environment['NO_COLOR'] ?? '';
  return isTerminal && noColor === '' && environment['TERM'] !== 'dumb';
}
