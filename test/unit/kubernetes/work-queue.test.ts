import * as fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { createWorkQueue, type Priority, type WorkQueue } from '../../../src/kubernetes/work-queue.ts';
import { ManualClock, settle } from '../../support/manual-clock.ts';

let clock: ManualClock;
let queue: WorkQueue;

beforeEach(() => {
  clock = new ManualClock();
  queue = createWorkQueue({ clock, random: () => 1 });
});

/** What can be had without waiting. */
async function drain(): Promise<string[]> {
  const keys: string[] = [];
  while (queue.length > 0) keys.push((await queue.get()) ?? '');
  return keys;
}

describe('a work queue', () => {
  it('gives keys in the order they came, each once', async () => {
    for (const key of ['a', 'b', 'a', 'c', 'b']) queue.add(key);
    expect(queue.length).toBe(3);
    expect(await drain()).toEqual(['a', 'b', 'c']);
  });

  it('gives deletions first, then changes, observations, what is half made or not begun, and resyncs', async () => {
    const added: [string, Priority][] = [
      ['r', 'resync'],
      ['n', 'creation'],
      ['b', 'begun'],
      ['o', 'observation'],
      ['c', 'change'],
      ['d', 'deletion'],
    ];
    for (const [key, priority] of added) queue.add(key, priority);
    expect(await drain()).toEqual(['d', 'c', 'o', 'b', 'n', 'r']);
  });

  it('asks which priority a key has, however it is made due', async () => {
    queue = createWorkQueue({
      clock,
      random: () => 1,
      priorityOf: (key, asked) => (key.startsWith('new') && asked !== 'resync' ? 'creation' : asked),
    });
    queue.add('new/now', 'change');
    queue.addAfter('new/later', 100, 'change');
    queue.retry('new/retried');
    await clock.advance(1000);
    for (const key of ['b', 'c']) queue.add(key, 'observation');
    expect(await drain()).toEqual(['b', 'c', 'new/now', 'new/later', 'new/retried']);
  });

  it('promotes a waiting key, and never demotes one', async () => {
    for (const key of ['a', 'b', 'c']) queue.add(key, 'observation');
    queue.add('c', 'deletion');
    queue.add('c', 'resync');
    expect(queue.length).toBe(3);
    expect(await drain()).toEqual(['c', 'a', 'b']);
  });

  it('gives a key added while worked on once more, afterwards, with its highest priority', async () => {
    queue.add('a');
    expect(await queue.get()).toBe('a');
    queue.add('a', 'resync');
    queue.add('a', 'deletion');
    queue.add('b', 'change');
    expect(queue.length).toBe(1);
    queue.done('a');
    expect(await drain()).toEqual(['a', 'b']);
  });

  it('hands a key to a worker that waits', async () => {
    const first = queue.get();
    const second = queue.get();
    queue.add('a');
    queue.add('b');
    expect(await Promise.all([first, second])).toEqual(['a', 'b']);
    expect([queue.length, queue.active]).toEqual([0, 2]);
  });

  it('gives a delayed key when its time has come', async () => {
    queue.addAfter('late', 2000);
    queue.addAfter('soon', 1000);
    await clock.advance(999);
    expect(await drain()).toEqual([]);
    await clock.advance(1);
    expect(await drain()).toEqual(['soon']);
    await clock.advance(1000);
    expect(await drain()).toEqual(['late']);
  });

  it('keeps the earliest of several delays', async () => {
    queue.addAfter('a', 1000);
    queue.addAfter('a', 5000);
    queue.addAfter('b', 5000);
    queue.addAfter('b', 1000);
    await clock.advance(1000);
    expect(await drain()).toEqual(['a', 'b']);
    for (const key of ['a', 'b']) queue.done(key);
    await clock.advance(10_000);
    expect(await drain()).toEqual([]);
  });

  it('drops the delay of a key that is added', async () => {
    queue.addAfter('a', 1000);
    queue.add('a');
    expect(await drain()).toEqual(['a']);
    queue.done('a');
    await clock.advance(5000);
    expect(await drain()).toEqual([]);
  });

  it.each([
    { failures: 1, added: 'observation', at: 100, due: 500 },
    { failures: 8, added: 'observation', at: 100, due: 10_000 },
    { failures: 8, added: 'observation', at: 12_000, due: 12_000 },
    { failures: 8, added: 'change', at: 100, due: 100 },
  ] as const)(
    'gives a key that failed $failures times in a row, and is added for $added after $at ms, after $due ms',
    async ({ failures, added, at, due }) => {
      for (let failure = 0; failure < failures; failure++) {
        queue.add('a');
        await queue.get();
        queue.retry('a');
        queue.done('a');
      }
      await clock.advance(at);
      queue.add('a', added);
      await clock.advance(due - at - 1);
      expect(await drain()).toEqual(due === at ? ['a'] : []);
      await clock.advance(1);
      expect(await drain()).toEqual(due === at ? [] : ['a']);
    },
  );

  it('waits with a key that was observed while it failed, and not with one that was changed', async () => {
    for (const priority of ['observation', 'change'] as const) {
      for (let failure = 0; failure < 8; failure++) queue.retry(priority);
      queue.add(priority);
    }
    await drain();
    for (const priority of ['observation', 'change'] as const) {
      queue.add(priority, priority);
      queue.retry(priority);
      queue.done(priority);
    }
    expect(await drain()).toEqual(['change']);
    await clock.advance(10_000);
    expect(await drain()).toEqual(['observation']);
  });

  it('lets a key due stay due, whatever delay is asked for', async () => {
    queue.add('a');
    queue.addAfter('a', 60_000);
    expect(await drain()).toEqual(['a']);
  });

  it('makes a key due again that became due while worked on', async () => {
    queue.add('a');
    await queue.get();
    queue.addAfter('a', 1000);
    await clock.advance(1000);
    expect(queue.length).toBe(0);
    queue.done('a');
    expect(await drain()).toEqual(['a']);
  });

  it('doubles the delay of each retry up to the most, and starts over when forgotten', async () => {
    const delays: number[] = [];
    for (let count = 0; count < 12; count++) delays.push(queue.retry('a'));
    expect(delays).toEqual([500, 1000, 2000, 4000, 8000, 16_000, 32_000, 64_000, 128_000, 256_000, 300_000, 300_000]);
    queue.forget('a');
    expect(queue.retry('a')).toBe(500);
  });

  it('leaves half of a retry to chance', () => {
    const lucky = createWorkQueue({ clock, random: () => 0 });
    expect([lucky.retry('a'), lucky.retry('a'), lucky.retry('b')]).toEqual([250, 500, 250]);
  });

  it('gives a retried key after its delay', async () => {
    queue.add('a');
    await queue.get();
    const delay = queue.retry('a');
    queue.done('a');
    await clock.advance(delay - 1);
    expect(await drain()).toEqual([]);
    await clock.advance(1);
    expect(await drain()).toEqual(['a']);
  });

  it('stops waiting when aborted, without losing a key', async () => {
    const abort = new AbortController();
    const waiting = queue.get(abort.signal);
    abort.abort();
    queue.add('a');
    expect(await waiting).toBeUndefined();
    expect(await drain()).toEqual(['a']);
  });

  it('lets every worker go when shut down, and takes no more', async () => {
    queue.addAfter('b', 1000);
    const waiting = [queue.get(), queue.get()];
    queue.shutDown();
    queue.add('a');
    expect(await Promise.all([...waiting, queue.get()])).toEqual([undefined, undefined, undefined]);
    await clock.advance(5000);
    expect([queue.length, clock.sleeping]).toEqual([0, 0]);
  });

  it('tells how long keys waited and were worked on', async () => {
    const told: string[] = [];
    queue = createWorkQueue({
      clock,
      random: () => 1,
      observer: {
        added: () => told.push('added'),
        retried: () => told.push('retried'),
        started: (seconds) => told.push(`started after ${seconds}`),
        finished: (seconds) => told.push(`finished after ${seconds}`),
      },
    });
    queue.add('a');
    await clock.advance(1500);
    await queue.get();
    await clock.advance(250);
    queue.retry('a');
    queue.done('a');
    expect(told).toEqual(['added', 'started after 1.5', 'retried', 'finished after 0.25']);
  });

  it('never gives a key to two workers at once, and loses none', async () => {
    const key = fc.constantFrom('a', 'b', 'c', 'd');
    const priority = fc.constantFrom<Priority>('deletion', 'change', 'observation', 'resync');
    const step = fc.oneof(
      fc.record({ do: fc.constant('add' as const), key, priority }),
      fc.record({
        do: fc.constant('addAfter' as const),
        key,
        priority,
        milliseconds: fc.integer({ min: 0, max: 3000 }),
      }),
      fc.record({ do: fc.constant('retry' as const), key }),
      fc.record({ do: fc.constant('forget' as const), key }),
      fc.record({ do: fc.constant('get' as const) }),
      fc.record({ do: fc.constant('done' as const), key }),
      fc.record({ do: fc.constant('wait' as const), milliseconds: fc.integer({ min: 0, max: 2000 }) }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
        clock = new ManualClock();
        queue = createWorkQueue({ clock, random: () => 1 });
        const active = new Set<string>();
        /** Asked for, and not begun since. */
        const owed = new Set<string>();
        const begin = (given: string | undefined) => {
          if (given === undefined) return;
          expect(active.has(given)).toBe(false);
          active.add(given);
          owed.delete(given);
        };
        for (const now of steps) {
          switch (now.do) {
            case 'add':
              queue.add(now.key, now.priority);
              owed.add(now.key);
              break;
            case 'addAfter':
              queue.addAfter(now.key, now.milliseconds, now.priority);
              owed.add(now.key);
              break;
            case 'retry':
              queue.retry(now.key);
              owed.add(now.key);
              break;
            case 'forget':
              queue.forget(now.key);
              break;
            case 'get':
              if (queue.length > 0) begin(await queue.get());
              break;
            case 'done':
              if (active.delete(now.key)) queue.done(now.key);
              break;
            case 'wait':
              await clock.advance(now.milliseconds);
              break;
          }
        }
        for (const left of active) queue.done(left);
        active.clear();
        await clock.advance(3_600_000);
        while (queue.length > 0) begin(await queue.get());
        expect([...owed]).toEqual([]);
      }),
      { numRuns: 150 },
    );
  });

  it('serves ten thousand keys, delayed, retried and promoted', async () => {
    const keys = Array.from({ length: 10_000 }, (_, index) => `key-${index}`);
    for (const [index, key] of keys.entries()) queue.addAfter(key, 10_000 - index);
    for (const key of keys) queue.add(key, 'resync');
    for (const key of keys) queue.add(key, 'deletion');
    for (let count = 0; count < keys.length; count++) {
      const key = (await queue.get()) ?? '';
      queue.retry(key);
      queue.done(key);
    }
    await settle();
    expect(queue.length).toBe(0);
  });
});

