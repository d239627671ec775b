import { CloudError } from '../cloud/errors.ts';
import type { Urgency } from '../cloud/limiter/lanes.ts';
import type { Informer } from '../kubernetes/informer.ts';
import type { Resource } from '../kubernetes/resource.ts';
import { Annotation, isPaused, isSet, markOf } from './annotations.ts';
import { contentionOf } from './contention.ts';
import { createPassEndings } from './end-pass.ts';
import type { Engine } from './engine.ts';
import { EventReason } from './events.ts';
import { createPlanExecutor, type Failed, sentenceOf } from './execute-plan.ts';
import { ownFinalizer } from './finalizer.ts';
import { createGuards } from './guard.ts';
import { createFailureHandler } from './handle-failure.ts';
import type { Hold, ManagedKind, ManagedObject, Plan, Step } from './kind.ts';
import { abandonedMessage, letGoMessage } from './letting-go.ts';
import { createLook } from './look.ts';
import { createMemories, type Memory, unclearOf } from './memory.ts';
import { abandonedHold, isLeftBehind, isReadyNow, isSettled, pausedHold } from './object-state.ts';
import { afterPlan, RECONCILE_MARK } from './progress.ts';
import { holdForHour } from './queued.ts';
import { createRecognition } from './recognition.ts';
import { type ObjectKey, parseKey, type Reconciler, type Result, type Slot } from './reconciler.ts';
import { createProgressReporter } from './report-progress.ts';
import { afterSight } from './restored.ts';
import { urgencyOf } from './urgency.ts';
import { passOf, type Work } from './work.ts';
import { createOutcomeWriter, type PassOutcome } from './write-outcome.ts';
import { createWrites } from './writes.ts';

/** A plan that is not empty after this many rounds is left for the next pass. */
const MOST_ROUNDS = 4;

/** The reconciler of one managed kind, with two ways to make a pass look harder. */
export interface ManagedReconciler extends Reconciler {
  readonly resource: Resource;
  /** How pressing the work on it is; undefined: there is no such object. */
  urgencyOf(key: ObjectKey): Urgency | undefined;
  /** A refusal of the service no longer holds: a Secret changed, or a person asked. */
  reconsider(key: ObjectKey): void;
  /** The next pass reads details too. */
  audit(key: ObjectKey): void;
}

type AccountInUse = Exclude<ReturnType<Engine['accounts']['resolve']>, { hold: Hold }>;

