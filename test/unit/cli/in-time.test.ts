import { expect, it } from 'vitest';
import { inTime } from '../../../src/cli/in-time.ts';

it('orders times to the microsecond, and leaves what is no time where it is', () => {
  const times = [
    '2026-11-22T11:50:00.001000Z',
    '2026-11-22T11:50:00.000012Z',
    '2026-11-22T11:50:00.0001Z',
    '2026-11-22T11:50:00Z',
    '2026-11-22T11:49:59.999999Z',
  ];
  expect(times.toSorted(inTime)).toEqual([
    '2026-11-22T11:49:59.999999Z',
    '2026-11-22T11:50:00Z',
    '2026-11-22T11:50:00.000012Z',
    '2026-11-22T11:50:00.0001Z',
    '2026-11-22T11:50:00.001000Z',
  ]);
  expect([undefined, 'soon', '2026-11-22T11:50:00Z'].toSorted(inTime)).toEqual([
    'soon',
    '2026-11-22T11:50:00Z',
    undefined,
  ]);
});
