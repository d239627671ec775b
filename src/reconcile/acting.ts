import type { Informer } from '../kubernetes/informer.ts';
import type { AccountSession } from './account.ts';
import type { Ending } from './conclude.ts';
import type { Engine } from './engine.ts';
import { EventReason } from './events.ts';
import { failureOf } from './failure.ts';
import { ownFinalizer } from './finalizer.ts';
import type { AccountRef, ManagedKind, ManagedObject, Pass, Plan, Step } from './kind.ts';
import type { Memory } from './memory.ts';
import { afterStep, aheadOf, definedMarks, mustBeStored } from './progress.ts';
import type { ObjectKey } from './reconciler.ts';
import { correctsDrift } from './status.ts';

/** The service may take this long to show everywhere what was just created. Milliseconds. */
const JUST_CREATED = 3 * 60_000;

/** One pass over one resource, with what it works on. */
export interface Work<T extends ManagedObject> {
  readonly key: ObjectKey;
  object: T;
  readonly memory: Memory;
  readonly session: AccountSession;
  readonly accountRef: AccountRef;
  readonly signal: AbortSignal;
}

/** What gathering and acting are given. */
export function passOf<T extends ManagedObject>(work: Work<T>, engine: Engine): Pass<T> {
  const { object, memory, session, accountRef, signal } = work;
  const now = engine.clock.monotonic();
  return {
    object,
    session,
    accountRef,
    progress: memory.progress,
    deleting: object.metadata.deletionTimestamp !== undefined,
    creationUnclear: memory.creationUnclear,
    justCreated: memory.createdAt !== undefined && now - memory.createdAt < JUST_CREATED,
    notBefore: memory.notBefore,
    absentNotBefore: Math.max(memory.notBefore, memory.absentNotBefore),
    thorough: memory.thorough,
    now: engine.clock.now(),
    signal,
  };
}

/** Steps in the past tense, as one sentence. */
export function sentenceOf<S extends Step>(steps: readonly S[], describe: (step: S) => string): string {
  const sentence = steps.map(describe).join('; ');
  return `${sentence.charAt(0).toUpperCase()}${sentence.slice(1)}.`;
}

/** Carries out the steps of a plan in order; what was done stays known even if a later step fails. */
export function createActing<T extends ManagedObject, F, S extends Step>(options: {
  readonly kind: ManagedKind<T, F, S>;
  readonly informer: Informer<T>;
  readonly conclude: (object: T, memory: Memory, ending: Ending<F, S>) => Promise<void>;
  readonly engine: Engine;
}) {
  const { kind, informer, conclude, engine } = options;
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
      await conclude(object, memory, { accountRef, facts, plan: { ...plan, drift: [] }, unsettled: true });
    } catch (error) {
      // It is not on record: the next try has to store it before any call.
      memory.progress = progress;
      throw error;
    }
    work.object = informer.get(object.metadata.namespace, object.metadata.name) ?? object;
  }

  function afterFailedStep(memory: Memory, step: S, error: unknown): void {
    if (step.do !== 'create') return;
    const failure = failureOf(error);
    if (failure.next === 'observe') {
      memory.creationUnclear = true;
      memory.absentNotBefore = clock.monotonic() + engine.settleMilliseconds;
    } else if (failure.next === 'stall') {
      memory.creationUnclear = false;
      const unintended = Object.fromEntries(Object.keys(step.marks ?? {}).map((mark) => [mark, undefined]));
      memory.progress = { ...memory.progress, marks: definedMarks({ ...memory.progress.marks, ...unintended }) };
    }
  }

  /** One event for what a pass did. */
  function tell(object: T, done: readonly S[], applied: Readonly<Record<string, unknown>>, plan: Plan<S>): void {
    if (done.length === 0 || object.metadata.deletionTimestamp !== undefined) return;
    const drifted = done.filter((step) => correctsDrift(step.fields, applied, plan.applied));
    for (const field of drifted.flatMap((step) => step.fields ?? [])) engine.onDrift(kind.definition.kind, field);
    const reason = done.some((step) => step.do === 'create')
      ? EventReason.Created
      : drifted.length === done.length
        ? EventReason.DriftCorrected
        : EventReason.Updated;
    const message = sentenceOf(done, kind.describe);
    engine.events.record({ object, type: 'Normal', reason, message });
    const { namespace, name } = object.metadata;
    engine.log.info({ kind: kind.definition.kind, namespace, name, reason }, message);
  }

  return async function act(work: Work<T>, facts: F, plan: Plan<S>): Promise<void> {
    const { memory } = work;
    await writeAhead(work, facts, plan);
    memory.unsettledSince ??= clock.monotonic();
    const before = memory.progress.applied;
    const done: S[] = [];
    try {
      for (const step of plan.steps) {
        try {
          const result = await kind.act(step, facts, passOf(work, engine));
          memory.progress = afterStep(memory.progress, plan, step, result);
          done.push(step);
          if (step.do !== 'create') continue;
          memory.creationUnclear = false;
          memory.createdAt = clock.monotonic();
        } catch (error) {
          afterFailedStep(memory, step, error);
          throw error;
        }
      }
    } finally {
      memory.notBefore = clock.monotonic();
      tell(work.object, done, before, plan);
    }
  };
}
