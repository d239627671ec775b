import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createListInformer, type ListInformerOptions } from '../../../../src/cloud/list/informer.ts';
import { createListMemory } from '../../../../src/cloud/list/memory.ts';
import type { ListChange } from '../../../../src/cloud/list/snapshot.ts';
import { ManualClock, settle } from '../../../support/manual-clock.ts';

interface Item {
  readonly id: string;
  readonly value: number;
}

/**
 * An informer over a service held in `items`, whose pages wait `turn` milliseconds for their turn, then take `latency`, and
 * `reading` to be read.
 */
function informerOf(
  options: Partial<ListInformerOptions<Item>> & { latency?: number; turn?: number; reading?: number } = {},
) {
  const clock = new ManualClock();
  const service = {
    items: new Map<string, number>(),
    failing: undefined as Error | undefined,
    before: (_from: number) => {},
  };
  const pages: string[] = [];
  const changes: string[] = [];
  const informer = createListInformer<Item>({
    async fetchPage(from, count, { lane, turn, signal, onSent, onAnswer }) {
      if (options.turn !== undefined) await clock.sleep(options.turn, signal);
      pages.push(`${lane} ${turn ? `for what is ${turn.urgency} ` : ''}${from}@${clock.monotonic()}`);
      onSent?.();
      if (options.latency !== undefined) await clock.sleep(options.latency, signal);
      if (service.failing) throw service.failing;
      service.before(from);
      const all = Array.from(service.items, ([id, value]) => ({ id, value }));
      const items = all.slice(from, from + count);
      onAnswer?.(0);
      if (options.reading !== undefined) await clock.sleep(options.reading, signal);
      return { from, count: items.length, total: all.length, items };
    },
    idOf: (item) => item.id,
    equal: (a, b) => a.value === b.value,
    clock,
    random: () => 0.5,
    intervalSeconds: 60,
    pageSize: 3,
    ...options,
  });
  const describeChange = (change: ListChange<Item>) =>
    `${change.id}: ${change.old?.value ?? '-'} > ${change.new?.value ?? '-'}`;
  informer.onChange((change) => changes.push(describeChange(change)));
  const take = <T>(list: T[]): T[] => list.splice(0);
  return { clock, service, informer, pages: () => take(pages), changes: () => take(changes) };
}

