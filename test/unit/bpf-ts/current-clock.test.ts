import assert from 'node:assert/strict';
import { it } from 'node:test';
import { currentClock } from '../../../src/bpf-ts/index.js';

it('currentClock gives both clocks at one moment', () => {
  const millisecond = 1_000_000n;
  const wallBefore = BigInt(Date.now()) * millisecond;
  const before = process.hrtime.bigint();
  const { monotonic, realtime } = currentClock();
  const after = process.hrtime.bigint();
  const wallAfter = BigInt(Date.now() + 1) * millisecond;
  assert.ok(before <= monotonic && monotonic <= after);
  assert.ok(wallBefore <= realtime && realtime <= wallAfter);
});
