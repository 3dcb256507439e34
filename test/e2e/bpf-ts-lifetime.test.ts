import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { describe, it } from 'node:test';
import { setImmediate as nextTurn, setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { renameSelf } from '../bpf/rename-self.js';

const script = new URL('../bpf/ring-child.ts', import.meta.url);

/** --import tsx does not reach the worker threads of every Node. */
const startTypeScript = `
  const { script } = require('node:worker_threads').workerData;
  void import('tsx/esm/api').then(({ tsImport }) => tsImport(script, script));
`;

interface Ending {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly output: string;
  readonly errors: string;
}

async function runChild(
  scene: string,
  onOutput?: (text: string) => void,
): Promise<Ending> {
  const child = spawn(
    process.execPath,
    [
      '--import',
      'tsx',
      fileURLToPath(script),
      scene,
      String(scene === 'alive' ? process.pid : ''),
    ],
    { stdio: ['ignore', 'pipe', 'pipe'], timeout: 60_000 },
  );
  let output = '';
  let errors = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
    onOutput?.(output);
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors += text;
  });
  const [code, signal] = (await once(child, 'close')) as [
    number | null,
    NodeJS.Signals | null,
  ];
  return { code, signal, output: output.trim(), errors };
}

function openFiles(): number {
  return readdirSync('/proc/self/fd').length;
}

describe('a process with an open ring', () => {
  it('gets what the callback throws as an uncaught exception, and goes on', async () => {
    const { code, output, errors } = await runChild('exception');
    assert.equal(errors, '');
    assert.equal(
      output,
      'call 1,uncaught on purpose,tick,promise,call 2,uncaught on purpose,tick,promise',
    );
    assert.equal(code, 0);
  });

  it('ends by what the callback throws where nobody catches it', async () => {
    const { code, errors } = await runChild('fatal');
    assert.notEqual(code, 0);
    assert.notEqual(code, null);
    assert.match(errors, /thrown in the callback/);
    assert.match(errors, /ring-child/);
  });

  it('lives until the ring is closed', async () => {
    let renamed = false;
    const { code, output } = await runChild('alive', (text) => {
      if (renamed || !text.includes('ready')) return;
      renamed = true;
      // Long enough for a process that nothing keeps alive to end.
      void delay(500).then(() => {
        renameSelf();
      });
    });
    assert.equal(output, 'ready\nrecord');
    assert.equal(code, 0);
  });

  it('ends by itself where the ring is unref’ed', async () => {
    assert.deepEqual(await runChild('unref'), {
      code: 0,
      signal: null,
      output: 'ready',
      errors: '',
    });
  });

  it('may exit in the callback', async () => {
    const { code, signal, errors } = await runChild('exit');
    assert.deepEqual({ code, signal, errors }, { code: 5, signal: null, errors: '' });
  });
});

describe('a worker thread with an open ring', () => {
  async function runWorker(scene: string, terminate: boolean): Promise<number> {
    const worker = new Worker(startTypeScript, {
      eval: true,
      workerData: { script: script.href, parameters: [scene] },
    });
    const exit = once(worker, 'exit') as Promise<[number]>;
    if (terminate) {
      await once(worker, 'message');
      await worker.terminate();
    }
    const [code] = await exit;
    return code;
  }

  it('ends cleanly: by itself, by exit, terminated, and terminated in the callback', async () => {
    await runWorker('unref', false);
    const before = openFiles();
    for (let round = 0; round < 2; round++) {
      assert.equal(await runWorker('unref', false), 0);
      assert.equal(await runWorker('exit', false), 5);
      assert.equal(await runWorker('alive', true), 1);
      assert.equal(await runWorker('busy', true), 1);
    }
    await nextTurn();
    assert.ok(
      openFiles() <= before,
      `${String(openFiles())} files open, ${String(before)} before`,
    );
  });
});
