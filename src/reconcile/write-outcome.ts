import { fitOf } from '../kubernetes/fit.ts';
import type { Condition } from '../kubernetes/objects.ts';
import { findCondition, ownConditionTypes, type Verdict } from './conditions.ts';
import { unclearRecord } from './creation.ts';
import type { Engine } from './engine.ts';
import { EventReason } from './events.ts';
import type { ManagedKind } from './kind.ts';
import {
  type AccountRef,
  type CommonStatus,
  isPending,
  type ManagedObject,
  type Progress,
  type ShownPlan,
} from './managed-object.ts';
import type { Memory } from './memory.ts';
import { untilWarning } from './patience.ts';
import type { Hold, Plan, Step } from './plan.ts';
import { RECONCILE_MARK } from './progress.ts';
import { accountOnRecord, isStatusOfAnother } from './restored.ts';
import type { SealedRecord } from './seal.ts';
import { composeStatus, transitions } from './status.ts';
import { CommonReason, judge } from './verdict.ts';
import { annotationWarnings, newWarnings, withWarnings } from './warnings.ts';
import type { Writes } from './writes.ts';

/** How a pass ended, as far as it came. */
export interface PassOutcome<F, S extends Step> {
  readonly accountRef?: AccountRef | undefined;
  readonly facts?: F | undefined;
  readonly plan?: Plan<S> | undefined;
  readonly hold?: Hold<string> | undefined;
  /** Calls were made whose effect has not been observed yet. */
  readonly unsettled?: boolean;
  /** Those calls wait for their turn. */
  readonly queued?: boolean;
  /** Something was, or may have been, carried out that took the resource out of service, and it was not seen since. */
  readonly isHalfWay?: boolean;
  /** See {@link ManagedKind.learnt}. */
  readonly learnt?: object | undefined;
  /** See {@link ManagedKind.seal}. */
  readonly seal?: ((record: SealedRecord) => string | undefined) | undefined;
  /** Nothing is known to have changed, and this says why it was not looked at again. */
  readonly kept?: string;
  /** Of a creation of unknown outcome. */
  readonly creationUnclear?: CommonStatus['creationUnclear'];
  /** The plan that waits for approval. */
  readonly asked?: ShownPlan | undefined;
  /** What is odd beside what the plan says. */
  readonly warnings?: readonly string[];
}

/** The part of a kind that says how its status reads. */
export type Shown<T extends ManagedObject, F> = Pick<
  ManagedKind<T, F, Step>,
  'definition' | 'observed' | 'marks' | 'readyMessage' | 'impairment' | 'meanwhile' | 'own'
>;

