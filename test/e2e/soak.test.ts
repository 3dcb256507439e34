import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { buildChurn } from '../support/churn.js';
import { startCgleak } from '../support/cgleak.js';
import { requireRoot } from '../support/require-root.js';
import { makeSubtree } from '../support/subtree.js';
import type { Subtree } from '../support/subtree.js';

requireRoot();

/** Containers a second. */
const rate = 200;
/** A minute, or as long as one asks for: CGLEAK_SOAK_SECONDS=7200 npm test -- --e2e soak */
const seconds = Number(process.env['CGLEAK_SOAK_SECONDS'] ?? 60);
/** By so many MB may memory grow from the second quarter of the time to the last. */
const flat = 12;
const churn = buildChurn();
let subtree: Subtree;

before(() => {
  subtree = makeSubtree('soak');
});

after(async () => {
  await subtree.remove();
  churn.remove();
});

test(`${rate} containers a second for ${seconds} s: memory is flat, nothing is lost`, async () => {
  const directories = ['v2', 'memory', 'pids'].flatMap(
    (name) => subtree.directories.get(name) ?? [],
  );
  assert.ok(directories.length > 0);
  const watch = await startCgleak('watch', '--under', subtree.path, '--new-only');
  const { pid } = watch.process;
  assert.ok(pid !== undefined);

  const start = cpuSeconds(pid);
  const resident: number[] = [];
  const sampling = setInterval(() => resident.push(residentMb(pid)), 1_000);
  const churner = spawn(
    churn.command,
    ['containers', String(rate), String(seconds), ...directories],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  let output = '';
  churner.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  const [code] = (await once(churner, 'close')) as [number | null];
  clearInterval(sampling);
  const cpu = cpuSeconds(pid) - start;
  const { summary } = await watch.stop();
  assert.equal(code, 0);

  const containers = Number(output);
  const quarter = Math.floor(resident.length / 4);
  const early = mean(resident.slice(quarter, 2 * quarter));
  const late = mean(resident.slice(3 * quarter));
  console.log(
    `${containers} containers in ${directories.length} hierarchies, ${((100 * cpu) / seconds).toFixed(1)} % of a core, ` +
      `resident ${early.toFixed(1)} MB in the second quarter, ${late.toFixed(1)} MB in the last`,
  );
  assert.ok(containers > (rate * seconds) / 2, `only ${containers} containers`);
  assert.equal(summary?.['lost'], 0);
  assert.equal(summary['created'], containers * directories.length);
  assert.equal(summary['removed'], containers * directories.length);
  assert.equal(summary['findings'], 0);
  assert.ok(late - early < flat, `${early} MB grew to ${late} MB`);
});

function residentMb(pid: number): number {
  const [, kilobytes] =
    /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kilobytes) / 1024;
}

/** User and system time: fields 14 and 15 of proc(5)'s stat, in 100ths of a second. */
function cpuSeconds(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
