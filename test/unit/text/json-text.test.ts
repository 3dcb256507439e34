import assert from 'node:assert/strict';
import { test } from 'node:test';
import { jsonLine, jsonText } from '../../../src/text/index.js';

const raw = (text: string) => Buffer.from(text, 'utf8').toString('latin1');

test('valid UTF-8 is exact in the text, whatever it is', () => {
  for (const text of ['/a', '/größe 🐧', '\x1b[2J\u202e"\\x41', '\u009b'])
    assert.deepEqual(jsonText(raw(text)), { text });
});

test('other bytes are escaped, and the exact ones stand beside', () => {
  const bytes = 'é\xff\\\x1b';
  const name = raw('é') + '\xff\\\x1b';
  assert.deepEqual(jsonText(name), {
    text: 'é\\xff\\\x1b',
    base64: Buffer.from(name, 'latin1').toString('base64'),
  });
  assert.notEqual(jsonText(name).text, bytes);
});

test('a line keeps every value and is safe to look at', () => {
  const document = { path: '/\u009b\u007f\u202e\u2028🐧\u{e0041}é\n', more: ['"', '\\'] };
  const line = jsonLine(document);
  assert.deepEqual(JSON.parse(line), document);
  assert.match(line, /^[^\p{C}\p{Zl}\p{Zp}]*$/u);
  assert.ok(line.includes('🐧') && line.includes('é'));
});
