import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { compileBpf } from '../bpf/compile-bpf.js';

const project = fileURLToPath(new URL('../..', import.meta.url));
const document = readFileSync(join(project, 'docs/bpf-ts.md'), 'utf8');

/** The first code block of a language in the document. */
function block(language: string): string {
  const [, code] =
    new RegExp(`\`\`\`${language}\n(.*?)\`\`\`\n`, 's').exec(document) ?? [];
  assert.ok(code, `no ${language} in the document`);
  return code;
}

let directory: string;

before(() => {
  directory = mkdtempSync(join(tmpdir(), 'cgleak-test-example-'));
  writeFileSync(join(directory, 'exits.bpf.c'), block('c'));
  writeFileSync(join(directory, 'count-exits.mjs'), block('js'));
  mkdirSync(join(directory, 'node_modules'));
  symlinkSync(project, join(directory, 'node_modules/cgleak'));
});

after(() => {
  rmSync(directory, { recursive: true, force: true });
});

describe('the example of the document', () => {
  it('is the one in examples', () => {
    assert.equal(block('c'), readFileSync(join(project, 'examples/exits.bpf.c'), 'utf8'));
    assert.equal(
      block('js'),
      readFileSync(join(project, 'examples/count-exits.mjs'), 'utf8'),
    );
  });

  it('has twenty lines or so', () => {
    assert.ok(block('js').split('\n').length <= 22);
  });

  it('counts exits', async () => {
    writeFileSync(
      join(directory, 'exits.bpf.o'),
      compileBpf(join(directory, 'exits.bpf.c')),
    );
    const child = spawn(process.execPath, ['count-exits.mjs', 'exits.bpf.o', '6'], {
      cwd: directory,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let output = '';
    let started = false;
    const run = promisify(execFile);
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      output += text;
      if (started || !output.includes('counting for 6 s\n')) return;
      started = true;
      for (let time = 0; time < 3; time++)
        run('bash', ['-c', 'printf cgleak-test > /proc/self/comm; exit 37']).catch(
          (error: unknown) => error,
        );
    });
    const [code] = (await once(child, 'close')) as [number | null];
    assert.equal(code, 0);
    assert.match(output, /^3 times cgleak-test 37$/m);
  });
});
