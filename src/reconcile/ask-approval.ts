import { Annotation } from './annotations.ts';
import { answerTo, askingOf, outcomeOf } from './approval.ts';
import { digestOf, hashOfPlan } from './approval-digest.ts';
import { approvalHold, MOST_CALLS, shownPlan } from './approval-shown.ts';
import type { ChangeCause } from './change.ts';
import type { Engine } from './engine.ts';
import type { ManagedKind } from './kind.ts';
import type { ManagedObject, ShownPlan } from './managed-object.ts';
import { recordedAccount } from './memory.ts';
import type { Hold, Plan, Step } from './plan.ts';
import type { Work } from './work.ts';

/** What may be sent of a plan, and what it was approved by. */
export interface Permitted<S extends Step> {
  readonly plan: Plan<S>;
  /** The hash that was approved; undefined where nobody was asked. */
  readonly hash: string | undefined;
  /** The digest of a call, where it counts. */
  readonly digests: ReadonlyMap<Step, string>;
}

/** A plan that waits for approval. */
export interface Unapproved {
  readonly hold: Hold<string>;
  readonly asked: ShownPlan;
}

/** Causes of what the policy `Changes` lets through: the service is to have what it was given before. */
const REPAIRS: ReadonlySet<ChangeCause> = new Set(['DriftRepaired', 'Repetition']);

/**
 * Asks whether the plan of a resource may be carried out. What has to be on record for that is in `work.memory.progress`, and
 * from there in the status before the first call.
 */
export function createApproval<T extends ManagedObject, F, S extends Step>(
  kind: ManagedKind<T, F, S>,
  engine: Pick<Engine, 'accounts' | 'random' | 'onApproval'>,
) {
  const name = kind.definition.kind;

  function asking({ object, memory }: Pick<Work<T>, 'object' | 'memory'>) {
    const { metadata, spec } = object;
    const recorded = recordedAccount(object, memory);
    return askingOf(name, object, engine.accounts.approvalOf(metadata.namespace ?? '', spec, recorded));
  }

  /** Without what is known to change nothing, where everything has to be approved: nobody is to be asked for it each day. */
  function toBeAsked(work: Pick<Work<T>, 'object' | 'memory'>, plan: Plan<S>): Plan<S> {
    if (asking(work) !== 'Everything' || !plan.steps.some((step) => step.repeats)) return plan;
    return { ...plan, steps: plan.steps.filter((step) => !step.repeats) };
  }

  function ask(work: Work<T>, whole: Plan<S>, causeOf: (step: S) => ChangeCause): Permitted<S> | Unapproved {
    const { object, memory, session } = work;
    const { id } = memory.progress;
    const required = asking(work);
    const plan = required === 'Nothing' ? whole : upTo(MOST_CALLS, whole);
    const digests = new Map<Step, string>();
    const calls = plan.steps.flatMap((step) => {
      // What a person asked for by an annotation is approved by it.
      if (required === 'Nothing' || step.silent || causeOf(step) === 'Annotation') return [];
      const digest = digestOf(step, object, session);
      digests.set(step, digest);
      return [{ digest, isFree: required === 'Changes' && REPAIRS.has(causeOf(step)) }];
    });
    const annotation = object.metadata.annotations?.[Annotation.approve];
    const answer = answerTo({
      asking: required,
      calls,
      progress: memory.progress,
      generation: object.metadata.generation ?? 0,
      annotation,
      hashOf: (asked) => hashOfPlan(asked, [...digests.values()], { object, kind: name, id }, session),
      newAsking: () => randomWord(engine.random) + randomWord(engine.random),
    });
    const outcome = outcomeOf(answer, memory.progress, annotation, memory.approvalSeen);
    if (outcome) engine.onApproval(name, outcome);
    memory.approvalSeen = { annotation };
    const { approval: _, ...progress } = memory.progress;
    memory.progress = { ...progress, ...(answer.approval && { approval: answer.approval }) };
    if (answer.may === 'go') return { plan, hash: answer.approval?.hash, digests };
    const { hash } = answer;
    memory.progress = { ...memory.progress, applied: seenApplied(memory.progress.applied, plan) };
    return { hold: approvalHold(hash, plan, object, name), asked: shownPlan(hash, plan) };
  }

  return { ask, toBeAsked };
}

/**
 * What is on record, with what the plan found to be so already. A process may have ended before it could record what it had
 * written; while the rest waits, going back to what was before must not look like the repair of drift.
 */
function seenApplied<S extends Step>(applied: Readonly<Record<string, unknown>>, plan: Plan<S>) {
  const open = new Set(plan.steps.flatMap(({ fields = [] }) => fields));
  const entries = Object.entries(applied).map(([field, value]) => [
    field,
    open.has(field) ? value : (plan.applied[field] ?? value),
  ]);
  return Object.fromEntries(entries);
}

/** Of a plan with more steps the first. Only the deletion of a gateway with many SIMs has so many, and any part of it may end. */
function upTo<S extends Step>(most: number, plan: Plan<S>): Plan<S> {
  return plan.steps.length <= most ? plan : { ...plan, steps: plan.steps.slice(0, most), continues: true };
}

/** Eight digits. */
function randomWord(random: () => number): string {
  return Math.floor(random() * 0x1_0000_0000)
    .toString(16)
    .padStart(8, '0');
}
