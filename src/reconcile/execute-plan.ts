import type { Clock } from '../clock.ts';
import type { Informer } from '../kubernetes/informer.ts';
import { timestamp } from '../kubernetes/objects.ts';
import type { Engine } from './engine.ts';
import { EventReason } from './events.ts';
import { mayBeDone, wasRefused } from './failure.ts';
import { ownFinalizer } from './finalizer.ts';
import type { Drift, ManagedKind, ManagedObject, Pass, Plan, Step } from './kind.ts';
import { type Memory, momentIn } from './memory.ts';
import { afterStep, aheadOf, CREATED_MARK, definedMarks, mustBeStored } from './progress.ts';
import type { createProgressReporter } from './report-progress.ts';
import { correctsDrift } from './status.ts';
import { passOf, type Work } from './work.ts';
import type { PassOutcome } from './write-outcome.ts';

/** What this process asked for may seem to have been made this long before, by the service's clock. Milliseconds. */
const CLOCKS_APART_MILLISECONDS = 60_000;

/** Characters of a value that an event shows. */
const LONGEST_VALUE_CHARACTERS = 80;

/** When a request left first, by the wall clock; undefined when none did. */
interface Sending {
  at: number | undefined;
  /** How often: a call that may be sent twice is tried again by itself. */
  times: number;
}

/** A pass that notes when a request of its calls leaves. */
function watched<T extends ManagedObject>(pass: Pass<T>, sending: Sending, clock: Clock): Pass<T> {
  const onSent = () => {
    sending.at ??= clock.now();
    sending.times++;
  };
  return { ...pass, call: (lane) => ({ ...pass.call(lane), onSent }) };
}

/** Steps in the past tense, as one sentence. */
export function sentenceOf<S extends Step>(steps: readonly S[], describe: (step: S) => string): string {
  const sentence = steps.map(describe).join('; ');
  return `${sentence.charAt(0).toUpperCase()}${sentence.slice(1)}.`;
}

/** Why a plan was not carried out to its end. */
export interface Failed {
  readonly error: unknown;
  /** What is at the service is no longer as the facts have it. */
  readonly hasEffect: boolean;
}

/** What was found in place of what is wanted, as a sentence with a space after it; empty where nothing differs. */
export function foundSentence(drift: readonly Drift[]): string {
  if (drift.length === 0) return '';
  const shown = drift.map(({ field, desired, observed }) => `${field} ${brief(observed)} instead of ${brief(desired)}`);
  return `Found ${shown.join('; ')}. `;
}

/** Long values are in `status.drift`, and would leave no room for what was done. */
function brief(text: string): string {
  return text.length > LONGEST_VALUE_CHARACTERS ? `${text.slice(0, LONGEST_VALUE_CHARACTERS)}…` : text;
}

