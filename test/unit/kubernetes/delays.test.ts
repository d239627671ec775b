import { expect, test } from 'vitest';
import { createDelays } from '../../../src/kubernetes/delays.ts';
import { ManualClock } from '../../support/manual-clock.ts';

function play() {
  const clock = new ManualClock();
  const released: string[] = [];
  const delays = createDelays<string>(clock, (item, rank) => released.push(`${item} ${rank} ${clock.monotonic()}`));
  const start = clock.monotonic();
  return { clock, delays, released: () => released.splice(0), after: (milliseconds: number) => start + milliseconds };
}

test('of several times of one item the earliest holds, and of several ranks the lowest', async () => {
  const { clock, delays, released, after } = play();
  delays.put('a', after(500), 3);
  delays.put('a', after(300), 4);
  delays.put('a', after(900), 1);
  delays.put('b', after(300), 2);
  delays.put('gone', after(400), 0);
  delays.drop('gone');
  expect([delays.has('a'), delays.has('gone')]).toEqual([true, false]);
  await clock.advance(1000);
  expect(released()).toEqual([`a 1 ${after(300)}`, `b 2 ${after(300)}`]);
  expect([delays.has('a'), delays.size]).toEqual([false, 0]);
});

test('an item that is put off again and again takes no more room than another', async () => {
  const { clock, delays, released, after } = play();
  const all = Array.from({ length: 200 }, (_, index) => `item ${String(index).padStart(3, '0')}`);
  for (let round = 0; round < 100; round++) {
    for (const item of all) {
      delays.drop(item);
      delays.put(item, after(600_000 + round), 5);
    }
  }
  expect(delays.size).toBeLessThanOrEqual(2 * all.length + 1000);
  await clock.advance(700_000);
  expect(released()).toEqual(all.map((item) => `${item} 5 ${after(600_099)}`));
});

test('nothing comes once it is stopped', async () => {
  const { clock, delays, released, after } = play();
  delays.put('a', after(100), 0);
  delays.stop();
  delays.put('b', after(200), 0);
  await clock.advance(1000);
  expect(released()).toEqual([]);
});