describe('a work queue of several groups', () => {
  const limited = (ofGroup: number, inAll: number) =>
    createWorkQueue({ clock, random: () => 1, groupOf: (key) => key.charAt(0), limits: { ofGroup, inAll, spare: 1 } });

  /** What can be had without waiting; nothing is given back. */
  async function available(): Promise<string[]> {
    const keys: string[] = [];
    for (;;) {
      const stop = new AbortController();
      const waiting = queue.get(stop.signal);
      await settle();
      stop.abort();
      const key = await waiting;
      if (key === undefined) return keys;
      keys.push(key);
    }
  }

  it('lets them take turns, however many keys one has', async () => {
    queue = createWorkQueue({ clock, random: () => 1, groupOf: (key) => key.charAt(0) });
    for (const key of ['a1', 'a2', 'a3', 'a4', 'b1', 'c1', 'c2']) queue.add(key);
    expect(await drain()).toEqual(['a1', 'b1', 'c1', 'a2', 'c2', 'a3', 'a4']);
  });

  it('gives no group more than its share at a time, of each priority', async () => {
    queue = limited(2, 100);
    for (const key of ['a1', 'a2', 'a3', 'a4', 'b1']) queue.add(key, 'creation');
    expect(await available()).toEqual(['a1', 'b1', 'a2']);
    queue.add('a5', 'change');
    queue.add('a4', 'deletion');
    expect(await available()).toEqual(['a4', 'a5']);
    queue.done('a2');
    expect(await available()).toEqual(['a3']);
  });

  it('gives a worker that waits what a share given back lets go', async () => {
    queue = limited(1, 100);
    for (const key of ['a1', 'a2']) queue.add(key);
    expect(await available()).toEqual(['a1']);
    const next = queue.get();
    queue.done('a1');
    expect(await next).toBe('a2');
  });

  it('gives a worker that waits a key that is promoted to a priority with a place left', async () => {
    queue = limited(1, 100);
    for (const key of ['a1', 'a2']) queue.add(key, 'creation');
    expect(await available()).toEqual(['a1']);
    const next = queue.get();
    queue.add('a2', 'deletion');
    expect(await next).toBe('a2');
  });

  it('leaves a place to a group that has none, even where all places are taken', async () => {
    queue = limited(10, 3);
    for (const key of ['a1', 'a2', 'a3', 'a4', 'a5']) queue.add(key);
    expect(await available()).toEqual(['a1', 'a2', 'a3']);
    queue.add('b1', 'resync');
    queue.add('b2', 'resync');
    expect(await available()).toEqual(['b1']);
  });

  it('gives every key in the end, whatever the shares', async () => {
    const priority = fc.constantFrom<Priority>('deletion', 'change', 'observation', 'creation', 'resync');
    const key = fc.tuple(fc.constantFrom('a', 'b', 'c'), fc.nat(20)).map(([group, number]) => `${group}${number}`);
    const adds = fc.array(fc.tuple(key, priority), { maxLength: 60 });
    await fc.assert(
      fc.asyncProperty(
        adds,
        fc.integer({ min: 1, max: 3 }),
        fc.integer({ min: 1, max: 5 }),
        async (all, share, most) => {
          queue = limited(share, most);
          for (const [name, rank] of all) queue.add(name, rank);
          const given: string[] = [];
          while (queue.length > 0) {
            const found = await available();
            expect(found.length).toBeGreaterThan(0);
            for (const one of found) queue.done(one);
            given.push(...found);
          }
          expect(given.toSorted()).toEqual([...new Set(all.map(([name]) => name))].toSorted());
        },
      ),
      { numRuns: 60 },
    );
  });
});
