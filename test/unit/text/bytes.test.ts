import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatBytes } from '../../../src/text/index.js';

test('sizes are told in the unit that fits', () => {
  const sizes = [0, 1023, 1024, 1536, 10 * 1024, 64 * 2 ** 20, 1.25 * 2 ** 30, 2 ** 52];
  assert.deepEqual(sizes.map(formatBytes), [
    '0 bytes',
    '1023 bytes',
    '1 KiB',
    '1.5 KiB',
    '10 KiB',
    '64 MiB',
    '1.3 GiB',
    '4096 TiB',
  ]);
});