describe('polling', () => {
  test('comes no sooner than it may, however often it is due, and as soon as it may once that is changed', async () => {
    let least = 300;
    const { clock, informer, pages } = informerOf({ leastSeconds: () => least });
    informer.start();
    await clock.advance(650_000);
    least = 0;
    await clock.advance(120_000);
    expect(pages()).toEqual(['list 0@0', 'list 0@300000', 'list 0@600000', 'list 0@660000', 'list 0@720000']);
  });

  test('comes when it may though a look that somebody pays for waits for its turn', async () => {
    const options = { leastSeconds: () => 300, turn: 0 };
    const { clock, informer, pages } = informerOf(options);
    informer.start();
    await clock.advance(10_000);
    options.turn = 10_000_000;
    void informer.observeAfter(clock.monotonic(), undefined, undefined, 'fleet', 'list').catch(() => undefined);
    await clock.advance(200_000);
    options.turn = 0;
    await clock.advance(400_000);
    expect(pages()).toEqual(['list 0@0', 'list 0@310001']);
  });

  test('comes as soon as ever after a list that failed', async () => {
    const { clock, informer, service, pages } = informerOf({ leastSeconds: () => 300 });
    informer.start();
    service.failing = new Error('away');
    await clock.advance(320_000);
    service.failing = undefined;
    await clock.advance(300_000);
    expect(pages()).toEqual(['list 0@0', 'list 0@300000', 'list 0@305000', 'list 0@315000', 'list 0@335000']);
  });

  test('lists page by page, at once and then in the interval, and tells what changed', async () => {
    const { clock, service, informer, pages, changes } = informerOf();
    service.items = new Map([
      ['a', 1],
      ['b', 1],
      ['c', 1],
    ]);
    expect(informer.snapshot()).toBeUndefined();
    informer.start();
    informer.start();
    await settle();
    expect(informer.snapshot()).toEqual({
      startedAt: 0,
      complete: true,
      items: new Map(['a', 'b', 'c'].map((id) => [id, { id, value: 1 }])),
    });
    expect(changes()).toEqual(['a: - > 1', 'b: - > 1', 'c: - > 1']);

    service.items = new Map([
      ['a', 1],
      ['b', 2],
      ['d', 1],
    ]);
    await clock.advance(60_000);
    expect(changes()).toEqual(['b: 1 > 2', 'd: - > 1', 'c: 1 > -']);
    expect(pages()).toEqual(['list 0@0', 'list 0@60000']);

    informer.stop();
    await clock.advance(600_000);
    expect(pages()).toEqual([]);
  });

  test('each page begins with the last item of the one before', async () => {
    const { service, informer, pages } = informerOf();
    for (const id of 'abcdefg') service.items.set(id, 1);
    informer.start();
    await settle();
    expect([...informer.snapshot()!.items.keys()].join('')).toBe('abcdefg');
    expect(pages()).toEqual(['list 0@0', 'list 2@0', 'list 4@0']);
  });

  test('pages of one item work, too', async () => {
    const { service, informer } = informerOf({ pageSize: 1 });
    for (const id of 'abc') service.items.set(id, 1);
    informer.start();
    await settle();
    expect([...informer.snapshot()!.items.keys()].join('')).toBe('abc');
  });

  test.each([
    [0, 54_000],
    [1, 66_000],
  ])('the interval with randomness %d is %d ms', async (random, at) => {
    const { clock, informer, pages } = informerOf({ random: () => random });
    informer.start();
    await clock.advance(70_000);
    expect(pages()).toEqual(['list 0@0', `list 0@${at}`]);
  });

  test('an empty list is one page', async () => {
    const { informer, pages } = informerOf();
    informer.start();
    await settle();
    expect([informer.snapshot()?.complete, pages()]).toEqual([true, ['list 0@0']]);
  });

  test('a failed list is no deletion, is told, and is tried again sooner', async () => {
    const { clock, service, informer, pages, changes } = informerOf();
    service.items.set('a', 1);
    informer.start();
    await settle();
    const good = informer.snapshot();
    changes();
    service.failing = new Error('no');
    await clock.advance(60_000);
    expect([informer.snapshot(), informer.lastError(), changes()]).toEqual([good, new Error('no'), []]);
    await clock.advance(16_000);
    service.failing = undefined;
    await clock.advance(20_000);
    expect(informer.lastError()).toBeUndefined();
    expect(pages()).toEqual(['list 0@0', 'list 0@60000', 'list 0@65000', 'list 0@75000', 'list 0@95000']);
  });

  test("a listener's mistake stops neither the others nor the poll", async () => {
    const { clock, service, informer, changes } = informerOf();
    const heard: string[] = [];
    const end = informer.onChange(({ id }) => {
      heard.push(id);
      throw new Error('a mistake');
    });
    informer.onChange(({ id }) => heard.push(`${id} again`));
    service.items.set('a', 1);
    informer.start();
    await settle();
    expect(heard).toEqual(['a', 'a again']);
    expect(informer.lastError()).toEqual(new Error('a mistake'));
    end();
    service.items.set('b', 1);
    await clock.advance(60_000);
    expect([heard, changes()]).toEqual([
      ['a', 'a again', 'b again'],
      ['a: - > 1', 'b: - > 1'],
    ]);
  });
});

