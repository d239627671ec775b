import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { cloudDate, simDate } from '../../../src/simulator/dates.ts';

it('writes dates as toISOString does', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: Date.UTC(9000, 0, 1) }), (at) => {
      expect([simDate(at), cloudDate(at)]).toEqual([
        `${new Date(at).toISOString().slice(0, 19)}+00:00`,
        `${new Date(at + 9 * 3_600_000).toISOString().slice(0, 19)}+09:00`,
      ]);
    }),
    { numRuns: 2_000 },
  );
});
