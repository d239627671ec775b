import { ServiceFailingError } from '../cloud/http/breaker.ts';
import { InformerStoppedError } from '../cloud/list/informer.ts';
import { isSecretForbidden, KubeError, NotLeaderError } from '../kubernetes/errors.ts';
import type { Informer } from '../kubernetes/informer.ts';
import type { Engine } from './engine.ts';
import { failureOf, withOthers } from './failure.ts';
import { FailureReason } from './failure-reason.ts';
import { FinalizerNotKeptError, ownFinalizer } from './finalizer.ts';
import { nextFreshness } from './freshness.ts';
import { DecisionOutdatedError, FinalizerLostError } from './guard.ts';
import { nextInputs } from './inputs.ts';
import type { ManagedObject } from './managed-object.ts';
import type { Memory } from './memory.ts';
import { ageIfYoung } from './object-state.ts';
import type { Step } from './plan.ts';
import { type ObjectKey, parseKey, type Result } from './reconciler.ts';
import { reportWriteFailure } from './report-write-failure.ts';
import type { PassOutcome } from './write-outcome.ts';
import type { Writes } from './writes.ts';

/** Between two looks for something new that the service does not show yet, at first. Milliseconds. */
const NOT_SHOWN_MILLISECONDS = 2000;
/** Later it is this part of the resource's age: it may as well be gone, and a thousand may look for it. */
const NOT_SHOWN_SHARE = 1 / 8;

/** Whoever takes our finalizer off so often in a row goes on with it. */
const MOST_FINALIZER_LOSSES = 3;

/** What is known of a pass that ends with an error. */
interface FailedPass<F, S extends Step> {
  /** What the last look showed, where there was one. */
  readonly seen?: PassOutcome<F, S> | undefined;
  /** What was refused for now, or fails by itself, by how often in a row, is asked for its turn again after so many milliseconds. */
  readonly pace?: ((times: number) => number) | undefined;
  /** What was to be known before anything is sent could not be read. */
  readonly isUnread?: boolean;
  /** What else failed, of what was tried all the same. */
  readonly others?: readonly unknown[];
}

