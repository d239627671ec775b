import { expect, test } from 'vitest';
import { createLooks } from '../../../src/reconcile/looks.ts';
import { ManualClock } from '../../support/manual-clock.ts';

test('three looks may follow each other, and then there is one a minute, for each object', async () => {
  const clock = new ManualClock();
  const looks = createLooks(clock);
  const at: number[] = [];
  for (let second = 0; second < 600; second++) {
    if (looks.wait('a') === 0) {
      looks.took('a');
      at.push(second);
    }
    await clock.advance(1000);
  }
  expect(at).toEqual([0, 1, 2, 180, 181, 182, 360, 361, 362, 540, 541, 542]);
  expect([looks.wait('a'), looks.wait('b')]).toEqual([120_000, 0]);
  looks.drop('a');
  expect(looks.wait('a')).toBe(0);
});
