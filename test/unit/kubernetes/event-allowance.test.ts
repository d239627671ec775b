import { describe, expect, it } from 'vitest';
import { createAllowance } from '../../../src/kubernetes/event-allowance.ts';
import { ManualClock } from '../../support/manual-clock.ts';

const MINUTE = 60_000;

/** What becomes of so many asked for at once, counted. */
function asked(take: (name: string) => string, name: string, times: number): Record<string, number> {
  const counts: Record<string, number> = {};
  for (let count = 0; count < times; count++) {
    const answer = take(name);
    counts[answer] = (counts[answer] ?? 0) + 1;
  }
  return counts;
}

describe('what is let through of very many', () => {
  it('is fifty at once, and six a minute from then on, each name for itself', async () => {
    const clock = new ManualClock();
    const take = createAllowance(clock);
    expect(asked(take, 'a', 60)).toEqual({ yes: 50, 'no, which is news': 1, no: 9 });
    expect(asked(take, 'b', 1)).toEqual({ yes: 1 });
    await clock.advance(MINUTE);
    expect(asked(take, 'a', 60)).toEqual({ yes: 6, no: 54 });
  });

  it('is fifty at once again after a while, and never more', async () => {
    const clock = new ManualClock();
    const take = createAllowance(clock);
    asked(take, 'a', 60);
    await clock.advance(24 * 60 * MINUTE);
    expect(asked(take, 'a', 60)).toEqual({ yes: 50, 'no, which is news': 1, no: 9 });
  });

  it('is news once in ten minutes where some are not', async () => {
    const clock = new ManualClock();
    const take = createAllowance(clock);
    const news: number[] = [];
    for (let minute = 0; minute < 30; minute++) {
      if (asked(take, 'a', 100)['no, which is news']) news.push(minute);
      await clock.advance(MINUTE);
    }
    expect(news).toEqual([0, 10, 20]);
  });

  it('counts on for those that are at their limit while names come and go', () => {
    const take = createAllowance(new ManualClock());
    asked(take, 'a', 50);
    for (let count = 0; count < 3000; count++) take(`namespace-${count}`);
    expect(asked(take, 'a', 1)).toEqual({ 'no, which is news': 1 });
  });

  it('costs about the same however many names there are', () => {
    const clock = new ManualClock();
    /** Microseconds of the processor each. */
    function cost(names: number): number {
      const take = createAllowance(clock);
      const before = process.cpuUsage();
      for (let name = 0; name < names; name++) take(`namespace-${name}`);
      const { user, system } = process.cpuUsage(before);
      return (user + system) / names;
    }
    cost(12_000);
    expect(cost(12_000)).toBeLessThan(20);
  });
});
