/**
 * What it costs to look at all cgroups: 30,000 empty ones in a subtree, emptiness
 * included, by the kernel's iterator and by a walk, against find(1), interleaved,
 * the median of the rounds; and the memory of a watch that tracks 100,000. Needs
 * root.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, rmdirSync } from 'node:fs';
import { cpus, release } from 'node:os';
import { createSnapshotter, readHierarchies } from '../src/cgroupfs/index.js';
import { main, startCgleak } from '../test/support/cgleak.js';
import { makeSubtree } from '../test/support/subtree.js';
import { residentMegabytes } from './tools.js';

const rounds = 5;
const scanned = 30_000;
const tracked = Number(process.env['TRACKED'] ?? 100_000);

const subtree = makeSubtree('bench-scan');

try {
  console.log(`${cpus()[0]?.model ?? '?'}, ${cpus().length} CPUs, Linux ${release()}`);
  for (const name of ['v2', 'memory']) {
    const directory = subtree.directories.get(name);
    if (directory === undefined) console.log(`${name} is not mounted here`);
    else await compare(name, directory);
  }
  await remember();
} finally {
  await subtree.remove();
}

/** In two levels, as runtimes have it. */
function make(directory: string, count: number): () => void {
  const paths: string[] = [];
  const add = (path: string) => {
    mkdirSync(path);
    paths.push(path);
  };
  for (let at = 0; at < count; at++) {
    if (at % 1_000 === 0) add(`${directory}/parent${at}`);
    else add(`${directory}/parent${at - (at % 1_000)}/leaf-with-a-usual-name-${at}`);
  }
  return () => {
    for (const path of paths.toReversed()) rmdirSync(path);
  };
}

async function compare(name: string, directory: string): Promise<void> {
  const hierarchy = readHierarchies().find(({ controllers }) =>
    controllers.includes(name),
  );
  if (!hierarchy) throw new Error(`No hierarchy ${name}`);
  const remove = make(directory, scanned);
  try {
    const times = new Map<string, number[]>();
    const measure = async (what: string, action: () => unknown) => {
      const start = performance.now();
      await action();
      const list = times.get(what) ?? [];
      list.push(performance.now() - start);
      times.set(what, list);
    };
    const iterator = createSnapshotter({ source: 'iterator' });
    const walk = createSnapshotter({ source: 'walk' });
    const count = { iterator: 0, walk: 0 };
    await iterator.take(hierarchy);
    for (let round = 0; round < rounds; round++) {
      await measure('find', () =>
        execFileSync('sh', ['-c', `find '${directory}' -type d | wc -l`]),
      );
      await measure('iterator', async () => {
        count.iterator = (await iterator.take(hierarchy)).entries.length;
      });
      await measure('walk', async () => {
        count.walk = (await walk.take(hierarchy)).entries.length;
      });
      await measure('cgleak scan', () => {
        const { status } = spawnSync(
          main,
          ['scan', '--under', subtree.path, '--hierarchy', name],
          { stdio: 'ignore' },
        );
        if (status !== 0) throw new Error('cgleak scan failed');
      });
      await measure('start-up alone', () => {
        spawnSync(main, ['--version'], { stdio: 'ignore' });
      });
    }
    iterator.close();
    const find = median(times.get('find') ?? []);
    console.log(
      `\n${scanned} empty cgroups in ${name} (seen: ${count.iterator}, ${count.walk})`,
    );
    for (const [what, list] of times) {
      const time = median(list);
      console.log(
        `  ${what.padEnd(15)} ${time.toFixed(0).padStart(5)} ms  ${(find / time).toFixed(1)} times as fast as find`,
      );
    }
  } finally {
    remove();
  }
}

/** Made while it watches, and once more found by a watch that starts later. */
async function remember(): Promise<void> {
  const directory = subtree.directories.get('v2');
  if (directory === undefined) return;
  const watching = await startCgleak('watch', '--under', subtree.path, '--grace', '1h');
  const empty = residentMegabytes(watching.process);
  const remove = make(directory, tracked);
  try {
    const later = await startCgleak('watch', '--under', subtree.path, '--grace', '1h');
    const { cgroups, durationSeconds } = await later.waitFor(
      'the first look',
      ({ state }) => state === 'reconciled',
      60_000,
    );
    console.log(
      `\n${tracked} live cgroups tracked (v2; found ${String(cgroups)} in ${String(durationSeconds)} s)`,
    );
    console.log(`  at the start             ${empty.toFixed(0)} MB resident`);
    console.log(
      `  seen being made          ${residentMegabytes(watching.process).toFixed(0)} MB`,
    );
    console.log(
      `  found by a snapshot      ${residentMegabytes(later.process).toFixed(0)} MB`,
    );
    await watching.stop();
    await later.stop();
  } finally {
    remove();
  }
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}
