import { describe, expect, it } from 'vitest';
import { NotLeaderError } from '../../../src/kubernetes/errors.ts';
import { createWorkQueue } from '../../../src/kubernetes/work-queue.ts';
import { runWorkers } from '../../../src/reconcile/controller.ts';
import type { Result, Slot } from '../../../src/reconcile/reconciler.ts';
import { createLogger } from '../../../src/telemetry/log.ts';
import { ManualClock } from '../../support/manual-clock.ts';

/** Runs one resource whose passes end as given, again and again, and gives the seconds at which they began. */
async function passes(results: readonly Result[], seconds: number): Promise<number[]> {
  const clock = new ManualClock();
  const queue = createWorkQueue({ clock, random: () => 0.999_999 });
  const began: number[] = [];
  const stopping = new AbortController();
  const reconciler = {
    kind: 'Sim',
    reconcile(): Promise<Result> {
      began.push(Math.round(clock.monotonic() / 1000));
      const result = results[(began.length - 1) % results.length] ?? { requeue: 'never' };
      // What is waited for is there at once.
      if (result.requeue === 'waiting') queue.add('Sim/a/b', 'change');
      return Promise.resolve(result);
    },
  };
  const running = runWorkers({
    queue,
    reconcilers: new Map([['Sim', reconciler]]),
    workers: 1,
    clock,
    log: createLogger({ level: 'silent', format: 'json' }),
    metrics: { started: () => undefined, finished: () => undefined },
    signal: stopping.signal,
  });
  queue.add('Sim/a/b');
  await clock.advance(seconds * 1000);
  stopping.abort();
  queue.shutDown();
  await running;
  return began;
}

/** Runs passes of two resources on one worker, and gives what was logged and reported. */
async function passesOf(reconcile: (key: string, slot: Slot) => Promise<Result>) {
  const clock = new ManualClock();
  const queue = createWorkQueue({ clock, random: () => 0 });
  const stopping = new AbortController();
  const logged: string[] = [];
  const reported: string[] = [];
  const running = runWorkers({
    queue,
    reconcilers: new Map([
      ['Sim', { kind: 'Sim', reconcile: (key: string, _: AbortSignal, slot: Slot) => reconcile(key, slot) }],
    ]),
    workers: 1,
    clock,
    log: createLogger({ level: 'info', format: 'json', destination: { write: (line) => void logged.push(line) } }),
    metrics: { started: () => undefined, finished: (_, result) => reported.push(result) },
    signal: stopping.signal,
  });
  queue.add('Sim/a/b');
  queue.add('Sim/a/c');
  await clock.advance(1000);
  stopping.abort();
  queue.shutDown();
  return { running, logged, reported };
}

describe('a worker', () => {
  it('is had by another pass while one waits for the service', async () => {
    const order: string[] = [];
    const { promise, resolve } = Promise.withResolvers<void>();
    const { running, reported } = await passesOf(async (key, slot) => {
      order.push(`${key} is pass ${slot.number}`);
      if (slot.number === 2) resolve();
      const over = slot.wait();
      await promise;
      over();
      return { requeue: 'never' };
    });
    await running;
    expect(order).toEqual(['Sim/a/b is pass 1', 'Sim/a/c is pass 2']);
    expect(reported).toEqual(['success', 'success']);
  });

  it('takes a lost leadership for no error: whoever leads now goes on', async () => {
    const { running, logged, reported } = await passesOf(() => Promise.reject(new NotLeaderError('a/b')));
    await running;
    expect({ logged, reported }).toEqual({ logged: [], reported: ['success', 'success'] });
  });
});

describe('a resource whose passes fail', () => {
  it('is tried again after delays that double', async () => {
    expect(await passes([{ requeue: 'backoff' }], 20)).toEqual([0, 1, 2, 4, 8, 16]);
  });

  it('keeps them growing when it waits for an observation before each try', async () => {
    const began = await passes([{ requeue: 'waiting', milliseconds: 3000 }, { requeue: 'backoff' }], 20);
    expect(began).toEqual([0, 0, 1, 1, 2, 2, 4, 4, 8, 8, 16, 16]);
  });

  it('begins with the shortest delay again once a pass went well', async () => {
    const well: Result = { requeue: 'after', milliseconds: 1000 };
    expect(await passes([{ requeue: 'backoff' }, { requeue: 'backoff' }, well], 8)).toEqual([
      0, 1, 2, 3, 3, 4, 5, 6, 7, 8, 8,
    ]);
  });
});
