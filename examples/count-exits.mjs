// Counts which commands exit, and how: node count-exits.mjs exits.bpf.o SECONDS
import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { forEachRecord, loadObject } from 'cgleak/bpf-ts';

const [file, seconds] = process.argv.slice(2);
const { object } = loadObject(readFileSync(file), { globals: { least_pid: 2 } });
const counts = new Map();
const ring = object.ringBuffer('exits', (batch) => {
  const { bytes, view } = batch;
  forEachRecord(batch, (at) => {
    const comm = bytes.toString('latin1', at + 8, bytes.indexOf(0, at + 8));
    const row = `${comm} ${view.getInt32(at + 4, true) >> 8}`;
    counts.set(row, (counts.get(row) ?? 0) + 1);
  });
});
console.log(`counting for ${seconds} s`);
await delay(1000 * Number(seconds));
ring.flush();
object.close();
for (const [row, count] of counts) console.log(`${count} times ${row}`);