/** The status that a pass which ended so leaves behind. Pure. */
export function statusAfter<T extends ManagedObject, F, S extends Step>(
  kind: Shown<T, F>,
  object: T,
  progress: Progress,
  outcome: PassOutcome<F, S>,
  now: number,
): CommonStatus {
  const { facts, plan } = outcome;
  const hold = outcome.hold ?? plan?.hold;
  const mode = object.spec.managementPolicy === 'Observe' ? 'Observe' : 'Manage';
  const deleting = object.metadata.deletionTimestamp !== undefined;
  const showsDrift = plan !== undefined && (mode === 'Observe' || hold !== undefined);
  const before = findCondition(object.status?.conditions, 'Ready');
  const { isHalfWay = false } = outcome;
  // What was undone half way was in use, so all of it is due.
  const isDue = (field: string) =>
    isHalfWay || progress.applied[field] !== undefined || wasInEffect(object, before, field);
  // What was tried is told to be missing, also where nothing came of it.
  const tried = [...progress.pending, ...(progress.unwritten ?? [])];
  const isTold = (field: string) => !hold || isDue(field) || isPending(tried, field);
  const isUnimpaired = facts === undefined ? !isHalfWay && isUntouched(outcome) : !kind.impairment(facts, isDue);
  const reasonOfReady = plan?.notice?.reason ?? CommonReason[mode === 'Observe' ? 'Observed' : 'Available'];
  const readyMessage = facts === undefined ? (before?.message ?? '') : kind.readyMessage(facts);
  const meanwhile = kind.meanwhile && { works: kind.meanwhile(object, facts, now) };
  const judged = judge({
    mode,
    deleting,
    hold,
    unsettled: outcome.unsettled === true,
    queued: outcome.queued,
    drift: plan?.drift ?? [],
    unsynced: plan?.unsynced,
    kept: outcome.kept,
    impairment: facts === undefined ? undefined : kind.impairment(facts, isTold),
    // Of a spec edited since nothing was done yet: it goes on as the one before says, and whoever waits for Ready of this
    // one waits on.
    stillReady:
      isUnimpaired && !deleting && before?.status === 'True' && (!meanwhile || meanwhile.works !== undefined)
        ? {
            reason: facts === undefined ? before.reason : reasonOfReady,
            message: plan?.notice?.message ?? meanwhile?.works ?? readyMessage,
            generation: generationOf(object, before, plan),
          }
        : undefined,
    notice: plan?.notice,
    readyMessage,
  });
  const verdicts = [...withWarnings(judged, warningsOf(outcome)), ...ownVerdicts(kind, object, facts)];
  const kept = ['applied', 'pending', 'intended', 'creationUnclear', 'plan', 'approval', RECONCILE_MARK, ...kind.marks];
  const fit = fitOf(kind.definition, kept);
  const status = composeStatus(object, {
    progress,
    verdicts,
    observed: facts === undefined ? undefined : (kind.observed(facts, object) ?? {}),
    learnt: outcome.learnt,
    seal: outcome.seal,
    marks: kind.marks,
    creationUnclear: outcome.creationUnclear,
    drift: showsDrift ? plan.drift : [],
    plan: outcome.asked,
    accountRef: outcome.accountRef ?? accountOnRecord(object),
    now,
  });
  return fit(status);
}

/** The kind's own conditions; without facts as they were told last, of this very object. */
function ownVerdicts<T extends ManagedObject, F>(
  { own }: Shown<T, F>,
  object: T,
  facts: F | undefined,
): readonly Verdict[] {
  return ownConditionTypes.flatMap((type) => {
    if (!own?.[type]) return [];
    if (facts !== undefined) {
      const verdict = own[type](facts);
      return verdict ? [{ type, ...verdict }] : [];
    }
    if (isStatusOfAnother(object)) return [];
    const before = findCondition(object.status?.conditions, type);
    return before ? [{ ...before, type, generation: before.observedGeneration }] : [];
  });
}

/**
 * Whether the field was in effect when Ready was told last. What this process knows may be of a later time: a backup of
 * the same object tells of an earlier one again.
 */
function wasInEffect(object: ManagedObject, ready: Condition | undefined, field: string): boolean {
  if (isStatusOfAnother(object)) return false;
  const isOfThisSpec = ready?.status === 'True' && ready.observedGeneration === object.metadata.generation;
  return isOfThisSpec || object.status?.applied?.[field] !== undefined;
}

/** Which spec it is Ready by: undefined is this one. */
function generationOf<S extends Step>(
  object: ManagedObject,
  before: Condition,
  plan: Plan<S> | undefined,
): number | undefined {
  // What a new spec asks for was done, and seen, before something came in the way of saying so.
  if (plan && !plan.hold && plan.steps.length === 0) return undefined;
  // Generations of an object from a backup are none of this one's.
  return isStatusOfAnother(object) ? 0 : before.observedGeneration;
}

/** Whether the problem says nothing of a resource that could not be looked at. */
function isUntouched<F, S extends Step>({ hold, unsettled, kept }: PassOutcome<F, S>): boolean {
  return hold ? hold.keepsReady === true : unsettled === true || kept !== undefined;
}

function warningsOf<F, S extends Step>({ plan, warnings = [] }: PassOutcome<F, S>): string[] {
  return [...(plan?.warnings ?? []), ...warnings];
}