describe('lists that move while they are taken', () => {
  test('are taken again when something before the page went', async () => {
    const { service, informer, pages } = informerOf();
    for (const id of 'abcde') service.items.set(id, 1);
    let moved = false;
    service.before = (from) => {
      // Total stays the same; only the overlap shows that "d" would be missed.
      if (from !== 2 || moved) return;
      moved = service.items.delete('a');
      service.items.set('f', 1);
    };
    informer.start();
    await settle();
    expect(informer.snapshot()?.complete).toBe(true);
    expect([...informer.snapshot()!.items.keys()].join('')).toBe('bcdef');
    expect(pages()).toEqual(['list 0@0', 'list 2@0', 'list 0@0', 'list 2@0']);
  });

  test('are taken as they are while something is created at the end, again and again', async () => {
    const { service, informer, pages } = informerOf();
    for (const id of 'abcde') service.items.set(id, 1);
    let next = 0;
    service.before = (from) => {
      if (from > 0 && next < 3) service.items.set(`new${next++}`, 1);
    };
    informer.start();
    await settle();
    expect([informer.snapshot()?.complete, informer.snapshot()?.items.size]).toEqual([true, 7]);
    expect(pages()).toEqual(['list 0@0', 'list 2@0', 'list 4@0']);
  });

  test('that never hold still are taken as incomplete after three times, and delete nothing', async () => {
    const { clock, service, informer, pages, changes } = informerOf();
    for (const id of 'abcdefgh') service.items.set(id, 1);
    informer.start();
    await settle();
    changes();
    pages();
    service.before = (from) => {
      const [first] = service.items.keys();
      if (from === 2 && first !== undefined) service.items.delete(first);
    };
    await clock.advance(60_000);
    expect(informer.snapshot()?.complete).toBe(false);
    expect([changes(), pages().length]).toEqual([[], 6]);
    service.before = () => {};
    await clock.advance(60_000);
    expect(informer.snapshot()?.complete).toBe(true);
    expect(changes()).toEqual(['a: 1 > -', 'b: 1 > -', 'c: 1 > -']);
  });

  test('a service that shows less than it counts makes an incomplete list, taken once', async () => {
    let asked = 0;
    const { informer } = informerOf({
      fetchPage: async (from) => {
        asked++;
        const items = ['a', 'b', 'c'].map((id) => ({ id, value: 1 })).slice(from);
        return { from, count: items.length, total: 9, items };
      },
    });
    informer.start();
    await settle();
    expect([informer.snapshot()?.complete, informer.snapshot()?.items.size, asked]).toEqual([false, 3, 2]);
  });

  test('a list without paging is asked for once', async () => {
    const { informer, pages } = informerOf({
      unpaged: true,
      fetchPage: async () => ({ from: 0, count: 1, total: 5, items: [{ id: 'a', value: 1 }] }),
    });
    informer.start();
    await settle();
    expect(informer.snapshot()).toMatchObject({ complete: false, items: new Map([['a', { id: 'a', value: 1 }]]) });
    expect(pages()).toEqual([]);
  });
});

describe('a list that waits for its turn', () => {
  test('counts from when its first page was asked for: it shows what was written while it waited', async () => {
    const { clock, service, informer, pages } = informerOf({ turn: 3000, latency: 10, pageSize: 2 });
    service.items = new Map([
      ['a', 1],
      ['b', 1],
      ['c', 1],
    ]);
    const first = informer.observeAfter(-1);
    await clock.advance(2000);
    const second = informer.observeAfter(2000);
    await clock.advance(10_000);
    expect([(await first).startedAt, (await second).startedAt]).toEqual([3000, 3000]);
    expect(pages()).toEqual(['verify 0@3000', 'verify 1@6010']);
  });
});

describe('a list that work of different urgency waits for', () => {
  test('has the turn of the most pressing, and is asked for anew when that comes while it waits', async () => {
    const { clock, informer, pages } = informerOf({ turn: 1000 });
    void informer.observeAfter(-1, undefined, { urgency: 'creation', began: 1 });
    await clock.advance(500);
    void informer.observeAfter(-1, undefined, { urgency: 'creation', began: 2 });
    const urgent = informer.observeAfter(-1, undefined, { urgency: 'urgent', began: 3 });
    await clock.advance(1000);
    expect((await urgent).startedAt).toBe(1500);
    await clock.advance(10_000);
    expect(pages()).toEqual(['verify for what is urgent 0@1500']);
  });

  test('is not given up once it is under way', async () => {
    const { clock, informer, pages } = informerOf({ latency: 1000 });
    void informer.observeAfter(-1, undefined, { urgency: 'creation', began: 1 });
    await clock.advance(500);
    const urgent = informer.observeAfter(-1, undefined, { urgency: 'urgent', began: 3 });
    await clock.advance(5000);
    expect((await urgent).startedAt).toBe(0);
    expect(pages()).toEqual(['verify for what is creation 0@0']);
  });
});

