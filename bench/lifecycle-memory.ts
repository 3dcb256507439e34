/**
 * What a tracked cgroup costs in memory: prints bytes for each, at 100,000.
 *
 *   node --expose-gc --import tsx bench/lifecycle-memory.ts
 */
import { createLifecycle, type Lifecycle } from '../src/lifecycle/index.js';
import { containerLife, type ContainerOptions } from './lifecycle-events.js';

const tracked = 100_000;

const { gc } = globalThis;
if (!gc) throw new Error('Run it with node --expose-gc, so that it can measure.');

/** Kept, so that nothing is collected that an earlier measurement counts. */
const measured: Lifecycle[] = [];

for (const options of [
  { name: 'one hierarchy, one creator', hierarchies: 1, sameCreator: true },
  { name: 'one hierarchy, a creator each', hierarchies: 1, sameCreator: false },
  { name: '13 hierarchies, one creator', hierarchies: 13, sameCreator: true },
  { name: '13 hierarchies, a creator each', hierarchies: 13, sameCreator: false },
]) {
  console.log(`${options.name}: ${measure(options)} bytes a tracked cgroup`);
}

function measure(options: Omit<ContainerOptions, 'at'>): number {
  const before = usedAfterCollection();
  const lifecycle = createLifecycle({ grace: 30_000_000_000n });
  for (let at = 0; at * options.hierarchies < tracked; at++) {
    for (const event of containerLife({ at, ...options })) {
      if (event.kind !== 'rmdir') lifecycle.feed(event);
    }
  }
  measured.push(lifecycle);
  const used = usedAfterCollection() - before;
  return Math.round(used / lifecycle.counts().tracked);
}

function usedAfterCollection(): number {
  gc?.();
  gc?.();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}
