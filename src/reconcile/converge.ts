import { Annotation, markOf } from './annotations.ts';
import { brake } from './brake.ts';
import { contentionOf, nextCorrections } from './contention.ts';
import { nextCreation } from './creation.ts';
import { ownFinalizer } from './finalizer.ts';
import { nextFreshness } from './freshness.ts';
import { DecisionOutdatedError } from './guard.ts';
import { nextInputs } from './inputs.ts';
import type { Awaited } from './kind.ts';
import { createLateLook } from './late-look.ts';
import { withLate } from './late-writes.ts';
import type { AccountRef, ManagedObject } from './managed-object.ts';
import { creates, type Hold, type Plan, type Step } from './plan.ts';
import { afterPlan, RECONCILE_MARK } from './progress.ts';
import { holdForHour } from './queued.ts';
import type { Result } from './reconciler.ts';
import { causesIn } from './report-changes.ts';
import { createSecondLook } from './second-look.ts';
import { MOST_ROUNDS, type Tools } from './tools.ts';
import { createTurnAhead } from './turn-ahead.ts';
import { isHidden } from './unseen.ts';
import type { CommonReason } from './verdict.ts';
import { passOf, type Work } from './work.ts';

/** What a round found, and makes of it. */
interface Seen<F, S extends Step> {
  readonly accountRef: AccountRef;
  readonly facts: F;
  readonly plan: Plan<S>;
}