/** The loop all kinds share: gather, plan, act, status; finalizer, deletion, pause, events and the classes of errors. */
export function createManagedReconciler<T extends ManagedObject, F, S extends Step>(
  kind: ManagedKind<T, F, S>,
  informer: Informer<T>,
  engine: Engine,
): ManagedReconciler {
  const { clock } = engine;
  const kindName = kind.definition.kind;
  const writes = createWrites({ client: engine.client, resource: kind.resource, informer });
  const writeOutcome = createOutcomeWriter(kind, writes, engine);
  const { recognise, reportAdopted } = createRecognition(kind, engine);
  const look = createLook(kind, engine);
  const report = createProgressReporter({ kind, informer, writeOutcome, engine });
  const act = createPlanExecutor({ kind, informer, writeOutcome, report, engine });
  const guardOf = createGuards({ kind, informer, engine });
  const { awaitObservation, end, release, resync } = createPassEndings({ kind, writeOutcome, writes, engine });
  const { fail, breakOff, takeBack } = createFailureHandler({ informer, writeOutcome, writes, resync, engine });
  const { fields, marks } = kind;
  const memories = createMemories({
    clock,
    fields,
    marks,
    settleMilliseconds: engine.settleMilliseconds,
    shownMilliseconds: engine.shownMilliseconds,
  });
  async function converge(work: Work<T>): Promise<Result> {
    const { memory, accountRef } = work;
    const observe = work.object.spec.managementPolicy === 'Observe';
    for (let round = 0; round < MOST_ROUNDS; round++) {
      const asked = markOf(work.object, Annotation.reconcileAt);
      const askedAnew = asked !== undefined && asked !== memory.progress.marks[RECONCILE_MARK];
      if (askedAnew) {
        memory.inputsVersion++;
        if (round === 0 && !memory.thorough) memory.notBefore = clock.monotonic();
      }
      memory.thorough ||= askedAnew;
      memory.inputsVersionGathered = memory.inputsVersion;
      work.check = guardOf(work.object, work.session);
      const gathered = await report.whileGathering(work, () => kind.gather(passOf(work, engine)));
      if ('until' in gathered) return awaitObservation(work, gathered);
      if ('hold' in gathered) return end(work.object, memory, { accountRef, hold: gathered.hold });
      const { facts } = gathered;
      memory.thorough = false;
      memory.isHalfWay = false;
      if (askedAnew) {
        memory.progress = { ...memory.progress, marks: { ...memory.progress.marks, [RECONCILE_MARK]: asked } };
      }
      const found = recognise(work, facts);
      const plan = kind.plan(facts);
      const isEmpty = !found && memory.progress.id === undefined;
      if (isEmpty && !plan.steps.some((step) => step.do === 'create')) await forgetIntent(work);
      if (observe) return end(work.object, memory, { accountRef, facts, plan });
      const refused = plan.steps.length > 0 ? refusalOf(work) : undefined;
      const creates = plan.steps.some((step) => step.do === 'create') && !refused;
      if (found || creates) {
        const before = ownFinalizer(work.object);
        const isAdopted = memory.progress.ownership === 'Adopted';
        // Somebody may have taken it off, as `kubectl replace` does: then it is put back as it was.
        const intent = creates ? 'create' : isAdopted ? 'adopt' : (before ?? 'create');
        const isNews = before !== 'adopt' && work.object.status?.id !== found?.id;
        work.object = await writes.finalizer(work.object, intent);
        if (intent === 'adopt' && (isNews || memory.isRestored)) reportAdopted(work, found);
      }
      if (plan.steps.length === 0) {
        memory.progress = afterPlan(memory.progress, plan);
        memory.refusal = undefined;
        return end(work.object, memory, { accountRef, facts, plan });
      }
      if (refused) return end(work.object, memory, { accountRef, facts, plan, hold: refused });
      const contested = contentionOf(memory, plan, {
        generation: work.object.metadata.generation ?? 0,
        isAnew: askedAnew,
        monotonic: clock.monotonic(),
        now: clock.now(),
      });
      if (contested) return end(work.object, memory, { accountRef, facts, plan, hold: contested });
      const queued = kind.sharesHour && holdForHour(work.session.webAccelBudget(), 'write', clock.now());
      if (queued) return end(work.object, memory, { accountRef, facts, plan, hold: queued });
      const failed = await act(work, facts, plan);
      if (failed) return endFailed(work, failed, { accountRef, facts, plan }, kind.plan);
    }
    return { requeue: 'backoff' };
  }

  /** A step failed: the status is to say so, and how the resource is now. */
  async function endFailed(
    work: Work<T>,
    { error, hasEffect }: Failed,
    before: PassOutcome<F, S>,
    plan: (facts: F) => Plan<S>,
  ): Promise<Result> {
    const { key, memory, object, signal } = work;
    if (signal.aborted) throw error;
    const seen = hasEffect && error instanceof CloudError ? await look(work, plan) : before;
    return fail(key, memory, error, object.metadata.generation ?? 0, seen ?? { accountRef: work.accountRef });
  }

  /** Nothing is there, and nothing is to be made: what somebody else makes later is not this resource's work. */
  async function forgetIntent(work: Work<T>): Promise<void> {
    work.memory.creationUnclear = false;
    work.memory.shownFrom = undefined;
    work.object = await writes.finalizer(work.object, undefined);
  }

  /** Why the service would refuse what it is about to be asked: it has refused just this before. */
  function refusalOf({ memory, object }: Work<T>): Hold | undefined {
    const { refusal, inputsVersionGathered } = memory;
    const isSame =
      refusal?.generation === (object.metadata.generation ?? 0) && refusal.inputsVersion === inputsVersionGathered;
    return isSame ? refusal.hold : undefined;
  }

  async function remove(work: Work<T>): Promise<Result> {
    const { memory, accountRef } = work;
    for (let round = 0; round < MOST_ROUNDS; round++) {
      work.check = guardOf(work.object, work.session);
      const gathered = await kind.gather(passOf(work, engine));
      if ('until' in gathered) return awaitObservation(work, gathered);
      if ('hold' in gathered && gathered.hold.leaves) {
        return release(work.object, EventReason.Orphaned, gathered.hold.message);
      }
      if ('hold' in gathered) return end(work.object, memory, { accountRef, hold: gathered.hold });
      const { facts } = gathered;
      const found = kind.identify(facts);
      if (!found) return release(work.object, EventReason.Deleted, 'Nothing is left of it at the service.');
      memory.progress = afterSight(memory.progress, found, memory.lost);
      if (isLeftBehind(work.object, memory.progress.ownership)) {
        const message = `Let go; ${found.id} stays at the service: nothing shows that this resource made it. With deletionPolicy: Delete it would have been deleted.`;
        return release(work.object, EventReason.Orphaned, message);
      }
      const plan = kind.planDeletion(facts);
      if (plan.hold) return end(work.object, memory, { accountRef, facts, plan });
      const failed = await act(work, facts, plan);
      if (failed) return endFailed(work, failed, { accountRef, facts, plan }, kind.planDeletion);
      if (plan.steps.some((step) => step.do === 'delete')) {
        return release(work.object, EventReason.Deleted, sentenceOf(plan.steps, kind.describe));
      }
    }
    return { requeue: 'backoff' };
  }

  /** Lets go of what an interrupted creation made, if it made something: a person has to know what goes on costing money. */
  async function letGo(work: Work<T>): Promise<Result> {
    const { object, memory, accountRef } = work;
    const gathered = await kind.gather(passOf(work, engine));
    if ('until' in gathered) return awaitObservation(work, gathered);
    if ('facts' in gathered) {
      return release(object, EventReason.Orphaned, letGoMessage(kind.identify(gathered.facts)?.id));
    }
    const { hold } = gathered;
    if (hold.leaves) return release(object, EventReason.Orphaned, hold.message);
    if (!hold.candidates) return end(object, memory, { accountRef, hold });
    return release(object, EventReason.Orphaned, letGoMessage(undefined, hold.candidates));
  }

  async function reconcileObject(
    key: ObjectKey,
    seen: T,
    memory: Memory,
    signal: AbortSignal,
    slot: Slot,
  ): Promise<Result> {
    const deleting = seen.metadata.deletionTimestamp !== undefined;
    if (deleting && !ownFinalizer(seen)) return { requeue: 'never' };
    if (isSet(seen, Annotation.abandon)) return abandon(seen, memory, deleting);
    // Of what was abandoned and is taken back only the status tells, and it is about to be written anew.
    const isTakenBack = memory.creationUnclear && !ownFinalizer(seen);
    const object = isTakenBack ? await writes.finalizer(seen, 'create') : seen;
    const resolve = () =>
      engine.accounts.resolve(object.metadata.namespace ?? '', object.spec, object.status?.accountRef);
    const begin = (account: AccountInUse): Work<T> => {
      memory.began ??= slot.number;
      const turn = { urgency: urgencyOf(kind, object), began: memory.began };
      const { session, accountRef } = account;
      return { key, object, memory, signal, slot, turn, session, accountRef, check: () => undefined };
    };
    const pausedBy = engine.accounts.pausedBy(object.metadata.namespace ?? '', object.spec, object.status?.accountRef);
    if (isPaused(object) || pausedBy !== undefined) {
      // It may be paused before what was not sent was taken back.
      const current = deleting ? object : await takeBack(object, memory);
      const account = memory.isHalfWay ? resolve() : undefined;
      const seen = account && 'session' in account ? await look(begin(account), kind.plan) : undefined;
      await writeOutcome(current, memory, {
        ...seen,
        hold: pausedHold(deleting, isPaused(object) ? undefined : pausedBy),
      });
      // What was seen before the pause may be of long ago when it ends.
      memory.notBefore = clock.monotonic();
      return { requeue: 'never' };
    }
    const isLeft = deleting && isLeftBehind(object, memory.progress.ownership);
    if (isLeft && !memory.creationUnclear) {
      return release(object, EventReason.Orphaned, letGoMessage(memory.progress.id));
    }
    if (memory.waitError !== undefined) {
      const { waitError } = memory;
      memory.waitError = undefined;
      throw waitError;
    }
    const resolved = resolve();
    if ('hold' in resolved) {
      // Where nobody waits for anything new: a Secret that changed is not served yet, which is to be reported.
      const isNewsless = memory.inputsVersion === memory.inputsVersionGathered;
      const isUntold = resolved.hold.keepsReady && !deleting && isNewsless && !memory.isHalfWay && isReadyNow(object);
      // One that changed before this process began was no news to it.
      const isSame = async () => !isSettled(object) || (await kind.isAsRecorded?.(object)) !== false;
      if (isUntold && (await isSame())) return resync();
      return end(object, memory, { hold: resolved.hold });
    }
    const { leaving } = resolved;
    if (leaving && !deleting && memory.progress.id === undefined && !ownFinalizer(object)) {
      return end(object, memory, { hold: leaving });
    }
    const work = begin(resolved);
    if (isLeft) return letGo(work);
    return deleting ? remove(work) : converge(work);
  }

  async function abandon(object: T, memory: Memory, deleting: boolean): Promise<Result> {
    // Without the finalizer nothing else would tell that something may have been made, and taken back it would be made twice.
    const creationUnclear = deleting ? undefined : unclearOf(memory);
    if (creationUnclear) await writeOutcome(object, memory, { hold: abandonedHold, creationUnclear });
    const released = await release(
      informer.get(object.metadata.namespace, object.metadata.name) ?? object,
      EventReason.Orphaned,
      abandonedMessage(memory.progress.id, memory.creationUnclear),
    );
    if (deleting) return released;
    const current = informer.get(object.metadata.namespace, object.metadata.name) ?? object;
    await writeOutcome(current, memory, { hold: abandonedHold, creationUnclear });
    return released;
  }

  return {
    kind: kindName,
    resource: kind.resource,

    urgencyOf(key) {
      const { namespace, name } = parseKey(key);
      const object = informer.get(namespace, name);
      return object && urgencyOf(kind, object);
    },

    async reconcile(key, signal, slot) {
      const { namespace, name } = parseKey(key);
      const object = informer.get(namespace, name);
      if (!object) {
        memories.forget(key);
        return { requeue: 'never' };
      }
      const memory = memories.recall(key, object);
      try {
        return await reconcileObject(key, object, memory, signal, slot);
      } catch (error) {
        if (signal.aborted) return breakOff(key, memory);
        return fail(key, memory, error, object.metadata.generation ?? 0);
      }
    },

    reconsider(key) {
      const memory = memories.peek(key);
      if (memory) memory.inputsVersion++;
    },

    audit(key) {
      const memory = memories.peek(key);
      if (memory) memory.thorough = true;
    },
  };
}
