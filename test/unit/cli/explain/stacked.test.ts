import { expect, it } from 'vitest';
import { comparisonLines } from '../../../../src/cli/explain/stacked.ts';

const columns = ['FIELD', 'SPEC', 'WRITTEN', ''];
const rows = [
  ['activated', 'true', 'true', 'written'],
  ['cors', 'https://a.example.jp', 'https://b.example.jp', { text: 'to be changed', paint: 'yellow' as const }],
];

it('values stand side by side where they fit', () => {
  expect(comparisonLines(columns, rows, { columns: 70, colours: false })).toEqual([
    'FIELD      SPEC                  WRITTEN',
    'activated  true                  true                  written',
    'cors       https://a.example.jp  https://b.example.jp  to be changed',
  ]);
});

it('values stand below each other where they do not, and none is cut', () => {
  expect(comparisonLines(columns, rows, { columns: 40, colours: false })).toEqual([
    'activated: written',
    '  spec     true',
    'cors: to be changed',
    '  spec     https://a.example.jp',
    '  written  https://b.example.jp',
  ]);
});