describe('a list that somebody looks for something new in', () => {
  /** `blocked` does not get its turn. */
  function lookedFor(blocked: string, had: Readonly<Record<string, number>> = {}) {
    const clock = new ManualClock();
    const asked: string[] = [];
    const informer = createListInformer<Item>({
      async fetchPage(_from, _count, { lane, payer, party, signal, onSent }) {
        asked.push(
          `${lane} at the cost of ${payer ?? 'the account'} for ${party ?? 'all'} @${clock.monotonic() / 1000}`,
        );
        if (payer === blocked) await clock.sleep(1e9, signal);
        onSent?.();
        return { from: 0, count: 0, total: 0, items: [] };
      },
      idOf: ({ id }) => id,
      equal: () => true,
      clock,
      random: () => 0.5,
      intervalSeconds: 60,
      pageSize: 3,
      had: (party) => had[party] ?? 0,
    });
    const ask = (party: string, lane: 'list' | 'verify' = 'list', signal?: AbortSignal) =>
      informer.observeAfter(clock.monotonic() - 1, signal, { urgency: 'creation', began: 1 }, party, lane);
    return { clock, informer, ask, asked: () => asked.splice(0) };
  }

  test('is at its cost in the turns, and nobody’s work', async () => {
    const { ask, asked } = lookedFor('nobody');
    await ask('a');
    expect(asked()).toEqual(['list at the cost of a for all @0']);
  });

  test('is taken as a poll when that is due, where who looks does not get a turn', async () => {
    const { clock, informer, ask, asked } = lookedFor('evil');
    informer.start();
    await clock.advance(10_000);
    const seen = ask('evil');
    await clock.advance(60_000);
    expect((await seen).startedAt).toBe(60_000);
    expect(asked()).toEqual([
      'list at the cost of the account for all @0',
      'list at the cost of evil for all @10',
      'list at the cost of the account for all @60',
    ]);
  });

  test('is taken as a poll when that is due, also where who looked has left', async () => {
    const { clock, informer, ask, asked } = lookedFor('evil');
    informer.start();
    await clock.advance(10_000);
    const stop = new AbortController();
    const seen = ask('evil', 'list', stop.signal).catch(() => undefined);
    stop.abort(new Error('deleted'));
    await seen;
    await clock.advance(60_000);
    expect(asked().at(-1)).toBe('list at the cost of the account for all @60');
  });

  test('has who had less pay for it, or goes in a higher lane, as soon as such a one waits, too', async () => {
    const { clock, ask, asked } = lookedFor('evil', { evil: 9, victim: 3, other: 5 });
    const evil = ask('evil');
    await clock.advance(1000);
    const other = ask('evil', 'verify');
    await clock.advance(1000);
    const victim = ask('victim');
    await Promise.all([evil, other, victim]);
    expect(asked()).toEqual([
      'list at the cost of evil for all @0',
      'verify at the cost of evil for all @1',
      'verify at the cost of victim for all @2',
    ]);
  });

  test('leaves a poll that waits for its turn in its place', async () => {
    const { clock, informer, pages } = informerOf({ turn: 5000 });
    informer.start();
    await clock.advance(1000);
    void informer.observeAfter(0, undefined, { urgency: 'creation', began: 1 }, 'a', 'list');
    await clock.advance(10_000);
    expect(pages()).toEqual(['list 0@5000']);
  });
});

describe('a list that is polled only later', () => {
  test('is taken for who asks for it, and polled an interval after the last one', async () => {
    const { clock, service, informer, pages } = informerOf();
    service.failing = new Error('no such zone');
    await expect(informer.observeAfter(-1)).rejects.toBe(service.failing);
    await clock.advance(3_600_000);
    service.failing = undefined;
    await informer.observeAfter(clock.monotonic() - 1);
    informer.start();
    await clock.advance(60_000);
    expect(pages()).toEqual(['verify 0@0', 'verify 0@3600000', 'list 0@3660000']);
  });
});

