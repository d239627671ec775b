import { fitOf } from '../kubernetes/fit.ts';
import { findCondition } from './conditions.ts';
import type { Engine } from './engine.ts';
import { EventReason } from './events.ts';
import type { AccountRef, CommonStatus, Hold, ManagedKind, ManagedObject, Plan, Progress, Step } from './kind.ts';
import type { Memory } from './memory.ts';
import { RECONCILE_MARK } from './progress.ts';
import { composeStatus, transitions } from './status.ts';
import { judge } from './verdict.ts';
import { annotationWarnings, newWarnings, withWarnings } from './warnings.ts';
import type { Writes } from './writes.ts';

/** How a pass ended, as far as it came. */
export interface Ending<F, S extends Step> {
  readonly accountRef?: AccountRef | undefined;
  readonly facts?: F | undefined;
  readonly plan?: Plan<S> | undefined;
  readonly hold?: Hold | undefined;
  /** Calls were made whose effect has not been observed yet. */
  readonly unsettled?: boolean;
  /** Nothing is known to have changed, and this says why it was not looked at again. */
  readonly kept?: string;
  /** Nothing but the status tells of a creation of unknown outcome from now on. */
  readonly creationUnclear?: CommonStatus['creationUnclear'];
  /** What is odd beside what the plan says. */
  readonly warnings?: readonly string[];
}

/** The part of a kind that says how its status reads. */
export type Shown<T extends ManagedObject, F> = Pick<
  ManagedKind<T, F, Step>,
  'definition' | 'observed' | 'marks' | 'readyMessage' | 'meanwhile'
>;

/** The status that a pass which ended so leaves behind. Pure. */
export function concludedStatus<T extends ManagedObject, F, S extends Step>(
  kind: Shown<T, F>,
  object: T,
  progress: Progress,
  ending: Ending<F, S>,
  now: number,
): CommonStatus {
  const { facts, plan } = ending;
  const hold = ending.hold ?? plan?.hold;
  const mode = object.spec.managementPolicy ?? 'Manage';
  const deleting = object.metadata.deletionTimestamp !== undefined;
  const showsDrift = plan !== undefined && (mode === 'Observe' || hold !== undefined);
  const wasReady = findCondition(object.status?.conditions, 'Ready');
  const judged = judge({
    mode,
    deleting,
    hold,
    unsettled: ending.unsettled === true,
    drift: plan?.drift ?? [],
    unsynced: plan?.unsynced,
    kept: ending.kept,
    meanwhile: kind.meanwhile && { works: kind.meanwhile(object, facts, now) },
    // Of a spec edited since nothing was done yet, and whoever waits for Ready waits for that.
    wasReady: wasReady?.status === 'True' && wasReady.observedGeneration === object.metadata.generation && !deleting,
    readyMessage: facts === undefined ? (wasReady?.message ?? '') : kind.readyMessage(facts),
  });
  const verdicts = withWarnings(judged, warningsOf(ending));
  const fit = fitOf(kind.definition, ['applied', 'pending', 'creationUnclear', RECONCILE_MARK, ...kind.marks]);
  const status = composeStatus(object, {
    progress,
    verdicts,
    observed: facts === undefined ? undefined : kind.observed(facts, object),
    marks: kind.marks,
    creationUnclear: ending.creationUnclear,
    drift: showsDrift ? plan.drift : [],
    accountRef: ending.accountRef ?? object.status?.accountRef,
    now,
  });
  return fit(status);
}

function warningsOf<F, S extends Step>({ plan, warnings = [] }: Ending<F, S>): string[] {
  return [...(plan?.warnings ?? []), ...warnings];
}

/** Writes what a pass found into the status, if it differs from what is there, and tells transitions as events. */
export function createConclusion<T extends ManagedObject, F, S extends Step>(
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
      ...ofNamespace.map((warning) => `Of the Namespace ${namespace?.metadata.name}: ${warning}`),
    ];
  }

  return async function conclude(object: T, memory: Memory, done: Ending<F, S>): Promise<void> {
    const ending = { ...done, warnings: oddities(object) };
    const hold = ending.hold ?? ending.plan?.hold;
    const before = object.status?.conditions;
    const next = concludedStatus(kind, object, memory.progress, ending, engine.clock.now());
    const written = await writes.status(object, next);
    for (const message of newWarnings(before, warningsOf(ending))) {
      engine.events.record({ object: written, type: 'Warning', reason: EventReason.Questionable, message });
    }
    for (const condition of transitions(before, next.conditions)) {
      if (condition.type === 'Ready' && condition.status === 'True') {
        engine.events.record({ object: written, type: 'Normal', reason: 'Ready', message: condition.message });
      } else if (condition.type === 'Synced' && condition.status === 'False' && !ending.unsettled) {
        const type = hold?.kind === 'Suspended' || hold?.isProgress ? 'Normal' : 'Warning';
        engine.events.record({ object: written, type, reason: condition.reason, message: condition.message });
      }
    }
  };
}
