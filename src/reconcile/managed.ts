import { isSecretForbidden, KubeError, NotLeaderError } from '../kubernetes/errors.ts';
import type { Informer } from '../kubernetes/informer.ts';
import type { Resource } from '../kubernetes/resource.ts';
import { createActing, passOf, sentenceOf, type Work } from './acting.ts';
import { Annotation, isPaused, isSet } from './annotations.ts';
import { createConclusion, type Ending } from './conclude.ts';
import type { Engine } from './engine.ts';
import { EventReason } from './events.ts';
import { FailureReason, failureOf } from './failure.ts';
import { ownFinalizer } from './finalizer.ts';
import type { Hold, ManagedKind, ManagedObject, Step } from './kind.ts';
import { createMemories, type Memory } from './memory.ts';
import { abandonedHold, isLeftBehind, isReadyNow, isUnderWay, isYoung, pausedHold } from './object-state.ts';
import { afterPlan, RECONCILE_MARK } from './progress.ts';
import { type ObjectKey, parseKey, type Reconciler, type Result } from './reconciler.ts';
import { createWrites } from './writes.ts';

/** A plan that is not empty after this many rounds is left for the next pass. */
const ROUNDS = 4;
/** A resource just seen may wait this long before its status says that it does. Milliseconds. */
const FIRST_SIGHT = 500;
/** Between two looks for something new that the service does not show yet. Milliseconds. */
const NOT_SHOWN = 2000;

/** The reconciler of one managed kind, with two ways to make a pass look harder. */
export interface ManagedReconciler extends Reconciler {
  readonly resource: Resource;
  /** A refusal of the service no longer holds: a Secret changed, or a person asked. */
  reconsider(key: ObjectKey): void;
  /** The next pass reads details too. */
  audit(key: ObjectKey): void;
}

