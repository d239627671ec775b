import { expect, it } from 'vitest';
import { createEarlier } from '../../../src/operator/earlier.ts';

it.each([
  { what: 'nobody acted in a cluster without Leases', size: 0, elector: { hadHolder: () => false }, until: undefined },
  { what: 'nor where none is elected', size: 0, elector: undefined, until: undefined },
  { what: 'somebody held a namespace', size: 1, elector: undefined, until: 7 },
  { what: 'somebody was elected', size: 0, elector: { hadHolder: () => true }, until: 7 },
])('earlier processes acted until this one does: $what', ({ size, elector, until }) => {
  const earlier = createEarlier({ holders: { size }, elector, clock: { monotonic: () => 7 } });
  expect(earlier.actedUntil('web')).toBeUndefined();
  earlier.end();
  expect(earlier.actedUntil('web')).toBe(until);
});

it('another installation acted in a namespace until it was taken from it, and in no other', () => {
  const clock = { now: 7, monotonic: () => clock.now };
  const earlier = createEarlier({ holders: { size: 1 }, elector: undefined, clock });
  earlier.end();
  clock.now = 9;
  earlier.tookOver('web');
  expect([earlier.actedUntil('web'), earlier.actedUntil('shop')]).toEqual([9, 7]);
});
