import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { createUnderWay, type Taken, type UnderWayLimits } from '../../../src/kubernetes/under-way.ts';

const limits: UnderWayLimits = { ofGroup: 4, inAll: 32, spare: 16 };

function play() {
  const underWay = createUnderWay(limits);
  const taken: Taken[] = [];
  return {
    taken,
    isScarce: underWay.isScarce,
    isModest: underWay.isModest,
    /** Whether it got a place. */
    take(group: string, party: string, rank = 0): boolean {
      if (!underWay.mayGo(group, party, rank) || !underWay.isSpared(group, party)) return false;
      expect(underWay.mayHaveSpare(party, true) || !underWay.isFull()).toBe(true);
      taken.push(underWay.take(group, party, rank));
      return true;
    },
    giveBack(index: number): void {
      const [one] = taken.splice(index, 1);
      if (one) underWay.giveBack(one);
    },
    count: (party: string) => taken.filter((one) => one.party === party).length,
  };
}

type Play = ReturnType<typeof play>;

/** Takes all that a party can have in so many groups. */
function takeAll(on: Play, party: string, groups: number): number {
  const before = on.count(party);
  for (let group = 0; group < groups; group++) while (on.take(`${party}/${group}`, party));
  return on.count(party) - before;
}

test('a party alone has all places, and one for each of its groups that has none', () => {
  const on = play();
  expect(takeAll(on, 'big', 8)).toBe(limits.inAll);
  expect(takeAll(on, 'big', 12)).toBe(4);
  expect(takeAll(on, 'big', 100)).toBe(12);
});

test('a party that comes when another has taken all gets an equal part of those that are spared, whatever its groups', () => {
  const on = play();
  takeAll(on, 'big', 1000);
  expect(takeAll(on, 'small', 1)).toBe(limits.ofGroup);
  expect(takeAll(on, 'small', 5)).toBe(limits.spare / 2 - limits.ofGroup);
  // One for each of two groups more: the party has its part of these places.
  expect(takeAll(on, 'small', 100)).toBe(0);
});

test('a party that has none gets a place in any case', () => {
  const on = play();
  for (let party = 0; party < 200; party++) expect(on.take(`group of ${party}`, `party ${party}`)).toBe(true);
});

test('where places are scarce, modest is who has less than an equal part of all', () => {
  const on = play();
  takeAll(on, 'big', 4);
  expect(on.isScarce()).toBe(false);
  on.take('small/0', 'small');
  expect([on.isScarce(), on.isModest('big'), on.isModest('small')]).toEqual([true, false, true]);
});

test('whatever is taken and given back, no bound is exceeded, and nothing counts that is over', () => {
  const name = fc.nat(5).map(String);
  const step = fc.oneof(
    { weight: 3, arbitrary: fc.record({ party: name, group: name, rank: fc.nat(1), times: fc.nat(8) }) },
    { weight: 1, arbitrary: fc.record({ back: fc.nat(100) }) },
  );
  fc.assert(
    fc.property(fc.array(step, { maxLength: 100 }), (steps) => {
      const on = play();
      for (const now of steps) {
        if ('back' in now) on.giveBack(now.back);
        else {
          const { party, group, rank, times } = now;
          for (let time = 0; time < times; time++) on.take(`${party}/${group}`, party, rank);
        }
        const shares = [...Map.groupBy(on.taken, (one) => one.share).values()].map((all) => all.length);
        expect(Math.max(0, ...shares)).toBeLessThanOrEqual(limits.ofGroup);
        const parties = new Set(on.taken.map((one) => one.party)).size;
        expect(on.taken.length).toBeLessThanOrEqual(limits.inAll + 2 * limits.spare + parties);
      }
      while (on.taken.length > 0) on.giveBack(0);
      expect(takeAll(on, 'alone', 8)).toBe(limits.inAll);
    }),
  );
});
