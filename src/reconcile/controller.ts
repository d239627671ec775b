import type { Clock } from '../clock.ts';
import { messageOf } from '../errors.ts';
import { NotLeaderError } from '../kubernetes/errors.ts';
import type { WorkQueue } from '../kubernetes/work-queue.ts';
import type { Logger } from '../telemetry/log.ts';
import { type ObjectKey, parseKey, type Reconciler, type Result, type Slot } from './reconciler.ts';
import { createWorkers } from './workers.ts';

/** What the workers report of each pass, under the names controller-runtime made known. */
export interface PassMetrics {
  started(kind: string): void;
  finished(kind: string, result: 'success' | 'error' | 'requeue' | 'requeue_after', seconds: number): void;
}

/**
 * Runs workers over the queue until the signal aborts: one worker a key, any number of kinds. A pass that waits for the
 * service takes no worker: how many may do that is the queue's to say. A pass that throws is a bug; it is logged, counted
 * and tried again, and never takes the process down.
 */
export async function runWorkers(options: {
  readonly queue: WorkQueue;
  readonly reconcilers: ReadonlyMap<string, Reconciler>;
  readonly workers: number;
  readonly clock: Clock;
  readonly log: Logger;
  readonly metrics: PassMetrics;
  readonly signal: AbortSignal;
}): Promise<void> {
  const { queue, reconcilers, clock, log, metrics, signal } = options;

  async function work(key: ObjectKey, slot: Slot): Promise<void> {
    const { kind } = parseKey(key);
    const reconciler = reconcilers.get(kind);
    const started = clock.monotonic();
    metrics.started(kind);
    let result: Result | undefined;
    try {
      result = reconciler ? await reconciler.reconcile(key, signal, slot) : { requeue: 'never' };
    } catch (error) {
      if (error instanceof NotLeaderError) {
        // Whoever leads now does the work: this process is about to end.
        log.debug({ key }, `a pass was broken off: ${error.message}`);
        result = { requeue: 'never' };
      } else if (!signal.aborted) log.error({ key, err: error }, `a pass failed unexpectedly: ${messageOf(error)}`);
    } finally {
      // First: what failed is not due at once because of what it observed itself.
      if (!signal.aborted) schedule(key, result);
      queue.done(key);
    }
    if (signal.aborted) return;
    metrics.finished(kind, outcome(result), (clock.monotonic() - started) / 1000);
  }

  function schedule(key: ObjectKey, result: Result | undefined): void {
    switch (result?.requeue) {
      case undefined:
      case 'backoff':
        queue.retry(key);
        return;
      case 'after':
        queue.forget(key);
        queue.addAfter(key, result.milliseconds, 'resync');
        return;
      case 'now':
        queue.forget(key);
        queue.add(key, 'change');
        return;
      case 'waiting':
        if (result.milliseconds !== undefined) queue.addAfter(key, result.milliseconds, 'resync');
        return;
      case 'never':
        queue.forget(key);
    }
  }

  const workers = createWorkers(options.workers);
  const underWay = new Set<Promise<void>>();
  while (!signal.aborted) {
    const slot = await workers.slot();
    const key = await queue.get(signal);
    if (key === undefined) break;
    const pass = work(key, slot).finally(() => {
      underWay.delete(pass);
      slot.release();
    });
    underWay.add(pass);
  }
  await Promise.all(underWay);
}

function outcome(result: Result | undefined): 'success' | 'error' | 'requeue' | 'requeue_after' {
  switch (result?.requeue) {
    case undefined:
      return 'error';
    case 'backoff':
    case 'now':
      return 'requeue';
    case 'after':
    case 'waiting':
      return 'requeue_after';
    case 'never':
      return 'success';
  }
}
