import { expect, test } from 'vitest';
import { createRefusals } from '../../../src/reconcile/refusals.ts';

const HOUR = 3_600_000;
/** Requests an hour. */
const LIMIT = 500;

/** After how many seconds it is tried again, when so many of the account are refused, by how often in a row. */
function delays(many: number, times: readonly number[]): number[] {
  const refusals = createRefusals();
  for (let one = 1; one < many; one++) refusals.note('account', `site-${one}`, 0, LIMIT);
  const delay = refusals.note('account', 'site', 0, LIMIT);
  return times.map((count) => delay(count) / 1000);
}

test.each([
  ['one', 1, [1, 2, 36, 36, 256, 300, 300]],
  ['a hundred', 100, [1, 2, 3600, 3600, 3600, 3600, 3600]],
])(
  'of %s that are refused each is tried at once at first, and all take a fifth of the hour later',
  (_, many, expected) => {
    expect(delays(many, [1, 2, 3, 4, 9, 10, 100])).toEqual(expected);
  },
);

test('other accounts, and what was refused hours ago, do not count', () => {
  const refusals = createRefusals();
  for (let one = 0; one < 100; one++) {
    refusals.note('other', `site-${one}`, 3 * HOUR, LIMIT);
    refusals.note('account', `site-${one}`, 0, LIMIT);
  }
  expect(refusals.note('account', 'site', 3 * HOUR, LIMIT)(3)).toBe(36_000);
});
