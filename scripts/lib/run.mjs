import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { project } from './project.mjs';
import { SetupError } from './setup-error.mjs';

/** Process groups of the commands that run now. */
const groups = new Set();
const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/** Ends what runs, compilers and all, and then this script. */
function onSignal(signal) {
  for (const group of groups) {
    try {
      process.kill(-group, signal);
    } catch {
      // It has just ended by itself.
    }
  }
  process.exit(128 + constants.signals[signal]);
}

/**
 * Runs a command in a process group of its own. `output: 'inherit'` shows what
 * it says, otherwise that is collected, up to its last 4 MiB.
 *
 * @param {string} command
 * @param {readonly string[]} args
 * @param {{ env?: NodeJS.ProcessEnv, output?: 'collect' | 'inherit' }} [options]
 * @returns {Promise<{ code: number, output: string }>} code 127 where there is no such command
 */
export function run(command, args, { env = {}, output = 'collect' } = {}) {
  return new Promise((resolve) => {
    const stdio = output === 'inherit' ? 'inherit' : 'pipe';
    const child = spawn(command, args, {
      cwd: project,
      env: { ...process.env, ...env },
      stdio: ['ignore', stdio, stdio],
      detached: true,
    });
    const chunks = [];
    for (const stream of [child.stdout, child.stderr]) {
      stream?.on('data', (chunk) => chunks.push(chunk));
    }

    if (child.pid !== undefined) {
      groups.add(child.pid);
      if (groups.size === 1) for (const signal of signals) process.on(signal, onSignal);
    }
    const end = (code, message) => {
      if (groups.delete(child.pid) && groups.size === 0) {
        for (const signal of signals) process.off(signal, onSignal);
      }
      const said = Buffer.concat(chunks)
        .subarray(-(4 << 20))
        .toString();
      resolve({ code, output: said + message });
    };
    child.once('error', (error) => end(127, error.message));
    child.once('close', (code, signal) =>
      end(code ?? 128 + constants.signals[signal], signal ? `ended by ${signal}` : ''),
    );
  });
}

/**
 * Runs a command of which nothing is shown unless it fails.
 * @param {string} failure what to tell the user then
 * @throws {SetupError}
 */
export async function runQuietly(command, args, failure, options = {}) {
  const { code, output } = await run(command, args, options);
  if (code !== 0) throw new SetupError(failure, output);
  return output;
}