/** What follows when a pass over one resource ends with an error. */
export function createFailureHandler<T extends ManagedObject, F, S extends Step>(options: {
  readonly informer: Informer<T>;
  readonly writeOutcome: (object: T, memory: Memory, outcome: PassOutcome<F, S>) => Promise<void>;
  readonly writes: Writes<T>;
  readonly resync: () => Result;
  readonly engine: Engine;
}) {
  const { informer, writeOutcome, writes, resync, engine } = options;
  const { clock } = engine;

  /** Where nothing was created the intent is off: what somebody registers by hand later is not ours. */
  async function takeBack(object: T, memory: Memory): Promise<T> {
    if (memory.progress.id !== undefined || memory.creation.state === 'unclear') return object;
    const isOff = ownFinalizer(object) === 'create';
    return isOff ? writes.finalizer(object, undefined) : object;
  }

  /**
   * `generation` is the one the pass worked on: a spec changed since is not refused with it.
   */
  async function failed(
    key: ObjectKey,
    memory: Memory,
    error: unknown,
    generation: number,
    { seen = {}, pace, isUnread = false, others = [] }: FailedPass<F, S>,
  ): Promise<Result> {
    if (error instanceof NotLeaderError) return { requeue: 'never' };
    const { namespace, name } = parseKey(key);
    const object = informer.get(namespace, name);
    if (!object) return { requeue: 'never' };
    // Another one has its name by now, as after a restore: nothing of what is known of the one before is true of it.
    if (object.metadata.uid !== memory.uid) return { requeue: 'now' };
    if (error instanceof FinalizerLostError && ++memory.finalizerLosses >= MOST_FINALIZER_LOSSES) {
      return failed(key, memory, new FinalizerNotKeptError(error.intent), generation, { seen });
    }
    // Where lists are not watched any more the account was changed, or is gone.
    if (error instanceof DecisionOutdatedError || error instanceof InformerStoppedError) {
      engine.log.debug({ key }, error.message);
      await takeBack(object, memory);
      return { requeue: 'now' };
    }
    if (error instanceof KubeError && !isSecretForbidden(error)) {
      if (error.reason === 'NotFound') return { requeue: 'never' };
      reportWriteFailure(engine, object, error);
      return { requeue: 'backoff' };
    }
    const failure = withOthers(failureOf(error), others);
    engine.log.info({ key, reason: failure.hold.reason, detail: failure.hold.message }, 'a pass failed');
    const at = clock.monotonic();
    if (isUnread && pace) {
      memory.inputs = nextInputs(memory.inputs, { type: 'unread', generation, hold: failure.hold });
    } else if (failure.next === 'stall' || pace) {
      const isPassing = pace !== undefined;
      memory.inputs = nextInputs(memory.inputs, { type: 'refused', generation, at, hold: failure.hold, isPassing });
    }
    if (error instanceof ServiceFailingError) {
      memory.inputs = nextInputs(memory.inputs, { type: 'unsent', hold: failure.hold });
    }
    const { refusal, unread } = memory.inputs;
    const wait = pace?.((isUnread ? unread : refusal)?.times ?? 1);
    if (failure.next === 'observe') {
      memory.freshness = nextFreshness(memory.freshness, { type: 'changed', at: clock.monotonic() });
    }
    const current = await takeBack(object, memory);
    // What was planned for one spec must not be told of another, which came meanwhile.
    const isEdited = (current.metadata.generation ?? 0) !== generation;
    await writeOutcome(current, memory, { ...seen, ...(isEdited && { plan: undefined }), hold: failure.hold });
    // The status says what became of it: what the next try has to wait for is news only if it lasts.
    memory.unfinished = { ...memory.unfinished, since: undefined };
    const again: Result = wait === undefined ? { requeue: 'backoff' } : { requeue: 'after', milliseconds: wait };
    switch (failure.next) {
      case 'stall':
        return resync();
      case 'wait-for-account':
        return { requeue: 'after', milliseconds: failure.afterSeconds * 1000 };
      case 'observe': {
        // What is new is not shown everywhere at once; clients of the service ask again for minutes.
        const age =
          failure.hold.reason === FailureReason.NotFound ? ageIfYoung(current, engine.time.latest()) : undefined;
        if (age === undefined) return again;
        return { requeue: 'waiting', milliseconds: Math.max(NOT_SHOWN_MILLISECONDS, age * NOT_SHOWN_SHARE) };
      }
      case 'backoff':
        return again;
    }
  }

  /** Ends a pass because the process ends: that is no failure of the resource, but what was made is to be on record. */
  async function breakOff(key: ObjectKey, memory: Memory): Promise<Result> {
    const { namespace, name } = parseKey(key);
    const shown = informer.get(namespace, name);
    const object = shown?.metadata.uid === memory.uid ? shown : undefined;
    const { id } = memory.progress;
    // What still waited for its turn was not sent.
    if (object && id === undefined) await takeBack(object, memory);
    const isNews = id !== object?.status?.id || memory.isHalfWay;
    if (object && id !== undefined && isNews) await writeOutcome(object, memory, { unsettled: true });
    return { requeue: 'never' };
  }

  return {
    breakOff,
    takeBack,

    /** As above; a write that fails on the way is tried again like any other. */
    async fail(
      key: ObjectKey,
      memory: Memory,
      error: unknown,
      generation: number,
      pass: FailedPass<F, S> = {},
    ): Promise<Result> {
      try {
        return await failed(key, memory, error, generation, pass);
      } catch (secondError) {
        if (!(secondError instanceof KubeError || secondError instanceof NotLeaderError) || secondError === error)
          throw secondError;
        return failed(key, memory, secondError, generation, { seen: pass.seen });
      }
    },
  };
}