/** Carries out the steps of a plan in order; what was done stays known even if a later step fails. */
export function createPlanExecutor<T extends ManagedObject, F, S extends Step>(options: {
  readonly kind: ManagedKind<T, F, S>;
  readonly informer: Informer<T>;
  readonly writeOutcome: (object: T, memory: Memory, outcome: PassOutcome<F, S>) => Promise<void>;
  readonly report: ReturnType<typeof createProgressReporter<T, F, S>>;
  readonly engine: Engine;
}) {
  const { kind, informer, writeOutcome, report, engine } = options;
  const { clock } = engine;

  /** Stores what a crash between a call and the next status write must not make the operator forget. */
  async function writeAhead(work: Work<T>, facts: F, plan: Plan<S>): Promise<void> {
    const { memory, accountRef, object } = work;
    const creating = ownFinalizer(object) === 'create' && object.status?.id === undefined;
    const { progress } = memory;
    memory.progress = aheadOf(progress, plan);
    // What vanished must leave the status before it is created anew: else a crash would leave the old ID beside the new
    // SIM, and nothing to say that a creation was under way.
    const namesWhatVanished = object.status?.id !== undefined && memory.progress.id === undefined;
    if (!mustBeStored(progress, memory.progress, creating) && !namesWhatVanished) return;
    try {
      await writeOutcome(object, memory, { accountRef, facts, plan: { ...plan, drift: [] }, unsettled: true });
    } catch (error) {
      // It is not on record: the next try has to store it before any call.
      memory.progress = progress;
      throw error;
    }
    work.object = informer.get(object.metadata.namespace, object.metadata.name) ?? object;
  }

  function afterFailedCreation(memory: Memory, step: S, error: unknown, sentAt: number | undefined): void {
    if (sentAt !== undefined && !wasRefused(error)) {
      memory.creationUnclear = true;
      memory.unclearSince = sentAt - CLOCKS_APART_MILLISECONDS;
      memory.unclearUntil = clock.now() + engine.settleMilliseconds + CLOCKS_APART_MILLISECONDS;
      memory.absentNotBefore = clock.monotonic() + engine.settleMilliseconds;
      memory.shownFrom = momentIn(clock, engine.settleMilliseconds + engine.shownMilliseconds);
    } else {
      memory.creationUnclear = false;
      memory.shownFrom = undefined;
      unintend(memory, step);
    }
  }

  /** Takes back what was put on record for a step that is known not to have been carried out. */
  function unintend(memory: Memory, step: S): void {
    const unintended = Object.fromEntries(Object.keys(step.marks ?? {}).map((mark) => [mark, undefined]));
    memory.progress = { ...memory.progress, marks: definedMarks({ ...memory.progress.marks, ...unintended }) };
  }

  /** One event for what a pass did. */
  function reportDone(
    work: Work<T>,
    all: readonly S[],
    applied: Readonly<Record<string, unknown>>,
    plan: Plan<S>,
  ): void {
    const { object, memory } = work;
    const done = all.filter((step) => !step.repeats);
    if (done.length === 0 || object.metadata.deletionTimestamp !== undefined) return;
    // Steps that only follow from others, as putting settings into effect, say nothing of why.
    const primary = done.filter((step) => !step.follows);
    const drifted = primary.filter((step) => correctsDrift(step.fields, applied, plan.applied));
    if (drifted.length > 0) memory.corrections.times.push(clock.monotonic());
    for (const field of drifted.flatMap((step) => step.fields ?? [])) engine.onDrift(kind.definition.kind, field);
    const reason = done.some((step) => step.do === 'create')
      ? EventReason.Created
      : drifted.length > 0 && drifted.length === primary.length
        ? EventReason.DriftCorrected
        : EventReason.Updated;
    const found = reason === EventReason.DriftCorrected ? foundSentence(plan.drift) : '';
    const message = `${found}${sentenceOf(done, kind.describe)}`;
    engine.events.record({ object, type: 'Normal', reason, message });
    const { namespace, name } = object.metadata;
    engine.log.info({ kind: kind.definition.kind, namespace, name, reason }, message);
  }

  return async function act(work: Work<T>, facts: F, plan: Plan<S>): Promise<Failed | undefined> {
    const { memory } = work;
    await writeAhead(work, facts, plan);
    memory.unsettledSince ??= clock.monotonic();
    const before = memory.progress.applied;
    const done: S[] = [];
    const now: { sending: Sending } = { sending: { at: undefined, times: 0 } };
    const stage = () => (memory.isHalfWay ? 'half-way' : now.sending.at === undefined ? 'queued' : 'applying');
    const reporting = report.whileLong(work, stage, { facts, plan });
    try {
      for (const step of plan.steps) {
        const sending: Sending = { at: undefined, times: 0 };
        now.sending = sending;
        try {
          const pass = passOf(work, engine);
          const result = await kind.act(step, facts, watched(pass, sending, clock));
          memory.progress = afterStep(memory.progress, plan, step, result);
          done.push(step);
          memory.isHalfWay ||= kind.interrupts?.(step) === true;
          if (step.do === 'delete') memory.createdAt = undefined;
          if (step.do !== 'create') continue;
          memory.creationUnclear = false;
          memory.shownFrom = undefined;
          memory.createdAt = clock.monotonic();
          const marks = { ...memory.progress.marks, [CREATED_MARK]: timestamp(clock.now()) };
          memory.progress = { ...memory.progress, marks };
        } catch (error) {
          if (step.do === 'create') afterFailedCreation(memory, step, error, sending.at);
          // What is missing after that was deleted, and is not waited for.
          const isMaybeDone = mayBeDone(error, sending.times);
          if (step.do === 'delete' && isMaybeDone) memory.createdAt = undefined;
          memory.isHalfWay ||= isMaybeDone && kind.interrupts?.(step) === true;
          return { error, hasEffect: done.length > 0 || memory.isHalfWay };
        }
      }
      memory.isHalfWay = false;
      return undefined;
    } finally {
      memory.notBefore = clock.monotonic();
      reportDone(work, done, before, plan);
      await reporting.stop();
    }
  };
}
