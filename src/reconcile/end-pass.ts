import type { EventRecord } from '../kubernetes/events.ts';
import { timestamp } from '../kubernetes/objects.ts';
import type { Engine } from './engine.ts';
import { FailureReason } from './failure-reason.ts';
import { ownFinalizer } from './finalizer.ts';
import type { Awaited, ManagedKind } from './kind.ts';
import type { ManagedObject } from './managed-object.ts';
import { type Memory, nothingUnfinished, unsettledSince } from './memory.ts';
import { isAsking, isSettled, isToldAs, isUnderWay } from './object-state.ts';
import { untilWarning } from './patience.ts';
import type { Step } from './plan.ts';
import { MISSING_MARK, withoutHidden } from './progress.ts';
import { holdForHour } from './queued.ts';
import type { Result } from './reconciler.ts';
import { isStatusOfAnother } from './restored.ts';
import { nextWait, type WaitEvent } from './wait.ts';
import type { Work } from './work.ts';
import type { PassOutcome } from './write-outcome.ts';
import type { Writes } from './writes.ts';

/** A resource just seen may wait this long before its status says that it does. Milliseconds. */
const FIRST_SIGHT_MILLISECONDS = 500;

/** Who waits, and does not know how long, looks again after this. */
const WAIT_RESULT: Result = { requeue: 'waiting', milliseconds: 30_000 };

/** How a pass over one resource may end, other than by an error. */
export function createPassEndings<T extends ManagedObject, F, S extends Step>(options: {
  readonly kind: ManagedKind<T, F, S>;
  readonly writeOutcome: (object: T, memory: Memory, outcome: PassOutcome<F, S>) => Promise<void>;
  readonly writes: Writes<T>;
  readonly engine: Engine;
}) {
  const { kind, writeOutcome, writes, engine } = options;
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
    // What failed is dealt with by the next pass, which has been asked for.
    if (memory.wait.state !== 'idle') until.catch(() => undefined);
    else {
      const lookAgain = (event: WaitEvent) => {
        memory.wait = nextWait(memory.wait, event);
        engine.queue.add(key, 'change');
      };
      memory.wait = nextWait(memory.wait, { type: 'asked' });
      until.then(
        () => lookAgain({ type: 'observed' }),
        (error: unknown) => lookAgain({ type: 'failed', error }),
      );
    }
    const now = clock.monotonic();
    const unfinished = unsettledSince(memory.unfinished, now);
    memory.unfinished = unfinished;
    const left = unfinished.since + engine.momentMilliseconds - now;
    if (left > 0) return { requeue: 'waiting', milliseconds: left };
    const { namespace } = object.metadata;
    const queued = kind.sharesHour && holdForHour(work.session.hourFor(lane, namespace), clock.now());
    const again: Result = queued ? { requeue: 'waiting', milliseconds: queued.retryAfterSeconds * 1000 } : WAIT_RESULT;
    if (awaited.unchanged && !unfinished.wrote && isSettled(object) && !isStatusOfAnother(object)) {
      // There is nothing to do as far as is known: that it was not looked at anew takes nothing away from it.
      const since = timestamp(clock.now() - (now - unfinished.since));
      const kept =
        queued &&
        `It was as the spec says when it was looked at last; it waits to be looked at since ${since}. ${queued.message}`;
      if (kept) await writeOutcome(object, memory, { accountRef, kept });
      return again;
    }
    if (isAsking(object) && !queued) return again;
    // A failure is told until something is answered; until when nothing may be sent is over by now.
    const isOfNow = isUnderWay(object) && !isToldAs(object, FailureReason.Throttled);
    if (queued || !isOfNow) {
      await writeOutcome(object, memory, { accountRef, unsettled: true, ...(queued && { hold: queued }) });
    }
    return again;
  }

  /** Drops the finalizer: Kubernetes may have the resource. `more`: of the event that tells so. */
  async function release(
    object: T,
    memory: Memory,
    reason: string,
    message: string,
    more: Pick<EventRecord, 'annotations' | 'routine'> = {},
  ): Promise<Result> {
    // Before the write: once it is stored, whoever sees the resource go is told already what became of what it had.
    memory.isLetGo = true;
    if (ownFinalizer(object)) {
      await writes.finalizer(object, undefined);
      memory.releasedFrom = { resourceVersion: object.metadata.resourceVersion, at: clock.monotonic() };
      engine.events.record({ object, type: 'Normal', reason, message, ...more });
      engine.log.info(
        { kind: kind.definition.kind, namespace: object.metadata.namespace, name: object.metadata.name, reason },
        message,
      );
    }
    return { requeue: 'never' };
  }

  async function end(object: T, memory: Memory, outcome: PassOutcome<F, S>): Promise<Result> {
    const hold = outcome.hold ?? outcome.plan?.hold;
    if (hold?.isMissing) noteMissing(memory);
    if (hold?.leaves) memory.progress = withoutHidden(memory.progress, kind.hidden);
    if (hold?.state === 'Waiting' && !object.status?.conditions) {
      // What it waits for may be on its way in the same `kubectl apply`: for a moment that is no news.
      const left = memory.firstSeenAt + FIRST_SIGHT_MILLISECONDS - clock.monotonic();
      if (left > 0) return { requeue: 'after', milliseconds: left };
    }
    await writeOutcome(object, memory, outcome);
    memory.unfinished = nothingUnfinished;
    const after = hold?.retryAfterSeconds;
    const next = after === undefined ? resync() : { requeue: 'after' as const, milliseconds: after * 1000 };
    if (next.requeue !== 'after') return next;
    const now = clock.now();
    const change = (outcome.plan?.lookAgainAt ?? Number.POSITIVE_INFINITY) - now;
    const warning = memory.unwarned === undefined ? undefined : untilWarning(object, hold, now);
    const soonest = Math.min(next.milliseconds, change, warning ?? Number.POSITIVE_INFINITY);
    return { requeue: 'after', milliseconds: Math.max(0, soonest) };
  }

  function noteMissing(memory: Memory): void {
    const { progress } = memory;
    const since = progress.marks[MISSING_MARK] ?? timestamp(clock.now());
    memory.progress = { ...progress, marks: { ...progress.marks, [MISSING_MARK]: since } };
  }

  return { awaitObservation, end, release, resync };
}
