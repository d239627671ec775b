import { expect, it } from 'vitest';
import { CANARY } from '../../simulation/life/draw/vocabulary.ts';
import { comparePlans, linesOf } from '../../simulation/planned/compare.ts';

const SEEDS = 15;
/** Plans in the cluster of each. */
const TIMES = 3;
/** They differed once: each is a fault that was mended. */
const MENDED = [79, 171, 372, 773, 959, 1007, 1102, 1220, 1247, 1410, 1526, 5515];

it('what follows an apply is what was planned, call by call and field by field, in random clusters', async () => {
  for (const seed of [...Array.from({ length: SEEDS }, (_, index) => index + 1), ...MENDED]) {
    let time = 0;
    for await (const { plan, planned, sent, others, isUndecided } of comparePlans(seed)) {
      time++;
      expect(JSON.stringify(plan)).not.toContain(CANARY);
      // What a resource does about two things that do not bear on each other may come in either order.
      const compared = { calls: linesOf(planned).toSorted(), others: [] };
      const sentToo = { seed, time, calls: linesOf(sent).toSorted(), others };
      if (!isUndecided) expect({ seed, time, ...compared }).toEqual(sentToo);
      if (time === TIMES) break;
    }
  }
}, 600_000);
