import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  countOf,
  formatClock,
  formatDay,
  formatRfc3339,
  listOf,
  signalName,
} from '../../../src/text/index.js';

test('a time is RFC 3339 in UTC with nine digits', () => {
  assert.equal(formatRfc3339(0n), '1970-01-01T00:00:00.000000000Z');
  assert.equal(
    formatRfc3339(1_796_119_331_000_000_007n),
    '2026-12-01T10:02:11.000000007Z',
  );
  assert.equal(formatRfc3339(-1n), '1969-12-31T23:59:59.999999999Z');
});

test('a time of day and a day for humans', () => {
  const epoch = 1_796_119_331_042_999_999n;
  assert.equal(formatClock(epoch), '10:02:11');
  assert.equal(formatClock(epoch, 3), '10:02:11.042');
  assert.equal(formatDay(epoch), '2026-12-01');
});

test('signals have their usual names, real-time ones too', () => {
  const names = [1, 6, 9, 15, 29, 31, 34, 35, 64].map(signalName);
  assert.deepEqual(names, [
    'SIGHUP',
    'SIGABRT',
    'SIGKILL',
    'SIGTERM',
    'SIGIO',
    'SIGSYS',
    'SIGRTMIN',
    'SIGRTMIN+1',
    'SIGRTMIN+30',
  ]);
  assert.equal(signalName(33), 'signal 33');
});

test('counts and lists read like a sentence', () => {
  assert.equal(countOf(1, 'event'), '1 event');
  assert.equal(countOf(65_535, 'event'), '65,535 events');
  assert.equal(listOf(['cpu', 'memory', 'pids']), 'cpu, memory and pids');
  assert.equal(listOf(['cpu']), 'cpu');
});
