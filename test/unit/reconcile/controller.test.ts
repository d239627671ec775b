import { describe, expect, it } from 'vitest';
import { createWorkQueue } from '../../../src/kubernetes/work-queue.ts';
import { runWorkers } from '../../../src/reconcile/controller.ts';
import type { Result } from '../../../src/reconcile/reconciler.ts';
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
