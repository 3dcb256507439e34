import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { after } from 'node:test';
import { fileURLToPath } from 'node:url';

/** The command, as its users run it. */
export const main = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url));

/** A line of `cgleak … --json`. */
export type Line = Readonly<Record<string, unknown>> & { readonly type: string };

/** A cgleak command that runs with --json. */
export interface Running {
  readonly process: ChildProcess;
  readonly lines: readonly Line[];
  /** Waits for a line, past or to come; throws with all that was said after the time-out. */
  waitFor(
    what: string,
    matches: (line: Line) => boolean,
    timeoutMs?: number,
  ): Promise<Line>;
  /** Interrupts it and waits for its end. */
  stop(): Promise<Ended>;
}

export interface Ended {
  readonly code: number | null;
  readonly stderr: string;
  readonly lines: readonly Line[];
  readonly summary: Line | undefined;
}

/** Starts cgleak with --json and waits until it is watching. */
export async function startCgleak(...args: readonly string[]): Promise<Running> {
  const child = spawn(main, [...args, '--json'], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  // A test that fails before it stops cgleak must neither hang nor leave it behind.
  after(() => {
    child.kill('SIGKILL');
  });
  const exited = once(child, 'exit') as Promise<[number | null]>;
  const lines: Line[] = [];
  const listeners = new Set<() => void>();
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    stderr += chunk;
  });
  const reader = createInterface({ input: child.stdout });
  const read = once(reader, 'close');
  reader.on('line', (line) => {
    lines.push(JSON.parse(line) as Line);
    listeners.forEach((listener) => {
      listener();
    });
  });

  const running: Running = {
    process: child,
    lines,
    waitFor: (what, matches, timeoutMs = 20_000) =>
      new Promise((resolve, reject) => {
        const look = () => {
          const found = lines.find(matches);
          if (found)
            finish(() => {
              resolve(found);
            });
        };
        const fail = (why: string) => {
          finish(() => {
            const seen = lines.map((line) => JSON.stringify(line)).join('\n');
            reject(new Error(`${what}: ${why}. It said:\n${seen}\n${stderr}`));
          });
        };
        const onExit = () => {
          look();
          fail('cgleak has ended');
        };
        const timer = setTimeout(() => {
          fail(`not within ${timeoutMs} ms`);
        }, timeoutMs);
        const finish = (settle: () => void) => {
          clearTimeout(timer);
          listeners.delete(look);
          child.off('exit', onExit);
          settle();
        };
        listeners.add(look);
        child.once('exit', onExit);
        look();
      }),
    stop: async () => {
      child.kill('SIGINT');
      const [code] = await exited;
      await read;
      return {
        code,
        stderr,
        lines,
        summary: lines.find(({ type }) => type === 'summary'),
      };
    },
  };
  await running.waitFor('the start', ({ type }) => type === 'status');
  return running;
}
