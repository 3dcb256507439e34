import assert from 'node:assert/strict';
import { test } from 'node:test';
import { escapeText, escapeWord, unescapeText } from '../../../src/text/index.js';

/** A text as the raw bytes that events carry. */
const raw = (text: string) => Buffer.from(text, 'utf8').toString('latin1');

test('what can be shown is shown', () => {
  for (const text of [
    '/a/b-c_d.scope',
    'it\'s "quoted" $HOME',
    'größe',
    '容器',
    '🐧',
    'é',
  ])
    assert.equal(escapeText(raw(text)), text);
});

test('what a terminal would obey or hide is shown as bytes', () => {
  const examples: readonly [string, string][] = [
    ['\x1b[2J', '\\x1b[2J'],
    ['\x00\x7f\t\r\n', '\\x00\\x7f\\x09\\x0d\\x0a'],
    ['\u009b31m', '\\xc2\\x9b31m'],
    ['a\u202eb', 'a\\xe2\\x80\\xaeb'],
    ['\u2066x\u2069', '\\xe2\\x81\\xa6x\\xe2\\x81\\xa9'],
    ['\u200b\u200d\ufeff', '\\xe2\\x80\\x8b\\xe2\\x80\\x8d\\xef\\xbb\\xbf'],
    ['\u2028\u2029', '\\xe2\\x80\\xa8\\xe2\\x80\\xa9'],
    ['a\u00a0b', 'a\\xc2\\xa0b'],
    ['\u00ad\u3164', '\\xc2\\xad\\xe3\\x85\\xa4'],
    ['\u{e0041}', '\\xf3\\xa0\\x81\\x81'],
    ['\ue000', '\\xee\\x80\\x80'],
  ];
  for (const [text, expected] of examples) assert.equal(escapeText(raw(text)), expected);
});

test('bytes that are no UTF-8 are shown as bytes', () => {
  const examples: readonly [string, string][] = [
    ['\xff', '\\xff'],
    ['a\x80b', 'a\\x80b'],
    // Cut short, overlong, a surrogate, and beyond the last character.
    ['\xe2\x82', '\\xe2\\x82'],
    ['\xc0\xaf', '\\xc0\\xaf'],
    ['\xe0\x80\xaf', '\\xe0\\x80\\xaf'],
    ['\xed\xa0\x80', '\\xed\\xa0\\x80'],
    ['\xf4\x90\x80\x80', '\\xf4\\x90\\x80\\x80'],
    ['\xf0\x9f\x90\xa7\xf0\x9f', '🐧\\xf0\\x9f'],
  ];
  for (const [bytes, expected] of examples) assert.equal(escapeText(bytes), expected);
});

test('a backslash is doubled, so that every name can be told from every other', () => {
  assert.equal(escapeText('a\\x2db'), 'a\\\\x2db');
  for (let seed = 1; seed < 2000; seed++) {
    const bytes = Buffer.alloc(1 + (seed % 12));
    let state = seed;
    for (let at = 0; at < bytes.length; at++) {
      state = (state * 48271) % 0x7fffffff;
      bytes[at] =
        [0x5c, 0x78, 0x32, 0x64, state & 0xff, 0xe2, 0x80, 0xae][state % 8] ?? 0;
    }
    const name = bytes.toString('latin1');
    assert.equal(unescapeText(escapeText(name)), name);
    assert.match(escapeText(name), /^[^\p{C}]*$/u);
  }
});

test('a word has no blanks', () => {
  assert.equal(escapeWord('/a b'), '/a\\x20b');
});

test('a single backslash that begins no escape stands for itself', () => {
  assert.equal(unescapeText('a\\b\\xzz\\'), 'a\\b\\xzz\\');
});
