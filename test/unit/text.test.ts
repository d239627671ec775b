import { describe, expect, test } from 'vitest';
import { blocksOf, meantOf, trimEndOf } from '../../src/text.ts';

describe('the blocks of a text', () => {
  test.each([
    ['', []],
    ['nothing', []],
    ['x <a> y <b> z', ['<a>', '<b>']],
    ['> <a>', ['<a>']],
    ['<a <b>', ['<a <b>']],
    ['<a> <b', ['<a>', '<b']],
    ['<<<', ['<<<']],
  ])('of %j are %j', (text, blocks) => {
    expect(blocksOf(text, '<', '>')).toEqual(blocks);
  });
});

test.each([
  ['', ''],
  ['///', ''],
  ['/a//', '/a'],
  ['a', 'a'],
])('%j without the slashes at its end is %j', (text, trimmed) => {
  expect(trimEndOf(text, (character) => character === '/')).toBe(trimmed);
});

test.each([
  ['icid', 'iccid'],
  ['gatewayref', 'gatewayRef'],
  ['wheels', undefined],
  ['', undefined],
  ['x'.repeat(65), undefined],
])('by %j, %j is meant', (word, meant) => {
  expect(meantOf(word, ['iccid', 'gatewayRef'])).toBe(meant);
});
