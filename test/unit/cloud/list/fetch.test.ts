import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fetchList, fetchWhole } from '../../../../src/cloud/list/fetch.ts';
import type { Page } from '../../../../src/cloud/list/page.ts';

interface Item {
  readonly id: string;
}
const idOf = ({ id }: Item) => id;
const items = (from: number, to: number): Item[] =>
  Array.from({ length: Math.max(0, to - from) }, (_, index) => ({ id: `${from + index}` }));

/** A service that holds so many and shows `page` at a time, with a Total or without. */
function serviceOf(options: { holds: number; page: number; total?: (from: number) => number | undefined }) {
  let asked = 0;
  return {
    asked: () => asked,
    fetchPage: async (from: number): Promise<Page<Item>> => {
      asked++;
      const shown = items(from, Math.min(options.holds, from + options.page));
      return { from, count: shown.length, total: options.total?.(from), items: shown };
    },
  };
}
const taken = async (service: ReturnType<typeof serviceOf>, unpaged = false) => {
  const { items: found, complete } = await fetchList({ fetchPage: service.fetchPage, idOf, unpaged });
  return [found.size, complete, service.asked()];
};

describe('a list without Total', () => {
  test('goes on until asking on shows nothing more: a page of 100 of 250 is not all', async () => {
    expect(await taken(serviceOf({ holds: 250, page: 100 }))).toEqual([250, true, 4]);
  });

  test.each([0, 1, 100])('of %d is asked for twice', async (holds) => {
    expect(await taken(serviceOf({ holds, page: 100 }))).toEqual([holds, true, 2]);
  });

  test('that comes in one answer is never complete', async () => {
    expect(await taken(serviceOf({ holds: 3, page: 100 }), true)).toEqual([3, false, 1]);
  });
});

describe('a list whose Total is wrong', () => {
  test('because it holds more than it says is taken again, and then is incomplete', async () => {
    expect(await taken(serviceOf({ holds: 5, page: 100, total: () => 0 }))).toEqual([5, false, 3]);
  });

  test('because it counts more than it holds is incomplete', async () => {
    expect(await taken(serviceOf({ holds: 5, page: 100, total: () => 9 }))).toEqual([5, false, 2]);
  });

  test('on the page alone is incomplete', async () => {
    const fetchPage = async () => ({ from: 0, count: 1, total: 1, items: items(0, 1), isShort: true });
    expect((await fetchList({ fetchPage, idOf })).complete).toBe(false);
  });
});

describe('a list that grows with every page', () => {
  test('is given up after a hundred thousand items', async () => {
    const service = serviceOf({ holds: 1e9, page: 1000, total: (from) => from + 5000 });
    await expect(taken(service)).rejects.toMatchObject({
      class: 'UnexpectedResponse',
      message: expect.stringContaining('says that there are more; no more are asked for'),
    });
    expect(service.asked()).toBeLessThan(110);
  });

  test('is given up after a thousand pages, however small', async () => {
    const service = serviceOf({ holds: 1e9, page: 1, total: (from) => from + 5 });
    await expect(taken(service)).rejects.toMatchObject({ class: 'UnexpectedResponse' });
    expect(service.asked()).toBe(1000);
  });
});

test('what is of use only as a whole is refused when it is not', async () => {
  const whole = (total: number) =>
    fetchWhole({ ...serviceOf({ holds: 3, page: 2, total: () => total }), idOf, route: 'GET /appliance' });
  expect(await whole(3)).toEqual(items(0, 3));
  await expect(whole(4)).rejects.toMatchObject({
    class: 'UnexpectedResponse',
    message: 'GET /appliance: the pages of the list do not add up to as many as it says there are',
  });
});

test('whatever the pages and the Total are, a list that is complete has all there is', async () => {
  const service = fc.record({
    holds: fc.integer({ min: 0, max: 60 }),
    page: fc.integer({ min: 1, max: 20 }),
    total: fc.oneof(fc.constant('right'), fc.constant('none'), fc.integer({ min: 0, max: 80 })),
  });
  await fc.assert(
    fc.asyncProperty(service, async ({ holds, page, total }) => {
      const says = total === 'right' ? holds : total === 'none' ? undefined : total;
      const { items: found, complete } = await fetchList({
        ...serviceOf({ holds, page, total: () => says }),
        idOf,
      });
      const isRight = says === undefined || says === holds;
      expect(!complete || found.size === holds || found.size === says).toBe(true);
      expect(complete && found.size === holds).toBe(isRight);
    }),
    { numRuns: 300 },
  );
});
