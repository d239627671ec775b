import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Operator } from '../../../src/operator/start.ts';
import { compareReal, type RealComparison } from '../../simulation/planned/real.ts';
import { startTestOperator } from '../../support/operator.ts';

/** `STATES=1-200` compares more of them, and says each that differs as it comes. */
const { STATES } = process.env;
const [from = 1, to = from] = (STATES ?? '1-4').split('-').map(Number);
/** How many states are under way at a time: most of the time of each is waiting. */
const AT_ONCE = 6;

let operator: Operator;
beforeAll(async () => {
  // Nothing changes behind its back, so it need not look often.
  operator = await startTestOperator({ simPollSeconds: 2, sitePollSeconds: 5 });
});
afterAll(() => operator.stop());

/** What differs in a state: nothing, or both sides whole. */
function differences({ planned, sent, refusals, undecided }: RealComparison): object | undefined {
  const isSame = planned.join() === sent.join() || undecided.length > 0;
  return isSame && refusals.planned.join() === refusals.met.join() ? undefined : { planned, sent, refusals };
}

it(`what the operator sends to the service after an apply is what was planned, in ${to - from + 1} random states`, {
  timeout: 3_600_000,
}, async () => {
  const seeds = Array.from({ length: to - from + 1 }, (_, index) => from + index);
  const different: object[] = [];
  const counts = { states: 0, calls: 0, undecided: 0, undecidedButSame: 0 };
  const one = async (): Promise<void> => {
    for (let seed = seeds.shift(); seed !== undefined; seed = seeds.shift()) {
      const comparison = await compareReal(seed, String(100 + (seed % 900)));
      const { planned, sent, undecided } = comparison;
      counts.states++;
      counts.calls += sent.length;
      counts.undecided += Number(undecided.length > 0);
      counts.undecidedButSame += Number(undecided.length > 0 && planned.join() === sent.join());
      const differs = differences(comparison);
      if (differs) different.push({ seed, ...differs });
      // oxlint-disable-next-line no-console -- for whoever waits for many
      if (STATES) console.log(JSON.stringify({ seed, ...counts, ...differs }));
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, one));
  expect(different).toEqual([]);
  expect(counts.calls).toBeGreaterThan(0);
});
