import { expect, it } from 'vitest';
import { backoffDelay, jittered } from '../../src/backoff.ts';

it.each([
  [100, 0, 1000, 100],
  [100, 1, 1000, 200],
  [100, 3, 1000, 800],
  [100, 4, 1000, 1000],
  [100, 5000, 1000, 1000],
  [100, 5000, undefined, 100 * 2 ** 30],
])('a delay of %i is, after %i failures and of at most %s, %i', (first, failures, longest, expected) => {
  expect(backoffDelay(first, failures, longest)).toBe(expected);
});

it('half of a delay is left to chance', () => {
  expect([0, 0.5, 1].map((chance) => jittered(100, () => chance))).toEqual([50, 75, 100]);
  expect([0, 0.5, 1].map((chance) => jittered(100, () => chance, 1.5))).toEqual([50, 100, 150]);
});