/** The loop all kinds share: gather, plan, act, status; finalizer, deletion, pause, events and the classes of errors. */
export function createManagedReconciler<T extends ManagedObject, F, S extends Step>(
  kind: ManagedKind<T, F, S>,
  informer: Informer<T>,
  engine: Engine,
): ManagedReconciler {
  const { clock } = engine;
  const kindName = kind.definition.kind;
  const writes = createWrites({ client: engine.client, resource: kind.resource, informer });
  const conclude = createConclusion(kind, writes, engine);
  const act = createActing({ kind, informer, conclude, engine });
  const { fields, marks } = kind;
  const memories = createMemories({ clock, fields, marks, settleMilliseconds: engine.settleMilliseconds });
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
    if (!isUnderWay(object)) await conclude(object, memory, { accountRef, unsettled: true });
    return { requeue: 'waiting' };
  }

  async function converge(work: Work<T>): Promise<Result> {
    const { memory, accountRef } = work;
    const observe = work.object.spec.managementPolicy === 'Observe';
    for (let round = 0; round < ROUNDS; round++) {
      const asked = work.object.metadata.annotations?.[Annotation.reconcileAt];
      const askedAnew = asked !== undefined && asked !== memory.progress.marks[RECONCILE_MARK];
      if (askedAnew) {
        memory.appeals++;
        if (round === 0 && !memory.thorough) memory.notBefore = clock.monotonic();
      }
      memory.thorough ||= askedAnew;
      memory.appealsGathered = memory.appeals;
      const gathered = await kind.gather(passOf(work, engine));
      if ('until' in gathered) return awaitObservation(work, gathered.until);
      if ('hold' in gathered) return end(work.object, memory, { accountRef, hold: gathered.hold });
      const { facts } = gathered;
      memory.thorough = false;
      if (askedAnew) {
        memory.progress = { ...memory.progress, marks: { ...memory.progress.marks, [RECONCILE_MARK]: asked } };
      }
      const found = recognise(work, facts);
      const plan = kind.plan(facts);
      if (observe) return end(work.object, memory, { accountRef, facts, plan });
      const refused = plan.steps.length > 0 ? refusalOf(work) : undefined;
      const creates = plan.steps.some((step) => step.do === 'create') && !refused;
      if (found || creates) {
        const intent = creates ? 'create' : (ownFinalizer(work.object) ?? 'adopt');
        const first = ownFinalizer(work.object) === undefined && intent === 'adopt';
        work.object = await writes.finalizer(work.object, intent);
        if (first) tellAdopted(work.object, found);
      }
      if (plan.steps.length === 0) {
        memory.progress = afterPlan(memory.progress, plan);
        memory.refusal = undefined;
        return end(work.object, memory, { accountRef, facts, plan });
      }
      if (refused) return end(work.object, memory, { accountRef, facts, plan, hold: refused });
      await act(work, facts, plan);
    }
    return { requeue: 'backoff' };
  }

  /** Why the service would refuse what it is about to be asked: it has refused just this before. */
  function refusalOf({ memory, object }: Work<T>): Hold | undefined {
    const { refusal, appealsGathered } = memory;
    const isSame = refusal?.generation === (object.metadata.generation ?? 0) && refusal.appeals === appealsGathered;
    return isSame ? refusal.hold : undefined;
  }

  /** Takes over what gathering found, or notices that it has vanished. */
  function recognise(work: Work<T>, facts: F): { id: string } | undefined {
    const { memory, object } = work;
    const found = kind.identify(facts);
    const { progress } = memory;
    // Once the service has shown it, its absence means that it is gone.
    if (found) memory.createdAt = undefined;
    if (found && (progress.id === undefined || progress.id === found.id)) {
      memory.progress = { ...progress, id: found.id, ownership: progress.ownership ?? found.ownership };
    } else if (found) {
      memory.progress = { ...progress, ...found, applied: {}, pending: [] };
    } else if (progress.id !== undefined) {
      engine.events.record({
        object,
        type: 'Warning',
        reason: EventReason.Vanished,
        message: `${progress.id} is no longer at the service although nothing here deleted it.`,
      });
      memory.progress = { ...progress, id: undefined, ownership: undefined, applied: {}, pending: [] };
    }
    return found;
  }

  function tellAdopted(object: T, found: { id: string } | undefined): void {
    if (!found) return;
    const message = `Took over ${found.id}, which existed at the service.`;
    engine.events.record({ object, type: 'Normal', reason: EventReason.Adopted, message });
  }

  async function remove(work: Work<T>): Promise<Result> {
    const { memory, accountRef } = work;
    for (let round = 0; round < ROUNDS; round++) {
      const gathered = await kind.gather(passOf(work, engine));
      if ('until' in gathered) return awaitObservation(work, gathered.until);
      if ('hold' in gathered) return end(work.object, memory, { accountRef, hold: gathered.hold });
      const { facts } = gathered;
      const found = kind.identify(facts);
      if (!found) return release(work.object, EventReason.Deleted, 'Nothing is left of it at the service.');
      memory.progress = { ...memory.progress, id: found.id };
      const plan = kind.planDeletion(facts);
      if (plan.hold) return end(work.object, memory, { accountRef, facts, plan });
      await act(work, facts, plan);
      if (plan.steps.some((step) => step.do === 'delete')) {
        return release(work.object, EventReason.Deleted, sentenceOf(plan.steps, kind.describe));
      }
    }
    return { requeue: 'backoff' };
  }

  /** Drops the finalizer: Kubernetes may have the resource. */
  async function release(object: T, reason: string, message: string): Promise<Result> {
    if (ownFinalizer(object)) {
      await writes.finalizer(object, undefined);
      engine.events.record({ object, type: 'Normal', reason, message });
      engine.log.info(
        { kind: kindName, namespace: object.metadata.namespace, name: object.metadata.name, reason },
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
    const after = hold?.retryAfterSeconds;
    return after === undefined ? resync() : { requeue: 'after', milliseconds: after * 1000 };
  }

  async function reconcileObject(key: ObjectKey, object: T, memory: Memory, signal: AbortSignal): Promise<Result> {
    const deleting = object.metadata.deletionTimestamp !== undefined;
    if (deleting && !ownFinalizer(object)) return { requeue: 'never' };
    if (isSet(object, Annotation.abandon)) return abandon(object, memory, deleting);
    if (isPaused(object)) {
      await conclude(object, memory, { hold: pausedHold(deleting) });
      return { requeue: 'never' };
    }
    if (deleting && isLeftBehind(object)) {
      const message = object.status?.id ? `Let go; ${object.status.id} stays at the service.` : 'Nothing was created.';
      return release(object, EventReason.Orphaned, message);
    }
    if (memory.trouble !== undefined) {
      const { trouble } = memory;
      memory.trouble = undefined;
      throw trouble;
    }
    const resolved = engine.accounts.resolve(object.metadata.namespace ?? '', object.spec, object.status?.accountRef);
    if ('hold' in resolved) {
      if (resolved.hold.keepsReady && !deleting && isReadyNow(object)) return resync();
      return end(object, memory, { hold: resolved.hold });
    }
    const work: Work<T> = { key, object, memory, signal, ...resolved };
    return deleting ? remove(work) : converge(work);
  }

  async function abandon(object: T, memory: Memory, deleting: boolean): Promise<Result> {
    const released = await release(
      object,
      EventReason.Orphaned,
      'Abandoned as its annotation asks; the service was left as it is.',
    );
    if (deleting) return released;
    const current = informer.get(object.metadata.namespace, object.metadata.name) ?? object;
    await conclude(current, memory, { hold: abandonedHold });
    return released;
  }

  /** Ends a pass because the process ends: that is no trouble of the resource, but what was made is to be on record. */
  async function breakOff(key: ObjectKey, memory: Memory): Promise<Result> {
    const { namespace, name } = parseKey(key);
    const object = informer.get(namespace === '' ? undefined : namespace, name);
    const { id } = memory.progress;
    if (object && id !== undefined && id !== object.status?.id) await conclude(object, memory, { unsettled: true });
    return { requeue: 'never' };
  }

  /** `generation` is the one the pass worked on: a spec changed since is not refused with it. */
  async function fail(key: ObjectKey, memory: Memory, error: unknown, generation: number): Promise<Result> {
    if (error instanceof NotLeaderError) return { requeue: 'never' };
    if (error instanceof KubeError && !isSecretForbidden(error)) {
      if (error.reason === 'NotFound') return { requeue: 'never' };
      engine.log.debug({ key, err: error }, 'a write to Kubernetes failed; trying again');
      return { requeue: 'backoff' };
    }
    const failure = failureOf(error);
    engine.log.info({ key, reason: failure.hold.reason, detail: failure.hold.message }, 'a pass failed');
    const { namespace, name } = parseKey(key);
    const object = informer.get(namespace === '' ? undefined : namespace, name);
    if (!object) return { requeue: 'never' };
    if (failure.next === 'stall') {
      memory.refusal = { generation, appeals: memory.appealsGathered, hold: failure.hold };
    }
    if (failure.next === 'observe') memory.notBefore = clock.monotonic();
    // What was refused was not created: the intent is off, and what somebody registers by hand later is not ours.
    const isOff = failure.next === 'stall' && memory.progress.id === undefined && !memory.creationUnclear;
    const current = isOff && ownFinalizer(object) === 'create' ? await writes.finalizer(object, undefined) : object;
    await conclude(current, memory, { hold: failure.hold });
    switch (failure.next) {
      case 'stall':
        return resync();
      case 'wait-for-account':
        return { requeue: 'after', milliseconds: failure.afterSeconds * 1000 };
      case 'observe':
        // What is new is not shown everywhere at once; clients of the service ask again for minutes.
        return failure.hold.reason === FailureReason.NotFound && isYoung(current, clock.now())
          ? { requeue: 'waiting', milliseconds: NOT_SHOWN }
          : { requeue: 'backoff' };
      case 'backoff':
        return { requeue: 'backoff' };
    }
  }

  return {
    kind: kindName,
    resource: kind.resource,

    async reconcile(key, signal) {
      const { namespace, name } = parseKey(key);
      const object = informer.get(namespace === '' ? undefined : namespace, name);
      if (!object) {
        memories.forget(key);
        return { requeue: 'never' };
      }
      const memory = memories.recall(key, object);
      try {
        return await reconcileObject(key, object, memory, signal);
      } catch (error) {
        if (signal.aborted) return breakOff(key, memory);
        return fail(key, memory, error, object.metadata.generation ?? 0);
      }
    },

    reconsider(key) {
      const memory = memories.peek(key);
      if (memory) memory.appeals++;
    },

    audit(key) {
      const memory = memories.peek(key);
      if (memory) memory.thorough = true;
    },
  };
}
