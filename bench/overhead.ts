/**
 * What it costs a host to be watched: prints ratios measured in this run, the
 * tools interleaved, the median of the rounds, each after a quarter of the load as
 * warm-up. Needs root, bpftrace and cc.
 */
import { execFile, execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { cpus, release } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { buildChurn } from '../test/support/churn.js';
import { makeSubtree } from '../test/support/subtree.js';
import { cpuSeconds, residentMegabytes, stop, tools } from './tools.js';

const rounds = 5;
const loads = [
  { name: 'bare', what: 'mkdir, rmdir', cycles: 100_000, eventsPerCycle: 2 },
  // The parent is populated and emptied with its child.
  {
    name: 'cycle',
    what: 'mkdir, fork, enter, exit, rmdir',
    cycles: 4_000,
    eventsPerCycle: 6,
  },
] as const;
const exitsPerSecond = 2_000;
const exitsSeconds = 10;
/** Time to take in the last events, ms. */
const settle = 500;

const run = promisify(execFile);
const tracefs = mountTracefs();
const churn = buildChurn();
const subtree = makeSubtree('bench');

interface Sample {
  readonly seconds: number;
  readonly cpu: number;
  readonly resident: number;
}

try {
  const directory = subtree.directories.get('v2');
  if (directory === undefined) throw new Error('The bench needs v2 mounted');
  console.log(`${cpus()[0]?.model ?? '?'}, ${cpus().length} CPUs, Linux ${release()}`);
  for (const load of loads) await compare(load, directory);
  await idle();
} finally {
  await subtree.remove();
  churn.remove();
  tracefs.unmount();
}

/** bpftrace reads the tracepoints there. */
function mountTracefs(): { unmount(): void } {
  const directory = '/sys/kernel/tracing';
  if (existsSync(join(directory, 'events'))) return { unmount: () => undefined };
  execFileSync('mount', ['-t', 'tracefs', 'tracefs', directory]);
  return {
    unmount: () => {
      execFileSync('umount', [directory]);
    },
  };
}

async function compare(load: (typeof loads)[number], directory: string): Promise<void> {
  const samples = new Map<string, Sample[]>(tools.map(({ name }) => [name, []]));
  for (let round = 0; round < rounds; round++) {
    for (const { name, start } of tools) {
      const tool = await start();
      const warmUp = String(load.cycles / 4);
      await run(churn.command, [load.name, warmUp, directory]);
      await sleep(settle);
      const before = tool ? cpuSeconds(tool) : 0;
      const { stdout } = await run(churn.command, [
        load.name,
        String(load.cycles),
        directory,
      ]);
      await sleep(settle);
      samples.get(name)?.push({
        seconds: Number(stdout),
        cpu: tool ? cpuSeconds(tool) - before : 0,
        resident: tool ? residentMegabytes(tool) : 0,
      });
      await stop(tool);
    }
  }

  const events = load.cycles * load.eventsPerCycle;
  const of = (name: string, what: keyof Sample) =>
    median((samples.get(name) ?? []).map((sample) => sample[what]));
  const bare = of('nothing', 'seconds');
  console.log(`\n${load.what}: ${Math.round(load.cycles / bare)} cycles/s unwatched`);
  for (const { name } of tools.slice(1)) {
    const perEvents = (of(name, 'cpu') / events) * 100_000;
    console.log(
      `  ${name.padEnd(13)} throughput ${(bare / of(name, 'seconds')).toFixed(3)}` +
        `, CPU ${perEvents.toFixed(3)} s per 100,000 events` +
        `, resident ${of(name, 'resident').toFixed(0)} MB`,
    );
  }
  const ratio = of('cgleak watch', 'cpu') / of('bpftrace', 'cpu');
  console.log(`  CPU ratio     ${ratio.toFixed(2)}`);
}

/** Processes exit, and no cgroup changes. */
async function idle(): Promise<void> {
  const [, cgleak] = tools;
  const tool = await cgleak?.start();
  if (!tool) throw new Error('cgleak did not start');
  const statistics = '/proc/sys/kernel/bpf_stats_enabled';
  const statisticsBefore = readFileSync(statistics, 'utf8').trim();
  execFileSync('sh', ['-c', `echo 1 > ${statistics}`]);
  try {
    const before = cpuSeconds(tool);
    const inKernelBefore = bpfSeconds(tool.pid);
    const args = ['exits', String(exitsPerSecond), String(exitsSeconds)];
    const { stdout } = await run(churn.command, args);
    const cpu = ((cpuSeconds(tool) - before) / Number(stdout)) * 100;
    const inKernel = ((bpfSeconds(tool.pid) - inKernelBefore) / Number(stdout)) * 100;
    console.log(`\n${exitsPerSecond} processes exit a second, no cgroup changes`);
    console.log(
      `  cgleak watch  ${cpu.toFixed(2)} % of a core, and its BPF programs ${inKernel.toFixed(2)} %`,
    );
  } finally {
    execFileSync('sh', ['-c', `echo ${statisticsBefore} > ${statistics}`]);
    await stop(tool);
  }
}

/** Time spent in the BPF programs that a process holds, from its fds. */
function bpfSeconds(pid: number | undefined): number {
  const infos = execFileSync(
    'sh',
    ['-c', `cat /proc/${String(pid)}/fdinfo/* 2>/dev/null || true`],
    {
      encoding: 'utf8',
    },
  );
  const times = [...infos.matchAll(/^run_time_ns:\s+(\d+)/gm)].map(([, ns]) =>
    Number(ns),
  );
  return times.reduce((sum, ns) => sum + ns, 0) / 1e9;
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}