describe('observeAfter', () => {
  test('gives the snapshot there is when it began after the moment', async () => {
    const { clock, informer, pages } = informerOf();
    await clock.advance(10);
    informer.start();
    await settle();
    expect(await informer.observeAfter(9)).toBe(informer.snapshot());
    expect(pages()).toEqual(['list 0@10']);
  });

  test('otherwise lists once for all who wait, in the lane of verifying reads', async () => {
    const { clock, informer, pages } = informerOf({ latency: 100 });
    await clock.advance(10);
    const started = [0, 3, 9].map((moment) => informer.observeAfter(moment));
    await clock.advance(200);
    expect((await Promise.all(started)).map((snapshot) => snapshot.startedAt)).toEqual([10, 10, 10]);
    expect(pages()).toEqual(['verify 0@10']);
  });

  test('a moment that is now waits for the next millisecond', async () => {
    const { clock, informer } = informerOf();
    const observed = informer.observeAfter(0);
    await clock.advance(5);
    expect((await observed).startedAt).toBe(1);
  });

  test('while a list runs, all who come share the next one', async () => {
    const { clock, informer, pages } = informerOf({ latency: 100 });
    await clock.advance(10);
    const first = informer.observeAfter(0);
    await clock.advance(50);
    const later = [informer.observeAfter(20), informer.observeAfter(59)];
    await clock.advance(300);
    expect((await first).startedAt).toBe(10);
    expect((await Promise.all(later)).map((snapshot) => snapshot.startedAt)).toEqual([110, 110]);
    expect(pages()).toEqual(['verify 0@10', 'verify 0@110']);
  });

  test('lists keep the gap, so that a stream of writes shares them', async () => {
    const { clock, informer, pages } = informerOf({ minimumGapMilliseconds: 1000 });
    const seen: number[] = [];
    for (let i = 0; i < 100; i++) {
      await clock.advance(25);
      void informer.observeAfter(clock.monotonic() - 1).then((snapshot) => seen.push(snapshot.startedAt));
    }
    await clock.advance(2000);
    expect(pages()).toEqual(['verify 0@25', 'verify 0@1025', 'verify 0@2025', 'verify 0@3025']);
    expect(seen).toHaveLength(100);
  });

  test('lists that only creations wait for take a tenth of the requests, after the first three', async () => {
    const { clock, informer, pages } = informerOf({ minimumGapMilliseconds: 100, requestsPerSecond: () => 10 });
    const creation = { urgency: 'creation', began: 1 } as const;
    for (let i = 0; i < 200; i++) {
      await clock.advance(25);
      void informer.observeAfter(clock.monotonic() - 1, undefined, creation);
    }
    expect(pages()).toEqual([25, 125, 225, 1025, 2025, 3025, 4025].map((at) => `verify for what is creation 0@${at}`));
    void informer.observeAfter(clock.monotonic(), undefined, { urgency: 'change', began: 2 });
    await clock.advance(2);
    expect(pages()).toEqual(['verify for what is change 0@5001']);
  });

  test('lists that creations alone wait for take a twentieth of the time, however many requests may go', async () => {
    const { clock, informer, pages } = informerOf({ latency: 100, reading: 50, requestsPerSecond: () => 10_000 });
    const creation = { urgency: 'creation', began: 1 } as const;
    for (let i = 0; i < 200; i++) {
      await clock.advance(25);
      void informer.observeAfter(clock.monotonic() - 1, undefined, creation);
    }
    const begun = [25, 175, 325, 475, 625, 1325, 2325, 3325, 4325];
    expect(pages()).toEqual(begun.map((at) => `verify for what is creation 0@${at}`));
    void informer.observeAfter(clock.monotonic() - 1, undefined, { urgency: 'change', began: 2 });
    await clock.advance(1);
    expect(pages()).toEqual(['verify for what is change 0@5000']);
  });

  test('a change waits neither for a list that is planned for who looked for something and left, nor for the turn of one', async () => {
    const options = { minimumGapMilliseconds: 2000, requestsPerSecond: () => 500 / 3600, longestMilliseconds: 600_000 };
    const { clock, informer, pages } = informerOf({ ...options, unpaged: true, had: () => 0 });
    const look = (signal?: AbortSignal) =>
      informer.observeAfter(clock.monotonic(), signal, undefined, 'a', 'list').catch(() => undefined);
    for (let looks = 0; looks < 3; looks++) {
      void look();
      await clock.advance(2100);
    }
    expect(pages()).toHaveLength(3);
    const gone = new AbortController();
    void look(gone.signal);
    await clock.advance(10);
    gone.abort(new Error('left'));
    void informer.observeAfter(clock.monotonic() - 1, undefined, { urgency: 'change', began: 1 }, 'b');
    await clock.advance(1);
    expect(pages()).toEqual(['verify for what is change 0@6310']);
  });

  test('a list without pages is one request, however many items it has', async () => {
    const options = { minimumGapMilliseconds: 2000, requestsPerSecond: () => 1 / 3, longestMilliseconds: 600_000 };
    const { clock, service, informer, pages } = informerOf({ ...options, unpaged: true });
    service.items.set('a', 1);
    async function listsInAMinute(): Promise<number> {
      for (let looks = 0; looks < 30; looks++) {
        void informer.observeAfter(clock.monotonic(), undefined, undefined, 'a', 'list').catch(() => undefined);
        await clock.advance(2000);
      }
      return pages().length;
    }
    const few = await listsInAMinute();
    await clock.advance(600_000);
    service.items = new Map(Array.from({ length: 1000 }, (_, index) => [`${index}`, 1]));
    await informer.observeAfter(clock.monotonic() - 1);
    await clock.advance(600_000);
    pages();
    expect([few, await listsInAMinute()]).toEqual([few, few]);
  });

  test('a creation pays for no list that changes or polls took: after any number of those its own is at once', async () => {
    const { clock, informer, pages } = informerOf({ intervalSeconds: 1, requestsPerSecond: () => 10 });
    informer.start();
    for (let i = 0; i < 200; i++) {
      await clock.advance(100);
      void informer.observeAfter(clock.monotonic() - 1, undefined, { urgency: 'change', began: i });
    }
    await clock.advance(10);
    expect(pages().length).toBeGreaterThan(190);
    void informer.observeAfter(clock.monotonic() - 1, undefined, { urgency: 'creation', began: 200 });
    await settle();
    expect(pages()).toEqual(['verify for what is creation 0@20010']);
  });

  test('a creation that waited beside any number of changes waits no longer for its next list than for one of a tenth', async () => {
    const { clock, informer, pages } = informerOf({ requestsPerSecond: () => 10 });
    const observe = (urgency: 'creation' | 'change') =>
      void informer.observeAfter(clock.monotonic() - 1, undefined, { urgency, began: 1 });
    for (let i = 0; i < 200; i++) {
      await clock.advance(100);
      observe('creation');
      observe('change');
    }
    await clock.advance(10);
    pages();
    observe('creation');
    await clock.advance(1000);
    expect(pages()).toEqual(['verify for what is creation 0@21000']);
  });

  test('a poll that still waits for its turn gives way to a list in a higher lane', async () => {
    const { clock, informer, pages } = informerOf({ latency: 3_600_000 });
    informer.start();
    await clock.advance(1000);
    const observed = informer.observeAfter(10);
    await clock.advance(3_600_000);
    expect((await observed).startedAt).toBe(1000);
    expect(pages()).toEqual(['list 0@0', 'verify 0@1000']);
  });

  test('rejects when its list fails, and leaves those alone who wait for the next', async () => {
    const { clock, service, informer } = informerOf({ latency: 100 });
    await clock.advance(10);
    service.failing = new Error('no');
    const first = informer.observeAfter(0).catch((reason: unknown) => reason);
    await clock.advance(50);
    const second = informer.observeAfter(59);
    await clock.advance(50);
    expect(await first).toEqual(new Error('no'));
    service.failing = undefined;
    await clock.advance(200);
    expect((await second).startedAt).toBe(110);
  });

  test('ends with the signal, and with the informer', async () => {
    const { informer } = informerOf({ latency: 100 });
    const stop = new AbortController();
    const aborted = informer.observeAfter(0, stop.signal);
    stop.abort(new Error('enough'));
    await expect(aborted).rejects.toThrow('enough');
    await expect(informer.observeAfter(0, stop.signal)).rejects.toThrow('enough');
    const stopped = informer.observeAfter(0);
    informer.stop();
    await expect(stopped).rejects.toMatchObject({ code: 'InformerStopped' });
    await expect(informer.observeAfter(0)).rejects.toMatchObject({ code: 'InformerStopped' });
  });

  test('always shows what was written before the moment, however lists, writes and failures fall together', async () => {
    const step = fc.record({
      wait: fc.integer({ min: 0, max: 400 }),
      act: fc.constantFrom('write', 'write', 'fail', 'heal'),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 40 }), fc.integer({ min: 0, max: 500 }), async (steps, gap) => {
        const { clock, service, informer } = informerOf({
          latency: 70,
          minimumGapMilliseconds: gap,
          intervalSeconds: 1,
        });
        informer.start();
        let version = 0;
        let open = 0;
        for (const { wait, act } of steps) {
          await clock.advance(wait);
          if (act !== 'write') {
            service.failing = act === 'fail' ? new Error('no') : undefined;
            continue;
          }
          const wrote = ++version;
          service.items.set('a', wrote);
          open++;
          void informer
            .observeAfter(clock.monotonic())
            .then(
              (snapshot) => expect(snapshot.items.get('a')?.value).toBeGreaterThanOrEqual(wrote),
              (reason: unknown) => expect(reason).toEqual(new Error('no')),
            )
            .finally(() => open--);
        }
        service.failing = undefined;
        await clock.advance(5000);
        expect(open).toBe(0);
        expect(informer.snapshot()?.items.get('a')?.value).toBe(version === 0 ? undefined : version);
        informer.stop();
      }),
      { numRuns: 30 },
    );
  });
});

