import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { createTally } from '../../../../src/cloud/limiter/tally.ts';

test('counts for each party what is no older than the length, whoever else has had how much', () => {
  const moment = fc.record({ after: fc.nat(30), party: fc.constantFrom('a', 'b', 'c') });
  fc.assert(
    fc.property(fc.array(moment, { maxLength: 60 }), fc.nat(60), (moments, later) => {
      const tally = createTally(50);
      const added: { party: string; at: number }[] = [];
      let now = 0;
      const expectCounts = () => {
        for (const party of ['a', 'b', 'c', 'd']) {
          const count = added.filter((one) => one.party === party && one.at + 50 >= now).length;
          expect(tally.of(party, now)).toBe(count);
        }
      };
      for (const { after, party } of moments) {
        now += after;
        tally.add(party, now);
        added.push({ party, at: now });
        expectCounts();
      }
      now += later;
      expectCounts();
    }),
  );
});
