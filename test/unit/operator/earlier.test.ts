import { expect, it } from 'vitest';
import { createEarlier } from '../../../src/operator/earlier.ts';

it.each([
  { what: 'nobody acted in a cluster without Leases', size: 0, elector: { hadHolder: () => false }, until: undefined },
  { what: 'nor where none is elected', size: 0, elector: undefined, until: undefined },
  { what: 'somebody held a namespace', size: 1, elector: undefined, until: 7 },
  { what: 'somebody was elected', size: 0, elector: { hadHolder: () => true }, until: 7 },
])('earlier processes acted until this one does: $what', ({ size, elector, until }) => {
  const earlier = createEarlier({ holders: { size }, elector, clock: { monotonic: () => 7 } });
  expect(earlier.actedUntil()).toBeUndefined();
  earlier.end();
  expect(earlier.actedUntil()).toBe(until);
});
