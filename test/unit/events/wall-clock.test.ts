import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createWallClock } from '../../../src/events/wall-clock.js';

const second = 1_000_000_000n;

test('one event has one time, whatever NTP does, and another once the clock is set', () => {
  let now = 0n;
  let offset = 1_000n * second;
  const convert = createWallClock(
    () => ({ realtime: now + offset, monotonic: now }),
    () => now,
  );
  assert.equal(convert(5n), 1_000n * second + 5n);
  now += 2n * second;
  offset += 1n;
  assert.equal(convert(5n), 1_000n * second + 5n);
  // Slewed bit by bit, it is followed a millisecond at a time.
  now += 2n * second;
  offset += 1_000_000n;
  assert.equal(convert(5n), 1_000n * second + 1_000_006n);
  // Set back by an hour, and seen within a second.
  offset -= 3_600n * second;
  now += second;
  assert.equal(convert(5n), 1_000n * second + 1_000_006n);
  now += 1n;
  assert.equal(convert(5n), -2_600n * second + 1_000_006n);
});