/** Brings what is at the service to what the spec says, round by round: gather, plan, act. */
export function createConvergence<T extends ManagedObject, F, S extends Step>(tools: Tools<T, F, S>) {
  const { kind, engine, writes, report, executePlan, guardOf, approval, recognise, reportAdopted } = tools;
  const { awaitObservation, end, endFailed, putOnRecord, readsAgain, taken, triesAgain, unseen, waitOf } = tools;
  const { clock } = engine;
  const late = createLateLook(kind, clock);
  const secondLook = createSecondLook<T, F, S>({ kind, clock, putOnRecord });
  const turns = createTurnAhead<T, F, S>({ kind, clock, waitOf });

  return async function converge(work: Work<T>): Promise<Result> {
    const { memory, accountRef } = work;
    const startedAt = clock.monotonic();
    let mayWait = true;
    for (let round = 0; round < MOST_ROUNDS; round++) {
      const asked = askedAnew(work);
      const isNewlyAsked = asked !== undefined && memory.freshness.askedBy !== asked;
      if (asked !== undefined) beginAnew(work, asked, isNewlyAsked);
      await recordMade(work);
      const isHalfKnown = memory.unclearWrites.size > 0 || memory.progress.pending.length > 0;
      const settling = isHalfKnown ? settlingOf(work) : undefined;
      if (settling) return awaitObservation(work, settling);
      memory.inputs = nextInputs(memory.inputs, { type: 'gathering' });
      work.check = guardOf(work);
      const { generation = 0 } = work.object.metadata;
      const turn = mayWait && !isNewlyAsked ? turns.before(work) : undefined;
      const gathered = await report.whileGathering(work, () => kind.gather(passOf(work, engine, turn)));
      if ('until' in gathered) {
        if (gathered.requests) readsAgain(work, gathered.requests);
        return awaitObservation(work, gathered);
      }
      if ('hold' in gathered) {
        return end(work.object, memory, { accountRef, hold: gathered.hold });
      }
      const { facts } = gathered;
      afterGathering(work, asked, facts);
      const had = memory.progress.id;
      const found = recognise(work, facts);
      // What was applied, or sent, to the one that has vanished was not to what is in its place.
      if (had !== undefined && had !== found?.id) memory.late = new Map();
      if (found && had !== undefined && had !== found.id) continue;
      const planned = kind.plan(facts);
      if (turn && turns.isOfOther(turn, work, planned)) {
        mayWait = false;
        continue;
      }
      if (!turn && late.settle(work, facts, planned)) continue;
      const plan = approval.toBeAsked(work, planned);
      const seen = { accountRef, facts, plan };
      if (creates(plan) && work.unrecorded) return end(work.object, memory, { hold: work.unrecorded });
      const isLeft = creates(plan) && work.leaving !== undefined;
      // What vanished may be shown again, and would then be nobody's.
      const isForgotten = isLeft ? memory.lost === undefined : !creates(plan);
      if (!found && memory.progress.id === undefined && isForgotten) await forgetIntent(work);
      checkUnchanged(work, generation);
      if (isLeft) return end(work.object, memory, { hold: work.leaving });
      if (work.object.spec.managementPolicy === 'Observe') {
        taken(work.object.metadata.uid);
        return end(work.object, memory, seen);
      }
      const isWork = plan.steps.length > 0;
      const refusal = turn?.hold ?? turns.refusal(work, plan);
      const answer = isWork && !refusal ? approval.ask(work, plan, causesIn(kind, work, plan)) : undefined;
      const unapproved = answer && 'hold' in answer ? answer : undefined;
      const refused = refusal ?? unapproved?.hold ?? (isWork ? await braked(work, plan) : undefined);
      if (!refused && (await secondLook.beforeCreation(work, facts, plan))) continue;
      if (found || (creates(plan) && !refused)) await recordIntent(work, seen, found, creates(plan) && !refused);
      checkUnchanged(work, generation);
      if (secondLook.beforeSettling(work, plan, startedAt)) continue;
      if (plan.steps.length === 0) {
        const awaited = late.awaitedBy(work, facts, plan);
        memory.progress = afterPlan(memory.progress, plan);
        if (awaited) {
          // On record for a crash, and nobody's until it is there: somebody else may set it meanwhile.
          const intended = withLate(memory.progress.intended, memory.late, awaited.fields);
          memory.progress = { ...memory.progress, unwritten: awaited.fields, intended };
          return end(work.object, memory, { ...seen, hold: awaited.hold });
        }
        if (!plan.hold) {
          memory.settledGeneration = generation;
          memory.isInterrupted = false;
        }
        // What may have been done was seen to be so.
        if (memory.progress.pending.length === 0) memory.unclearWrites.clear();
        memory.inputs = nextInputs(memory.inputs, { type: 'settled' });
        taken(work.object.metadata.uid);
        return end(work.object, memory, seen);
      }
      if (!refused && kind.isOld?.(work, facts)) continue;
      const hold = refused ?? holdBeforeSteps(work, plan, asked !== undefined);
      if (hold || !answer || 'hold' in answer)
        return end(work.object, memory, { ...seen, hold, asked: unapproved?.asked });
      const arriving = settlingOf(work, plan);
      if (arriving) return awaitObservation(work, arriving);
      triesAgain(work, plan.steps);
      const failed = await executePlan(work, facts, answer);
      if (failed) return endFailed(work, failed, seen, kind.plan);
    }
    return { requeue: 'backoff' };
  };

  /**
   * What was sent and not answered may arrive after the next write, and after a reading. Where it shows in lists that is put
   * right; where each look costs a part of an hour's requests, it might not be seen for hours, and of a secret never: one
   * goes only when none of before can be held anywhere any more.
   */
  function settlingOf({ memory, session, signal }: Work<T>, plan?: Plan<S>): Awaited | undefined {
    const { openUntil = Number.NEGATIVE_INFINITY, heldUntil = openUntil } = memory.freshness;
    const isUnseen = plan?.steps.some((step) => isHidden(kind, step)) === true;
    const ofOthers = unseen.until(session, memory.progress.id) ?? openUntil;
    const until = isUnseen ? Math.max(openUntil, heldUntil, ofOthers) : openUntil;
    const left = Math.ceil(until - clock.monotonic());
    return kind.sharesHour && left > 0 ? { until: clock.sleep(left, signal) } : undefined;
  }

  /** The value of the annotation by which a person asks for another try, if it is new. */
  function askedAnew({ object, memory }: Work<T>): string | undefined {
    const asked = markOf(object, Annotation.reconcileAt);
    return asked === memory.progress.marks[RECONCILE_MARK] ? undefined : asked;
  }

  /** `isNew`: not asked by just this before, which then could not be looked at. */
  function beginAnew({ memory }: Work<T>, by: string, isNew: boolean): void {
    if (isNew) memory.inputs = nextInputs(memory.inputs, { type: 'changed' });
    memory.freshness = nextFreshness(memory.freshness, { type: 'asked', by, at: clock.monotonic() });
  }

  function afterGathering({ memory, object }: Work<T>, asked: string | undefined, facts: F): void {
    const { unread, refusal } = memory.inputs;
    // It was read: the next that could not be may be.
    if (unread && !refusal?.isPassing) taken(object.metadata.uid);
    memory.freshness = nextFreshness(memory.freshness, { type: 'gathered' });
    memory.inputs = nextInputs(memory.inputs, { type: 'gathered' });
    // What was taken away to be set again is neither applied nor new: it is missed until it is there.
    if (memory.isHalfWay && kind.impairment(facts, () => true) === undefined) {
      memory.isHalfWay = false;
      memory.isBackUntold = true;
    }
    if (asked === undefined) return;
    memory.progress = { ...memory.progress, marks: { ...memory.progress.marks, [RECONCILE_MARK]: asked } };
  }

  /** Nothing is on record of a creation that is held: the brakes are asked before its intent is. */
  async function braked(work: Work<T>, plan: Plan<S>): Promise<Hold<string> | undefined> {
    return kind.isCostly && creates(plan) ? brake(engine, 'Creation', work) : undefined;
  }

  /** What was planned for one spec must not be told of another, which came while something was put on record. */
  function checkUnchanged({ object }: Work<T>, generation: number): void {
    if ((object.metadata.generation ?? 0) !== generation) throw new DecisionOutdatedError('the resource was changed');
  }

  /** Nothing is there, and nothing is to be made: what somebody else makes later is not this resource's work. */
  async function forgetIntent(work: Work<T>): Promise<void> {
    work.memory.creation = nextCreation(work.memory.creation, { type: 'withdrawn' }, engine);
    work.object = await writes.finalizer(work.object, undefined);
    work.finalizer = undefined;
  }

  /**
   * After a crash between the finalizer and the first status nobody could tell in which of two accounts what was begun is:
   * there the status comes first.
   */
  async function recordAccount(work: Work<T>, { facts, plan }: Seen<F, S>): Promise<void> {
    if (ownFinalizer(work.object) !== undefined || !engine.accounts.isAmbiguous(work.object)) return;
    await putOnRecord(work, { facts, plan: { ...plan, drift: [] } });
  }

  /**
   * What was just made is put on record before anything else, where nothing but its name would lead to it after a crash:
   * somebody may rename it meanwhile. So what is not taken is tried once more at once.
   */
  async function recordMade(work: Work<T>): Promise<void> {
    const { id, ownership } = work.memory.progress;
    if (!kind.isCostly || id === undefined || ownership !== 'Created' || work.object.status?.id !== undefined) return;
    await putOnRecord(work).catch(() => putOnRecord(work));
  }

  /** Has the finalizer say what is about to be done, before it is. */
  async function recordIntent(
    work: Work<T>,
    seen: Seen<F, S>,
    found: { id: string } | undefined,
    isCreating: boolean,
  ): Promise<void> {
    await recordAccount(work, seen);
    const { memory } = work;
    const before = ownFinalizer(work.object);
    const isAdopted = memory.progress.ownership === 'Adopted';
    // Somebody may have taken it off, as `kubectl replace` does: then it is put back as it was.
    const intent = isCreating ? 'create' : isAdopted ? 'adopt' : (before ?? 'create');
    const isNews = before !== 'adopt' && work.object.status?.id !== found?.id;
    work.object = await bound(work, () => writes.finalizer(work.object, intent));
    work.finalizer = intent;
    if (intent === 'adopt' && (isNews || memory.isRestored)) reportAdopted(work, found);
  }

  /** What has nothing in its account yet gets its finalizer only while that is there, and does not go meanwhile. */
  async function bound({ object, accountRef, leaving }: Work<T>, write: () => Promise<T>): Promise<T> {
    const isBound = object.status?.id !== undefined || ownFinalizer(object) !== undefined;
    // Of what goes on in an account that is deleted the pass was decided knowing that.
    if (isBound || leaving) return write();
    const end = engine.accounts.bind(object, accountRef);
    if (!end) throw new DecisionOutdatedError('the account was deleted');
    try {
      return await write();
    } finally {
      end();
    }
  }

  /** Why steps that the service would take are not sent now. */
  function holdBeforeSteps(work: Work<T>, plan: Plan<S>, isAnew: boolean): Hold<CommonReason> | undefined {
    const { memory, object, session } = work;
    const generation = object.metadata.generation ?? 0;
    // Of this process alone: so goes the hour, too.
    const now = { monotonic: clock.monotonic(), wall: clock.now() };
    memory.corrections = nextCorrections(memory.corrections, {
      type: 'planned',
      generation,
      isAnew,
      at: now.monotonic,
    });
    const contested = contentionOf(memory.corrections, memory.progress.applied, plan, now);
    if (contested || !kind.sharesHour) return contested;
    const hour = session.hourFor(kind.sharesHour, object.metadata.namespace);
    // Of a small hour reads may have all that a change may: what does not wait beside them never has a turn.
    if (hour.most <= hour.reads && hour.closedUntil === undefined) return undefined;
    return holdForHour(hour, now.wall);
  }
}
