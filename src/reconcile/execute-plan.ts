import { CloudError, RejectedError } from '../cloud/errors.ts';
import { timestamp } from '../kubernetes/objects.ts';
import { approvalAfter, isOnRecord } from './approval.ts';
import type { Permitted } from './ask-approval.ts';
import { carryOut, type StepOutcome } from './carry-out.ts';
import { changeAnnotations } from './change-event.ts';
import { nextCorrections } from './contention.ts';
import { type CreationEvent, nextCreation } from './creation.ts';
import type { Engine } from './engine.ts';
import { isOfItsCall, wasRefused } from './failure.ts';
import { ownFinalizer } from './finalizer.ts';
import { nextFreshness } from './freshness.ts';
import { nextInputs } from './inputs.ts';
import type { ManagedKind } from './kind.ts';
import { withoutOthers, withStep } from './late-writes.ts';
import type { ManagedObject, Marks, Progress } from './managed-object.ts';
import { advanced, type Memory, nowOf, unsettledSince } from './memory.ts';
import { nameFields } from './name-fields.ts';
import { namesWhatVanished } from './object-state.ts';
import { creates, type Plan, type Step } from './plan.ts';
import {
  afterFailure,
  afterStep,
  aheadOf,
  CREATED_MARK,
  definedMarks,
  mustBeStored,
  VANISHED_MARK,
} from './progress.ts';
import { createChangeReporter, type PlanReporter } from './report-changes.ts';
import type { createProgressReporter } from './report-progress.ts';
import { isMaybeDone, type Sending, unsent, watched } from './sending.ts';
import { summaryOf } from './summary.ts';
import { isHidden, type UnseenWrites } from './unseen.ts';
import { passOf, type Work } from './work.ts';
import type { PassOutcome } from './write-outcome.ts';

/** The cluster says what time it is in whole seconds. Milliseconds. */
const SECOND_MILLISECONDS = 1000;

/** What a step failed with. */
interface FailedStep<S extends Step> {
  readonly step: S;
  readonly error: unknown;
  readonly sending: Sending;
}

/** What was done of a plan that failed, and what was known before. */
interface Reached<S extends Step> {
  readonly plan: Plan<S>;
  readonly done: readonly S[];
  readonly failures: readonly FailedStep<S>[];
  readonly before: Progress;
}

/**
 * What says something of more than its own call decides first, then what is tried again for its turn, what is tried again soon,
 * and at last what is not.
 */
function patienceWith({ error }: Pick<FailedStep<Step>, 'error'>): number {
  if (!isOfItsCall(error)) return 0;
  if (error instanceof RejectedError) return 3;
  return error instanceof CloudError && error.class === 'Conflict' ? 1 : 2;
}

/** Why a plan was not carried out to its end. */
export interface Failed {
  /** What decides when it is tried again. */
  readonly error: unknown;
  /** What else failed. */
  readonly others: readonly unknown[];
  /** What is at the service is no longer as the facts have it. */
  readonly hasEffect: boolean;
}

/**
 * Carries out the steps of a plan in order; what was done stays known even if a later step fails. Those that need nothing of
 * one that failed are tried all the same: what the service does not take of one field keeps no other from being put right.
 */
