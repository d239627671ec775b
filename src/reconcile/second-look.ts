import { isDeepStrictEqual } from 'node:util';
import type { Clock } from '../clock.ts';
import { nextFreshness } from './freshness.ts';
import type { ManagedKind } from './kind.ts';
import { isPartOf, type ManagedObject } from './managed-object.ts';
import { namesWhatVanished } from './object-state.ts';
import { creates, type Plan, type Step } from './plan.ts';
import type { Work } from './work.ts';
import type { PassOutcome } from './write-outcome.ts';

/**
 * When a plan is made of what may have changed since it was seen, and has to be looked at once more. What says so has the next
 * look count only if it begins after this, and lets what that shows pass.
 */
export function createSecondLook<T extends ManagedObject, F, S extends Step>(options: {
  readonly kind: Pick<ManagedKind<T, F, S>, 'isCostly' | 'sharesHour'>;
  readonly clock: Pick<Clock, 'monotonic'>;
  readonly putOnRecord: (work: Work<T>, found?: PassOutcome<F, S>) => Promise<void>;
}) {
  const { kind, clock, putOnRecord } = options;

  /**
   * The list that led to a creation may be old by the time that is decided, as after an approval, and somebody may have made one
   * since. One more, begun after the decision, says what was there before: this asks for it, and the next time lets it pass.
   */
  async function beforeCreation(work: Work<T>, facts: F, plan: Plan<S>): Promise<boolean> {
    const { memory, object } = work;
    if (!kind.isCostly || !creates(plan)) return false;
    const { generation = 0 } = object.metadata;
    const isSeen = memory.creationDecidedFor === generation;
    // A restored status would be believed anew meanwhile.
    if (!isSeen && namesWhatVanished(object, memory.progress))
      await putOnRecord(work, { facts, plan: { ...plan, drift: [] } });
    memory.creationDecidedFor = isSeen ? undefined : generation;
    if (!isSeen) memory.freshness = nextFreshness(memory.freshness, { type: 'changed', at: clock.monotonic() });
    return !isSeen;
  }

  /**
   * A field that left the spec and needs no unsetting is nobody's from now on. So it must not be an observation from before
   * that says so: somebody may have changed it since. Where each look costs a part of an hour's requests, it has to do.
   */
  function isLetGoUnseen({ memory, object }: Work<T>, plan: Plan<S>): boolean {
    const generation = object.metadata.generation ?? 0;
    const isLetGo = Object.keys(memory.progress.applied).some((field) => plan.applied[field] === undefined);
    const isSeen = memory.freshness.letGoFor === generation || kind.sharesHour !== undefined;
    if (plan.steps.length > 0 || !isLetGo || isSeen) return false;
    memory.freshness = nextFreshness(memory.freshness, { type: 'let go', generation, at: clock.monotonic() });
    return true;
  }

  /**
   * What a spec newly wants, and what was there already as far as is known, needs no step. Details that were read before may
   * be hours old, and somebody may have changed at the service what the spec is to undo.
   */
  function isTakenUnseen({ memory, object }: Work<T>, plan: Plan<S>, at: number): boolean {
    const generation = object.metadata.generation ?? 0;
    const { settledGeneration, freshness, progress } = memory;
    if (plan.steps.length > 0 || settledGeneration === undefined || settledGeneration === generation) return false;
    const isTaken = Object.entries(plan.applied).some(
      ([field, value]) => value !== undefined && !isDeepStrictEqual(value, progress.applied[field]),
    );
    if (!isTaken || freshness.takenFor === generation) return false;
    memory.freshness = nextFreshness(freshness, { type: 'taken', generation, at });
    return true;
  }

  /**
   * A field that nobody wants any more may be as it would be unset only because a write of it, which an earlier process or a
   * call without an answer sent, has not arrived yet. After that nothing would be left to say that it is to be unset.
   */
  function mayStillArrive({ memory }: Work<T>, plan: Plan<S>): boolean {
    const { freshness, progress } = memory;
    if (plan.steps.length > 0 || freshness.openUntil === undefined) return false;
    const wanted = Object.keys(plan.applied).filter((field) => plan.applied[field] !== undefined);
    const isUnwanted = (entry: string) => !wanted.some((field) => isPartOf(entry, field));
    if (![...progress.pending, ...Object.keys(progress.applied)].some(isUnwanted)) return false;
    memory.freshness = nextFreshness(memory.freshness, { type: 'awaited' });
    return true;
  }

  return {
    beforeCreation,

    /** Before what is not to be changed counts as it should be; `at`: when the pass began, monotonic milliseconds. */
    beforeSettling: (work: Work<T>, plan: Plan<S>, at: number): boolean =>
      isLetGoUnseen(work, plan) || isTakenUnseen(work, plan, at) || mayStillArrive(work, plan),
  };
}
