import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nearest } from '../../../src/text/index.js';

test('the nearest word is found through a slip or two, and none that is far', () => {
  const choices = ['grace', 'under', 'json', 'once-after', 'new-only', 'parents'];
  const of = (word: string) => nearest(word, choices);
  assert.equal(of('grace'), 'grace');
  assert.equal(of('graec'), 'grace');
  assert.equal(of('grce'), 'grace');
  assert.equal(of('ggrace'), 'grace');
  assert.equal(of('onceafter'), 'once-after');
  assert.equal(of('new-onyl'), 'new-only');
  assert.equal(of('jsno'), 'json');
  assert.equal(of('frob'), undefined);
  assert.equal(of('j'), undefined);
  assert.equal(of(''), undefined);
});
