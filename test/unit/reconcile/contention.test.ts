import { describe, expect, it } from 'vitest';
import { holdContested, waitBeforeCorrection } from '../../../src/reconcile/contention.ts';

const MINUTE = 60_000;
const times = (count: number) => Array.from({ length: count }, (_, n) => n);

describe('drift', () => {
  it.each([
    [0, 0],
    [4, 0],
    [5, 1],
    [6, 2],
    [7, 4],
    [10, 32],
    [11, 60],
    [1000, 60],
  ])('put right %i times at once is put right again after %i minutes', (count, minutes) => {
    const last = Math.max(0, count - 1);
    expect(waitBeforeCorrection(times(count), last)).toBe(minutes * MINUTE);
    expect(waitBeforeCorrection(times(count), last + minutes * MINUTE)).toBe(0);
  });

  it('of an hour ago counts no more', () => {
    expect(waitBeforeCorrection([0, 1, 2, 3, 4], 60 * MINUTE)).toBe(0);
  });

  it('that somebody fights over is told with the fields and the time', () => {
    expect(holdContested(['activated', 'carriers'], 7, 4 * MINUTE, 0)).toEqual({
      state: 'Waiting',
      reason: 'Contested',
      message:
        'Something else keeps changing activated, carriers: they were corrected 7 times within an hour. The next time is at 1970-01-01T00:04:00Z. Find out who else writes there, such as another installation or a script, or take it out of the spec.',
      retryAfterSeconds: 240,
    });
  });
});
