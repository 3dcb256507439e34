import assert from 'node:assert/strict';
import { forEachRecord, openObject } from '../../src/bpf-ts/index.js';
import type { BpfObject, RingBatch } from '../../src/bpf-ts/index.js';
import { compileBpf } from './compile-bpf.js';

let bytes: Buffer | undefined;

interface Settings {
  readonly watched?: number;
  readonly burst?: number;
  readonly ringBytes?: number;
}

/** Opens, loads and attaches records.bpf.c, to watch this process unless told otherwise. */
export function openRecords(settings: Settings = {}): BpfObject {
  bytes ??= compileBpf('records.bpf.c');
  const object = openObject(bytes, { name: 'test' });
  object.setGlobal('watched', settings.watched ?? process.pid);
  object.setGlobal('burst', settings.burst ?? 1);
  object.setMaxEntries('records', settings.ringBytes ?? 1 << 20);
  object.load();
  object.attach('on_rename');
  return object;
}

/** The sequence numbers in a batch, once all else in it has been checked. */
export function checkedSequences(batch: RingBatch): number[] {
  const sequences: number[] = [];
  let end = 0;
  assert.equal(batch.bytes.length, batch.view.byteLength);
  forEachRecord(batch, (offset, length) => {
    assert.equal(offset, end + 8);
    assert.equal(offset % 8, 0);
    assert.equal(batch.view.getUint32(offset - 4, true), 0);
    const sequence = Number(batch.view.getBigUint64(offset, true));
    assert.equal(length, 8 + (sequence & 31));
    end = offset + Math.ceil(length / 8) * 8;
    for (let at = offset + 8; at < offset + length; at++)
      assert.equal(batch.bytes[at], sequence & 0xff);
    for (let at = offset + length; at < end; at++) assert.equal(batch.bytes[at], 0);
    sequences.push(sequence);
  });
  assert.equal(end, batch.bytes.length);
  assert.equal(sequences.length, batch.count);
  return sequences;
}

/** How many records found the ring full. */
export function lostRecords(object: BpfObject): number {
  const perCpu = object.map('lost').lookupPerCpu(new Uint8Array(4)) ?? [];
  return perCpu.reduce(
    (sum, value) =>
      sum + Number(new DataView(value.buffer, value.byteOffset).getBigUint64(0, true)),
    0,
  );
}

/** 0, 1, 2, ... */
export function upTo(count: number): number[] {
  return Array.from({ length: count }, (_, index) => index);
}