export function createPlanExecutor<T extends ManagedObject, F, S extends Step>(options: {
  readonly kind: ManagedKind<T, F, S>;
  readonly putOnRecord: (work: Work<T>, found?: PassOutcome<F, S>) => Promise<void>;
  readonly report: ReturnType<typeof createProgressReporter<T, F, S>>;
  readonly unseen: UnseenWrites;
  readonly engine: Engine;
}) {
  const { kind, putOnRecord, report, unseen, engine } = options;
  const { clock } = engine;
  const reporterOf = createChangeReporter(kind, engine);

  /** Stores what a crash between a call and the next status write must not make the operator forget. */
  async function writeAhead(work: Work<T>, facts: F, { plan, digests }: Permitted<S>): Promise<void> {
    const { memory, object } = work;
    const creating = ownFinalizer(object) === 'create' && object.status?.id === undefined;
    const { progress, creation } = memory;
    // What is being deleted is never told as Ready.
    const isInUse = object.metadata.deletionTimestamp === undefined;
    const ahead = aheadOf(progress, plan, (step) => digests.size > 0 || (isInUse && kind.interrupts?.(step) === true));
    memory.progress = { ...ahead, intended: withoutOthers(ahead.intended, memory.late) };
    // What vanished must leave the status before it is created anew: else a crash would leave the old ID beside the new
    // SIM, and nothing to say that a creation was under way.
    const isOutdated = namesWhatVanished(object, memory.progress);
    const isKnown = isOnRecord(object.status?.approval, progress.approval);
    // By when it was asked for before nobody could tell that what is made now is its own.
    const isAskedAgain = memory.creation.state === 'unclear' && creates(plan);
    if (isAskedAgain) note(memory, { type: 'asked again', now: nowOf(engine) });
    if (!mustBeStored(progress, memory.progress, creating) && !isOutdated && isKnown && !isAskedAgain) return;
    try {
      await putOnRecord(work, { facts, plan: { ...plan, drift: [] } });
    } catch (error) {
      // It is not on record: the next try has to store it before any call.
      memory.progress = progress;
      memory.creation = creation;
      throw error;
    }
  }

  function afterStepDone(memory: Memory, { plan, digests }: Permitted<S>, step: S, result: StepOutcome): void {
    memory.finalizerLosses = 0;
    const progress = afterStep(memory.progress, plan, step, result);
    const approval = approvalAfter(progress.approval, digests.get(step), result.id);
    memory.progress = { ...progress, ...(approval && { approval }) };
    memory.isHalfWay ||= kind.interrupts?.(step) === true;
    if (step.do === 'delete') note(memory, { type: 'gone' });
    if (step.do !== 'create') return;
    note(memory, { type: 'answered', at: clock.monotonic() });
    const marks = {
      ...memory.progress.marks,
      [CREATED_MARK]: timestamp(engine.time.earliest() + SECOND_MILLISECONDS),
      [VANISHED_MARK]: undefined,
    };
    memory.progress = { ...memory.progress, marks: definedMarks(marks) };
  }

  function afterPlanFailed(work: Work<T>, reached: Reached<S>): void {
    const { memory } = work;
    const { plan, done, failures, before } = reached;
    for (const failure of failures) afterStepFailed(work, reached, failure);
    const left = plan.steps.filter((step) => !done.includes(step));
    memory.inputs = nextInputs(memory.inputs, { type: 'failed', steps: left });
    const unclear = failures.filter(({ error, sending }) => isMaybeDone(error, sending)).map(({ step }) => step);
    const isFinal = failures.every(({ error }) => error instanceof RejectedError);
    memory.progress = afterFailure(memory.progress, {
      plan,
      reached: [...done, ...unclear],
      before: before.pending,
      isFinal,
    });
  }

  function afterStepFailed(
    work: Work<T>,
    { plan, done, before }: Reached<S>,
    { step, error, sending }: FailedStep<S>,
  ): void {
    const { memory } = work;
    const isUnclear = isMaybeDone(error, sending);
    // What a step that was done asked for, too, stays on record.
    const recorded = { ...before.marks, ...Object.assign({}, ...done.map((one) => one.marks)) };
    if (step.do === 'create') afterCreationFailed(memory, step, error, sending.at);
    else if (!isUnclear) unintend(memory, step, recorded);
    if (isUnclear) {
      const now = clock.monotonic();
      memory.freshness = nextFreshness(memory.freshness, {
        type: 'unanswered',
        until: now + engine.settleMilliseconds,
      });
      awaitLate(work, plan, step);
    }
    if (step.do === 'delete' && isUnclear) note(memory, { type: 'gone' });
    memory.isHalfWay ||= isUnclear && kind.interrupts?.(step) === true;
  }

  /** Whether others may be tried after it: the steps of a deletion need one another. */
  function mayGoOn({ object }: Work<T>, { error }: FailedStep<S>): boolean {
    return object.metadata.deletionTimestamp === undefined && kind.goesOn !== undefined && isOfItsCall(error);
  }

  /** A try of the step that nobody answered may arrive after the one that was answered. */
  function awaitLate({ memory, session }: Work<T>, plan: Plan<S>, step: S): void {
    const heldUntil = clock.monotonic() + engine.shownMilliseconds;
    memory.freshness = nextFreshness(memory.freshness, { type: 'held', heldUntil });
    memory.late = withStep(memory.late, step, plan.applied);
    const { id } = memory.progress;
    if (id !== undefined && isHidden(kind, step)) unseen.note(session, id, heldUntil);
  }

  function afterCreationFailed(memory: Memory, step: S, error: unknown, sentAt: number | undefined): void {
    if (sentAt === undefined || wasRefused(error)) {
      note(memory, { type: 'withdrawn' });
      unintend(memory, step, {});
      return;
    }
    const now = nowOf(engine);
    note(memory, { type: 'unanswered', sentAt, now });
    const until = now.monotonic + engine.settleMilliseconds;
    memory.freshness = nextFreshness(memory.freshness, { type: 'unsettled', until });
  }

  function note(memory: Memory, event: CreationEvent): void {
    memory.creation = nextCreation(memory.creation, event, engine);
  }

  /** Takes back what was put on record for a step that is known not to have been carried out; `recorded`: what was before. */
  function unintend(memory: Memory, step: S, recorded: Marks): void {
    const unintended = Object.fromEntries(Object.keys(step.marks ?? {}).map((mark) => [mark, recorded[mark]]));
    memory.progress = { ...memory.progress, marks: definedMarks({ ...memory.progress.marks, ...unintended }) };
  }

  /** One event for what a pass did. */
  function reportDone(
    work: Work<T>,
    done: readonly S[],
    { plan, hash, digests }: Permitted<S>,
    { causeOf }: PlanReporter<S>,
  ): void {
    const { object, memory } = work;
    const summary = summaryOf(done, plan, { describe: kind.describe, causeOf });
    if (!summary || object.metadata.deletionTimestamp !== undefined) return;
    const { reason, message, cause, drifted, isRoutine } = summary;
    if (drifted !== undefined) {
      memory.corrections = nextCorrections(memory.corrections, { type: 'corrected', at: clock.monotonic() });
    }
    for (const field of drifted ?? []) engine.onDrift(kind.definition.kind, field);
    const approval = done.some((step) => digests.has(step)) ? hash : undefined;
    const annotations = changeAnnotations(object, memory.progress.id, cause, done, approval);
    const routine = isRoutine && approval === undefined ? `${reason} for ${cause}` : undefined;
    engine.events.record({ object, type: 'Normal', reason, message, annotations, routine });
    const { namespace, name } = object.metadata;
    engine.log.info({ kind: kind.definition.kind, namespace, name, reason }, message);
  }

  return async function executePlan(work: Work<T>, facts: F, permitted: Permitted<S>): Promise<Failed | undefined> {
    const { memory } = work;
    const before = memory.progress;
    const { plan, hash, digests } = permitted;
    const reporter = reporterOf(work, plan, (step) => (digests.has(step) ? hash : undefined));
    await writeAhead(work, facts, permitted);
    const unfinished = unsettledSince(memory.unfinished, clock.monotonic());
    memory.unfinished = { ...unfinished, wrote: unfinished.wrote || plan.steps.length > 0 };
    const { id } = memory.progress;
    const done: S[] = [];
    const failures: FailedStep<S>[] = [];
    const left: S[] = [];
    let sending = unsent();
    const stage = () => (memory.isHalfWay ? 'half-way' : sending.isOnItsWay ? 'applying' : 'queued');
    const reporting = report.whileLong(work, stage, { facts, plan });
    try {
      for (const step of plan.steps) {
        if (left.some((one) => !kind.goesOn?.(facts, plan.steps, one, step))) {
          left.push(step);
          continue;
        }
        sending = unsent();
        const changes = reporter.ofStep(step);
        try {
          const result = await carryOut(kind, step, watched(passOf(work, engine), sending, changes, engine.time));
          changes.done(result);
          afterStepDone(memory, permitted, step, result);
          if (sending.isLate) awaitLate(work, plan, step);
          done.push(step);
        } catch (error) {
          changes.failed(error);
          const failure = { step, error, sending };
          failures.push(failure);
          left.push(step);
          if (!mayGoOn(work, failure)) break;
        }
      }
      if (failures.length > 0) {
        afterPlanFailed(work, { plan, done, failures, before });
        const [error, ...others] = failures
          .toSorted((one, other) => patienceWith(one) - patienceWith(other))
          .map((failure) => nameFields(failure.error, failure.step, work.object));
        return { error, others, hasEffect: done.length > 0 || memory.isHalfWay };
      }
      if (done.length > 0) memory.unfinished = advanced(memory.unfinished, clock.monotonic());
      // What was cleared so that others can move, and waits for them, or is out of service for good, is missed until it is seen.
      memory.isHalfWay &&= plan.hold !== undefined || kind.takesAway?.(plan.steps) === true;
      return undefined;
    } finally {
      memory.freshness = nextFreshness(memory.freshness, { type: 'changed', at: clock.monotonic() });
      for (const changed of new Set([id, memory.progress.id])) {
        if (changed !== undefined) work.session.changes.note(changed);
      }
      reportDone(work, done, permitted, reporter);
      await reporting.stop();
    }
  };
}
