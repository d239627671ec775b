import { timestamp } from '../kubernetes/objects.ts';
import type { Work } from './acting.ts';
import type { Ending } from './conclude.ts';
import type { Engine } from './engine.ts';
import { FailureReason } from './failure.ts';
import { ownFinalizer } from './finalizer.ts';
import type { Awaited, ManagedKind, ManagedObject, Step } from './kind.ts';
import type { Memory } from './memory.ts';
import { isSettled, isToldAs, isUnderWay } from './object-state.ts';
import { holdForHour } from './queued.ts';
import type { Result } from './reconciler.ts';
import type { Writes } from './writes.ts';

/** A resource just seen may wait this long before its status says that it does. Milliseconds. */
const FIRST_SIGHT = 500;

/** Reasons that were true of an attempt that is over. */
const FAILURES: readonly string[] = [FailureReason.ServiceUnavailable, FailureReason.Throttled];
/** Who waits, and does not know how long, looks again after this. */
const WAIT: Result = { requeue: 'waiting', milliseconds: 30_000 };

/** How a pass over one resource may end, other than by an error. */
export function createEndings<T extends ManagedObject, F, S extends Step>(options: {
  readonly kind: ManagedKind<T, F, S>;
  readonly conclude: (object: T, memory: Memory, ending: Ending<F, S>) => Promise<void>;
  readonly writes: Writes<T>;
  readonly engine: Engine;
}) {
  const { kind, conclude, writes, engine } = options;
  const { clock } = engine;

  /** Everything is looked at again now and then. */
  const resync = (): Result => ({
    requeue: 'after',
    milliseconds: engine.resyncMilliseconds * (0.9 + 0.2 * engine.random()),
  });

  /** Ends a pass that has to wait for an observation; shows it in the status only if it takes longer than a moment. */
  async function awaitObservation(work: Work<T>, awaited: Awaited): Promise<Result> {
    const { key, object, memory, accountRef } = work;
    const { until, lane = 'list' } = awaited;
    if (!memory.awaiting) {
      memory.awaiting = true;
      const lookAgain = (trouble?: unknown) => {
        memory.awaiting = false;
        memory.trouble = trouble;
        engine.queue.add(key, 'change');
      };
      until.then(() => lookAgain(), lookAgain);
    } else {
      until.catch(() => undefined);
    }
    const now = clock.monotonic();
    memory.unsettledSince ??= now;
    const left = memory.unsettledSince + engine.momentMilliseconds - now;
    if (left > 0) return { requeue: 'waiting', milliseconds: left };
    const queued = kind.sharesHour && holdForHour(work.session.webAccelBudget(), lane, clock.now());
    const again: Result = queued ? { requeue: 'waiting', milliseconds: queued.retryAfterSeconds * 1000 } : WAIT;
    if (awaited.unchanged && isSettled(object)) {
      // There is nothing to do as far as is known: that it was not looked at anew takes nothing away from it.
      const since = timestamp(clock.now() - (now - memory.unsettledSince));
      const kept =
        queued &&
        `It was as the spec says when it was looked at last; it waits to be looked at since ${since}. ${queued.message}`;
      if (kept) await conclude(object, memory, { accountRef, kept });
      return again;
    }
    // What is told of a failure is over: the observation it waits for was asked for after it.
    const isOfNow = isUnderWay(object) && !FAILURES.some((reason) => isToldAs(object, reason));
    if (queued || !isOfNow) {
      await conclude(object, memory, { accountRef, unsettled: true, ...(queued && { hold: queued }) });
    }
    return again;
  }

  /** Drops the finalizer: Kubernetes may have the resource. */
  async function release(object: T, reason: string, message: string): Promise<Result> {
    if (ownFinalizer(object)) {
      await writes.finalizer(object, undefined);
      engine.events.record({ object, type: 'Normal', reason, message });
      engine.log.info(
        { kind: kind.definition.kind, namespace: object.metadata.namespace, name: object.metadata.name, reason },
        message,
      );
    }
    return { requeue: 'never' };
  }

  async function end(object: T, memory: Memory, ending: Ending<F, S>): Promise<Result> {
    const hold = ending.hold ?? ending.plan?.hold;
    if (hold?.kind === 'Waiting' && !object.status?.conditions) {
      // What it waits for may be on its way in the same `kubectl apply`: for a moment that is no news.
      const left = memory.firstSeenAt + FIRST_SIGHT - clock.monotonic();
      if (left > 0) return { requeue: 'after', milliseconds: left };
    }
    await conclude(object, memory, ending);
    memory.unsettledSince = undefined;
    memory.began = undefined;
    const after = hold?.retryAfterSeconds;
    return after === undefined ? resync() : { requeue: 'after', milliseconds: after * 1000 };
  }

  return { awaitObservation, end, release, resync };
}
