import { beforeEach, expect, test } from 'vitest';
import { createTries, type Tries } from '../../../../src/kinds/cloud-account/tries.ts';
import { ManualClock } from '../../../support/manual-clock.ts';

const many = Array.from({ length: 20 }, (_, number) => `account ${number}`);

let clock: ManualClock;
let tries: Tries;
beforeEach(() => {
  clock = new ManualClock();
  tries = createTries(clock);
});

/** How long each has to wait, in seconds; who need not is refused. */
const waits = (accounts: readonly string[]) =>
  accounts.map((account) => {
    const wait = tries.wait(account);
    if (wait === 0) tries.refused();
    return wait / 1000;
  });

test('six may try in a minute, and the others are told their turn', () => {
  expect(waits(many)).toEqual([...Array(6).fill(0), ...Array(6).fill(60), ...Array(6).fill(120), 180, 180]);
});

test('who comes again and again keeps its place, and takes nobody else the turn', async () => {
  waits(many.slice(0, 8));
  await clock.advance(59_000);
  expect(waits(['newcomer', ...many.slice(0, 8)])).toEqual([1, 1, 1, 1, 61, 61, 61, 1, 1]);
});

test('who does not come when it is its turn is left out', async () => {
  waits(many);
  await clock.advance(60_000 + 120_000 + 31_000);
  expect(waits(['newcomer'])).toEqual([0]);
});

test('a try that was not refused does not count', () => {
  for (const account of many) expect(tries.wait(account)).toBe(0);
  expect(waits(['newcomer'])).toEqual([0]);
});