describe('a list that lacks much of what was known', () => {
  async function emptied(options: Parameters<typeof informerOf>[0] = {}) {
    const made = informerOf(options);
    for (const id of 'abcd') made.service.items.set(id, 1);
    made.informer.start();
    await settle();
    made.changes();
    made.pages();
    made.service.items.clear();
    await made.clock.advance(60_000);
    return made;
  }

  test('is no deletion until another one, seconds later, says the same', async () => {
    const { clock, informer, pages, changes } = await emptied();
    expect([informer.snapshot()?.complete, changes()]).toEqual([false, []]);
    await clock.advance(6000);
    expect([informer.snapshot()?.complete, changes()]).toEqual([
      true,
      ['a: 1 > -', 'b: 1 > -', 'c: 1 > -', 'd: 1 > -'],
    ]);
    expect(pages()).toEqual(['list 0@60000', 'list 0@66000']);
  });

  test('is no deletion at all when the next one has everything again', async () => {
    const { clock, service, informer, changes } = await emptied();
    for (const id of 'abcd') service.items.set(id, 1);
    await clock.advance(6000);
    expect([informer.snapshot()?.complete, changes()]).toEqual([true, []]);
  });

  test('costs whoever waits one more list, not one after the other', async () => {
    const { clock, informer, pages } = await emptied();
    pages();
    const seen: (boolean | number)[][] = [];
    for (let turn = 0; turn < 3; turn++) {
      void informer.observeAfter(clock.monotonic()).then(({ complete, startedAt }) => seen.push([complete, startedAt]));
      await clock.advance(100);
    }
    await clock.advance(10_000);
    expect(seen).toEqual([0, 1, 2].map(() => [true, 65_000]));
    expect(pages()).toEqual(['verify 0@65000']);
  });

  test('is believed where it is known why', async () => {
    const { informer, changes } = await emptied({ explained: () => true });
    expect([informer.snapshot()?.complete, changes().length]).toEqual([true, 4]);
  });
});

test('a list that takes too much memory fails, and what was known stays', async () => {
  const memory = createListMemory(10 * 1024);
  const { clock, service, informer } = informerOf({ memory });
  service.items.set('a', 1);
  informer.start();
  await settle();
  for (let index = 0; index < 50; index++) service.items.set(`${index}`, 1);
  await clock.advance(60_000);
  expect([informer.snapshot()?.items.size, informer.lastError()]).toEqual([
    1,
    expect.objectContaining({ class: 'UnexpectedResponse' }),
  ]);
  informer.stop();
  memory.open().take(5 * 1024);
});