/** Writes what a pass found into the status, if it differs from what is there, and reports transitions as events. */
export function createOutcomeWriter<T extends ManagedObject, F, S extends Step>(
  kind: ManagedKind<T, F, S>,
  writes: Writes<T>,
  engine: Engine,
) {
  function oddities(object: T): string[] {
    const now = engine.clock.now();
    const namespace = engine.namespace(object.metadata.namespace ?? '');
    const ofNamespace = namespace ? annotationWarnings(namespace, 'Namespace', now) : [];
    return [
      ...annotationWarnings(object, kind.definition.kind, now),
      ...ofNamespace.map(
        (warning) => `On the Namespace ${namespace?.metadata.name}: ${warning.replace(/^The /, 'the ')}`,
      ),
    ];
  }

  return async function writeOutcome(object: T, memory: Memory, done: PassOutcome<F, S>): Promise<void> {
    const outcome = { ...done, warnings: oddities(object) };
    const hold = outcome.hold ?? outcome.plan?.hold;
    const wait = untilWarning(object, hold, engine.clock.now());
    const before = object.status?.conditions;
    const { progress } = memory;
    const isHalfWay = memory.isHalfWay || (memory.isBackUntold && done.facts === undefined);
    const learnt = progress.id === undefined ? undefined : kind.learnt?.(object, progress.id);
    // Without an account on record it would look like one that was abandoned, for which a person has said which account counts.
    const isOfAccount = (done.accountRef ?? accountOnRecord(object)) !== undefined;
    const creationUnclear = done.creationUnclear ?? (isOfAccount ? unclearRecord(memory.creation) : undefined);
    const next = statusAfter(
      kind,
      object,
      progress,
      { ...outcome, isHalfWay, learnt, seal: kind.seal, creationUnclear },
      engine.clock.now(),
    );
    const written = await writes.status(object, next);
    memory.isBackUntold &&= done.facts === undefined;
    for (const message of newWarnings(before, warningsOf(outcome))) {
      engine.events.record({ object: written, type: 'Warning', reason: EventReason.Questionable, message });
    }
    for (const condition of transitions(before, next.conditions)) {
      if (condition.type === 'Ready' && condition.status === 'True') {
        const warns = condition.reason === outcome.plan?.notice?.reason;
        const [type, reason] = warns ? (['Warning', condition.reason] as const) : (['Normal', 'Ready'] as const);
        engine.events.record({
          object: written,
          type,
          reason,
          message: condition.message,
          ...(!warns && { routine: reason }),
        });
      } else if (condition.type === 'Synced' && condition.status === 'False' && !outcome.unsettled) {
        const type = wait === 0 ? 'Warning' : 'Normal';
        memory.unwarned = wait ? condition.reason : undefined;
        const { reason, message } = condition;
        // If it lasts, there is a Warning.
        const routine = memory.unwarned;
        engine.events.record({ object: written, type, reason, message, routine });
      } else if (ownConditionTypes.some((own) => own === condition.type)) {
        const told = findCondition(before, condition.type);
        // That all is well from the start, or that nothing is known, is no news.
        if (condition.status === 'Unknown' || (condition.status === 'True' && told?.status !== 'False')) continue;
        const type = condition.status === 'False' ? 'Warning' : 'Normal';
        engine.events.record({ object: written, type, reason: condition.reason, message: condition.message });
      }
    }
    const isAskedBefore = findCondition(before, 'Synced')?.reason === CommonReason.ApprovalPending;
    if (hold && outcome.asked && isAskedBefore && outcome.asked.hash !== object.status?.plan?.hash) {
      engine.events.record({ object: written, type: 'Normal', reason: hold.reason, message: hold.message });
    }
    if (hold?.reason !== memory.unwarned) memory.unwarned = undefined;
    if (hold === undefined || memory.unwarned === undefined || wait !== 0) return;
    memory.unwarned = undefined;
    engine.events.record({ object: written, type: 'Warning', reason: hold.reason, message: hold.message });
  };
}
