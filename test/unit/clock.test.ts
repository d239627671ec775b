import { expect, test } from 'vitest';
import { systemClock } from '../../src/clock.ts';

test.each([2 ** 31, Number.POSITIVE_INFINITY])(
  'a time of %d ms, which no timer can count, does not end at once',
  async (milliseconds) => {
    const stop = new AbortController();
    const ended: string[] = [];
    const cancel = systemClock.after(milliseconds, () => ended.push('after'));
    const slept = systemClock.sleep(milliseconds, stop.signal).then(
      () => ended.push('sleep'),
      () => undefined,
    );
    await systemClock.sleep(50);
    cancel();
    stop.abort();
    await slept;
    expect(ended).toEqual([]);
  },
);
