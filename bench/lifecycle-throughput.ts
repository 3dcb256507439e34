/**
 * How long the lifecycle takes for an event: prints ns, of the rounds the fastest and
 * the median: on a machine that does other things, too, the fastest says more.
 *
 *   node --import tsx bench/lifecycle-throughput.ts
 */
import type { CgroupEvent } from '../src/events/index.js';
import { createLifecycle } from '../src/lifecycle/index.js';
import { containerLife } from './lifecycle-events.js';

const rounds = 15;
/** Live cgroups that stand there meanwhile. */
const others = 20_000;
const eventsPerRound = 200_000;
const eventsPerBatch = 2_000;

for (const hierarchies of [1, 13]) {
  const times: number[] = [];
  for (let round = 0; round < rounds; round++) times.push(measure(hierarchies));
  times.sort((a, b) => a - b);
  const median = Math.round(times[Math.floor(rounds / 2)] ?? 0);
  const name = hierarchies === 1 ? 'hierarchy' : 'hierarchies';
  const fastest = Math.round(times[0] ?? 0);
  console.log(`${hierarchies} ${name}: ${fastest} ns an event (median ${median})`);
}

function measure(hierarchies: number): number {
  const lifecycle = createLifecycle({ grace: 30_000_000_000n });
  for (let at = 0; at < others; at++) {
    const life = containerLife({ at, hierarchies: 1, sameCreator: false });
    for (const event of life.slice(0, 2)) lifecycle.feed(event);
  }
  let at = others;
  let fed = 0;
  let nanoseconds = 0n;
  while (fed < eventsPerRound) {
    // In batches, as from the ring: so that the events themselves die young.
    const events: CgroupEvent[] = [];
    while (events.length < eventsPerBatch) {
      events.push(...containerLife({ at, hierarchies, sameCreator: false }));
      at += 1;
    }
    const start = process.hrtime.bigint();
    for (const event of events) lifecycle.feed(event);
    nanoseconds += process.hrtime.bigint() - start;
    fed += events.length;
  }
  return Number(nanoseconds) / fed;
}
