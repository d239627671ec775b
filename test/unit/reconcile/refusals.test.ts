import { expect, test } from 'vitest';
import { createRefusals } from '../../../src/reconcile/refusals.ts';

const HOUR = 3_600_000;
/** Refused once more than what is tried at once. */
const AGAIN = 3;

const site = (number: number, party = 'fleet', identity = 'account') => ({
  identity,
  party,
  uid: `${party}-${number}`,
  limit: 500,
});

/** After how many seconds it is tried again, when so many others are refused, by how often in a row. */
function delays(others: number, times: readonly number[]): number[] {
  const refusals = createRefusals();
  for (let one = 1; one <= others; one++) refusals.delay(site(one), AGAIN, 0);
  return times.map((count) => refusals.delay(site(0), count, 0) / 1000);
}

test.each([
  ['one', 0, [1, 2, 36, 36, 256, 300, 300]],
  ['a hundred', 99, [1, 2, 3600, 3600, 3600, 3600, 3600]],
])(
  'of %s that are refused each is tried at once at first, and all take a fifth of the hour later',
  (_, others, expected) => {
    expect(delays(others, [1, 2, 3, 4, 9, 10, 100])).toEqual(expected);
  },
);

test.each<[string, (refusals: ReturnType<typeof createRefusals>, one: number) => unknown, number, number]>([
  ['are of another account', (refusals, one) => refusals.delay(site(one, 'fleet', 'other'), AGAIN, 0), 0, 36],
  ['were refused once', (refusals, one) => refusals.delay(site(one), 1, 0), 0, 36],
  ['were to be tried again, and were taken', (refusals, one) => refusals.delay(site(one), AGAIN, 0), 3 * HOUR, 36],
  [
    'are of another namespace, which has its own part',
    (refusals, one) => refusals.delay(site(one, 'other'), AGAIN, 0),
    0,
    72,
  ],
])('those do not count that %s', (_, refuse, now, expected) => {
  const refusals = createRefusals();
  for (let one = 1; one <= 100; one++) refuse(refusals, one);
  expect(refusals.delay(site(0), AGAIN, now) / 1000).toBe(expected);
});

test('what is taken does not count any more', () => {
  const refusals = createRefusals();
  for (let one = 1; one <= 100; one++) refusals.delay(site(one), AGAIN, 0);
  for (let one = 1; one <= 100; one++) refusals.taken(site(one).uid);
  expect(refusals.delay(site(0), AGAIN, 0) / 1000).toBe(36);
});
