import { stripVTControlCharacters } from 'node:util';

interface TerminalStream {
  readonly isTTY?: boolean;
  readonly columns?: number;
  write(text: string): boolean;
}

/** The last line of a terminal, drawn anew about each second. */
export interface StatusLine {
  /** Takes it away, so that something else can be written; it comes back by itself. */
  erase(): void;
  stop(): void;
}

const drawEachMs = 1_000;
/** How soon it comes back below what was written. */
const drawAgainMs = 250;
const erased = '\r\x1b[K';
const noLine: StatusLine = { erase: () => undefined, stop: () => undefined };

export function startStatusLine(
  stream: TerminalStream,
  text: () => string,
  environment = process.env,
): StatusLine {
  if (stream.isTTY !== true || environment['TERM'] === 'dumb') return noLine;
  let isShown = false;
  let timer: NodeJS.Timeout | undefined;
  const draw = () => {
    const plain = stripVTControlCharacters(text());
    // A full line would wrap, and could not be erased any more.
    stream.write(erased + plain.slice(0, (stream.columns ?? 80) - 1));
    isShown = true;
    clearTimeout(timer);
    timer = setTimeout(draw, drawEachMs);
  };
  const erase = () => {
    if (!isShown) return;
    stream.write(erased);
    isShown = false;
    clearTimeout(timer);
    timer = setTimeout(draw, drawAgainMs);
  };
  draw();
  return {
    erase,
    stop: () => {
      erase();
      clearTimeout(timer);
    },
  };
}
