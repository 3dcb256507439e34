import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DurationError, formatDuration, parseDuration } from '../../../src/text/index.js';

const second = 1_000_000_000n;

test('a duration is one or more numbers with their units', () => {
  const examples: readonly [string, bigint][] = [
    ['0s', 0n],
    ['500ms', second / 2n],
    ['30s', 30n * second],
    ['5m', 300n * second],
    ['2h', 7200n * second],
    ['1d', 86_400n * second],
    ['1m30s', 90n * second],
    ['1.5s', (3n * second) / 2n],
    ['0.001ms', 1_000n],
    ['400d', 400n * 86_400n * second],
  ];
  for (const [text, expected] of examples)
    assert.equal(parseDuration(text), expected, text);
});

test('anything else is refused with the right form', () => {
  for (const text of [
    '',
    '30',
    's',
    '30 s',
    '-1s',
    '30sec',
    '1m30',
    '1e3s',
    '5us',
    'x5m',
  ])
    assert.throws(
      () => parseDuration(text),
      (error: unknown) =>
        error instanceof DurationError && /such as 500ms, 30s, 5m/.test(error.message),
      text,
    );
});

test('a duration is shown as a human says it', () => {
  const examples: readonly [bigint, string][] = [
    [0n, '0 s'],
    [999n, '999 ns'],
    [1_500n, '1.5 µs'],
    [12_345_678n, '12 ms'],
    [2_000_000n, '2 ms'],
    [999_999_999n, '999 ms'],
    [3_210_000_000n, '3.2 s'],
    [30n * second, '30 s'],
    [59n * second + 600_000_000n, '1m'],
    [151n * second, '2m 31s'],
    [7200n * second, '2h'],
    [7260n * second, '2h 1m'],
    [90_000n * second, '1d 1h'],
    [-30n * second, '-30 s'],
  ];
  for (const [nanoseconds, expected] of examples)
    assert.equal(formatDuration(nanoseconds), expected);
});
