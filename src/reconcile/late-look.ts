import type { Clock } from '../clock.ts';
import { timestamp } from '../kubernetes/objects.ts';
import { FailureReason } from './failure.ts';
import { nextFreshness } from './freshness.ts';
import { setByOthers, unwantedOf } from './late-writes.ts';
import { isPartOf, type ManagedObject } from './managed-object.ts';
import type { Memory } from './memory.ts';
import type { Hold, Plan, Step } from './plan.ts';
import type { Work } from './work.ts';

/** Fields that a write without an answer may still set, and what is told until it can no more. */
interface Awaited {
  readonly fields: readonly string[];
  readonly hold: Hold<FailureReason>;
}

/** Looks whether writes that nobody answered have arrived of fields that nobody wants any more. */
export function createLateLook<T extends ManagedObject>(
  kind: { readonly forget?: ((object: T, id: string) => void) | undefined },
  clock: Clock,
) {
  /**
   * What is to be waited for, or looked at, before what nobody wants any more counts as gone. What the plan waits for is told
   * first, and where it can't tell what is applied nothing is known of what is wanted.
   */
  function awaitedBy({ memory, object }: Work<T>, plan: Plan<Step>): Awaited | 'look' | undefined {
    if (memory.late.size === 0 || plan.hold || plan.undecided !== undefined) return undefined;
    const { heldUntil = Number.NEGATIVE_INFINITY } = memory.freshness;
    const fields = unwantedOf(memory.late, plan.applied);
    const left = heldUntil - clock.monotonic();
    if (left > 0) return fields.length > 0 ? { fields, hold: holdForLate(fields, left, clock.now()) } : undefined;
    if (fields.length > 0 && memory.lateLook !== heldUntil) {
      memory.lateLook = heldUntil;
      memory.progress = { ...memory.progress, pending: [...new Set([...memory.progress.pending, ...fields])] };
      const freshness = nextFreshness(memory.freshness, { type: 'changed', at: clock.monotonic() });
      memory.freshness = nextFreshness(freshness, { type: 'doubted' });
      if (memory.progress.id !== undefined) kind.forget?.(object, memory.progress.id);
      return 'look';
    }
    memory.late = new Map();
    return undefined;
  }

  /** What was looked for, and is not what was sent, is not to be unset. Gives whether there was any: the plan is another then. */
  function leaveToOthers(memory: Memory, plan: Plan<Step>): boolean {
    if (memory.lateLook === undefined || memory.lateLook !== memory.freshness.heldUntil) return false;
    const others = setByOthers(memory.late, plan);
    if (others.length === 0) return false;
    memory.late = new Map([...memory.late].filter(([field]) => !others.includes(field)));
    const pending = memory.progress.pending.filter((entry) => !others.some((field) => isPartOf(entry, field)));
    memory.progress = { ...memory.progress, pending };
    return true;
  }

  return { awaitedBy, leaveToOthers };
}

/** Says that writes nobody answered may still set these fields for so many milliseconds. `now`: milliseconds since the epoch. */
function holdForLate(fields: readonly string[], left: number, now: number): Hold<FailureReason> {
  return {
    state: 'Waiting',
    reason: FailureReason.OutcomeUnknown,
    message: `A request that was sent before the spec was changed got no answer, and may still set ${fields.join(', ')}. It is looked for at ${timestamp(now + left)}, and put right then.`,
    isProgress: true,
    keepsReady: true,
    retryAfterSeconds: left / 1000,
  };
}
