import type { Work } from './acting.ts';
import type { Ending } from './conclude.ts';
import type { Engine } from './engine.ts';
import { ownFinalizer } from './finalizer.ts';
import type { ManagedKind, ManagedObject, Step } from './kind.ts';
import type { Memory } from './memory.ts';
import { isToldAs, isUnderWay } from './object-state.ts';
import { untilWarning } from './patience.ts';
import { holdForHour } from './queued.ts';
import type { Result } from './reconciler.ts';
import type { Writes } from './writes.ts';

/** A resource just seen may wait this long before its status says that it does. Milliseconds. */
const FIRST_SIGHT = 500;

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
  async function awaitObservation(work: Work<T>, until: Promise<unknown>): Promise<Result> {
    const { key, object, memory, accountRef } = work;
    if (!memory.awaiting) {
      memory.awaiting = true;
      const again = (trouble?: unknown) => {
        memory.awaiting = false;
        memory.trouble = trouble;
        engine.queue.add(key, 'change');
      };
      until.then(() => again(), again);
    } else {
      until.catch(() => undefined);
    }
    const now = clock.monotonic();
    memory.unsettledSince ??= now;
    const left = memory.unsettledSince + engine.momentMilliseconds - now;
    if (left > 0) return { requeue: 'waiting', milliseconds: left };
    const queued = kind.sharesHour && holdForHour(work.session.webAccelBudget());
    const isTold = isUnderWay(object) && (!queued || isToldAs(object, queued.reason));
    if (!isTold) await conclude(object, memory, { accountRef, unsettled: true, ...(queued && { hold: queued }) });
    return { requeue: 'waiting' };
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
    const next = after === undefined ? resync() : { requeue: 'after' as const, milliseconds: after * 1000 };
    if (next.requeue !== 'after') return next;
    const now = clock.now();
    const change = (ending.plan?.lookAgainAt ?? Number.POSITIVE_INFINITY) - now;
    const warning = memory.unwarned === undefined ? undefined : untilWarning(object, hold, now);
    const soonest = Math.min(next.milliseconds, change, warning ?? Number.POSITIVE_INFINITY);
    return { requeue: 'after', milliseconds: Math.max(0, soonest) };
  }

  return { awaitObservation, end, release, resync };
}
