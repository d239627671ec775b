import { isDeepStrictEqual } from 'node:util';
import type { Clock } from '../clock.ts';
import type { FailureReason } from './failure-reason.ts';
import { isOtherThanRefused, refusalFor, unreadFor } from './inputs.ts';
import type { ManagedKind, TurnAhead } from './kind.ts';
import type { ManagedObject } from './managed-object.ts';
import type { Hold, Plan, Step } from './plan.ts';
import type { Work } from './work.ts';

/** Whether what was refused, or failed, waits for its turn. `waitOf`: for so many milliseconds, as far as it is one's. */
export function createTurnAhead<T extends ManagedObject, F, S extends Step>(options: {
  readonly kind: Pick<ManagedKind<T, F, S>, 'hidden'>;
  readonly clock: Pick<Clock, 'monotonic'>;
  readonly waitOf: (work: Work<T>) => number;
}) {
  const { kind, clock, waitOf } = options;

  const generationOf = ({ object }: Work<T>): number => object.metadata.generation ?? 0;

  function refusal(work: Work<T>, steps: readonly S[] | undefined): Hold<FailureReason> | undefined {
    return refusalFor(work.memory.inputs, generationOf(work), steps, clock.monotonic(), () => waitOf(work));
  }

  /** A Secret holds what no earlier process, which was refused something, was about to send. */
  function isSecretNew({ memory }: Work<T>, plan: Plan<S>): boolean {
    const { inputs, progress } = memory;
    if (!inputs.refusal || inputs.refusal.left !== undefined) return false;
    return (kind.hidden ?? []).some((field) => {
      const { [field]: wanted } = plan.applied;
      const { [field]: before } = { ...progress.applied, ...progress.intended };
      return wanted !== undefined && !isDeepStrictEqual(wanted, before);
    });
  }

  return {
    /** Before anything is looked at: what is there is read when the turn comes. */
    before(work: Work<T>): TurnAhead | undefined {
      const { inputs, freshness } = work.memory;
      const unread = unreadFor(inputs, generationOf(work), () => waitOf(work));
      if (unread) return { hold: unread, of: 'reading' };
      if (freshness.thorough || !inputs.refusal?.isPassing) return undefined;
      const hold = refusal(work, undefined);
      return hold && { hold, of: inputs.refusal.left === undefined ? 'earlier' : 'steps' };
    },

    /** What is planned, as far as was seen without a look, is not what waits for its turn. */
    isOfOther({ of }: TurnAhead, work: Work<T>, plan: Plan<S>): boolean {
      if (plan.steps.length === 0 || of === 'reading' || isSecretNew(work, plan)) return true;
      return of === 'steps' && isOtherThanRefused(work.memory.inputs, plan.steps);
    },

    /** Why the service would refuse what is planned. */
    refusal: (work: Work<T>, plan: Plan<S>): Hold<FailureReason> | undefined =>
      plan.steps.length > 0 && !isSecretNew(work, plan) ? refusal(work, plan.steps) : undefined,
  };
}
