import type { Clock } from '../clock.ts';
import { timestamp } from '../kubernetes/objects.ts';
import { FailureReason } from './failure-reason.ts';
import { nextFreshness } from './freshness.ts';
import type { ManagedKind } from './kind.ts';
import { isPlanned, isRecorded, supersededOf, unwantedOf, withLate, withoutWanted } from './late-writes.ts';
import { entryOf, type ManagedObject } from './managed-object.ts';
import type { Memory } from './memory.ts';
import type { Hold, Plan, Step } from './plan.ts';
import type { Work } from './work.ts';

/** Fields that a write without an answer may still set, and what is told until it can no more. */
interface Awaited {
  readonly fields: readonly string[];
  readonly hold: Hold<string>;
}

/** Tells what writes that nobody answered have set, or may set still, from what others have. */
export function createLateLook<T extends ManagedObject, F, S extends Step>(
  kind: Pick<ManagedKind<T, F, S>, 'forget' | 'isThere' | 'readAt'>,
  clock: Clock,
) {
  /** Until when anything may arrive. Monotonic milliseconds. */
  function endOf({ freshness: { openUntil, heldUntil } }: Memory): number {
    return Math.max(openUntil ?? Number.NEGATIVE_INFINITY, heldUntil ?? Number.NEGATIVE_INFINITY);
  }

  const isOver = (memory: Memory) => endOf(memory) <= clock.monotonic();

  /**
   * Whether it is known not to be there: what is there was set by somebody else, and what was sent is all that would make it
   * this resource's own.
   */
  function isNotThere({ late, progress }: Memory, facts: F, entry: string): boolean {
    const sent = late.get(entry) ?? [];
    if (!progress.pending.includes(entry) || isRecorded(progress, entry)) return false;
    const set = sent.filter((value) => value !== null);
    return set.every((value) => value !== undefined && kind.isThere?.(facts, entry, value) === false);
  }

  /** Fields of which a value may still arrive that is neither wanted nor there. */
  function superseded({ late }: Memory, facts: F, plan: Plan<S>): string[] {
    const isKnown = (value: unknown) => value !== undefined && value !== null;
    return supersededOf(late, plan, (entry, value) => isKnown(value) && kind.isThere?.(facts, entry, value) === true);
  }

  /** Whether no look tells that the service has what the plan wants of it: then it has to be sent again. */
  function isHidden(facts: F, { applied }: Plan<S>, entry: string): boolean {
    // A kind that forgets sends again by itself what does not show.
    if (kind.isThere === undefined || kind.forget !== undefined) return false;
    return kind.isThere(facts, entry, applied[entryOf(entry).field]) === undefined;
  }

  /** Whether what is known of these was read when nothing could arrive any more. */
  function isReadSince({ memory, object }: Work<T>, entries: readonly string[]): boolean {
    const { id } = memory.progress;
    const fields = entries.map((entry) => entryOf(entry).field);
    const at = id === undefined ? undefined : kind.readAt?.(object, id, fields);
    return at !== undefined && at >= endOf(memory);
  }

  /** From now on these are no reason to unset anything. On record stays what may arrive still, or is to be sent again. */
  function leave(memory: Memory, entries: readonly string[], isOnRecord: boolean): void {
    if (entries.length === 0) return;
    const { progress, late } = memory;
    const isLeft = (entry: string) => entries.includes(entry);
    const { unwritten = [] } = progress;
    memory.progress = {
      ...progress,
      pending: progress.pending.filter((entry) => !isLeft(entry)),
      unwritten: isOnRecord ? [...new Set([...unwritten, ...entries])] : unwritten.filter((entry) => !isLeft(entry)),
    };
    if (isOver(memory)) memory.late = new Map([...late].filter(([entry]) => !isLeft(entry)));
  }

  /** All is looked at before what may have arrived, or will not any more, is believed. What these entries have nobody knows. */
  function lookAnew({ memory, object }: Work<T>, entries: readonly string[]): void {
    memory.lateLook = endOf(memory);
    const { progress } = memory;
    const added = entries.filter((entry) => !progress.pending.includes(entry));
    memory.progress = {
      ...progress,
      pending: [...progress.pending, ...added],
      intended: withLate(progress.intended, memory.late, added),
    };
    const freshness = nextFreshness(memory.freshness, { type: 'changed', at: clock.monotonic() });
    memory.freshness = nextFreshness(freshness, { type: 'doubted' });
    if (memory.progress.id !== undefined) kind.forget?.(object, memory.progress.id);
  }

  /**
   * Decides what becomes of writes that nobody answered, before anything is done: of those that nobody wants any more, and of
   * those that were not answered since. Gives whether the plan is another then, or all has to be looked at first.
   */
  function settle(work: Work<T>, facts: F, plan: Plan<S>): boolean {
    const { memory } = work;
    if (memory.late.size === 0) return false;
    const { moot = [] } = plan;
    memory.late = new Map([...memory.late].filter(([entry]) => !moot.includes(entry)));
    const unwanted = unwantedOf(memory.late, plan);
    const others = unwanted.filter((entry) => isPlanned(entry, plan) && isNotThere(memory, facts, entry));
    if (!isOver(memory)) {
      leave(memory, others, true);
      return others.length > 0;
    }
    const isOpen = (entry: string) => memory.progress.pending.includes(entry) && isPlanned(entry, plan);
    const open = [...memory.late.keys()].filter((entry) => !unwanted.includes(entry) && isOpen(entry));
    const replaced = superseded(memory, facts, plan);
    const isLooked = memory.lateLook !== undefined && memory.lateLook >= endOf(memory);
    const isOther = unwanted.length + replaced.length > 0;
    if ((isOther || (open.length > 0 && !isReadSince(work, open))) && !isLooked) {
      lookAnew(work, [...unwanted, ...replaced.filter((entry) => isHidden(facts, plan, entry))]);
      return true;
    }
    const notArrived = open.filter((entry) => isNotThere(memory, facts, entry));
    const gone = unwanted.filter((entry) => !isPlanned(entry, plan));
    leave(memory, notArrived, true);
    leave(memory, [...others, ...gone], false);
    memory.late = withoutWanted(memory.late, plan);
    return others.length > 0;
  }

  /**
   * What is to be waited for before what nobody wants any more counts as gone, and what was set since as there. What the plan
   * waits for is told first.
   */
  function awaitedBy({ memory }: Work<T>, facts: F, plan: Plan<S>): Awaited | undefined {
    if (memory.late.size === 0) return undefined;
    const fields = [...unwantedOf(memory.late, plan), ...superseded(memory, facts, plan)];
    const left = endOf(memory) - clock.monotonic();
    if (fields.length === 0 || left <= 0) return undefined;
    const { retryAfterSeconds = Number.POSITIVE_INFINITY } = plan.hold ?? {};
    const hold = plan.hold && { ...plan.hold, retryAfterSeconds: Math.min(retryAfterSeconds, left / 1000) };
    return { fields, hold: hold ?? holdForLate(fields, left, clock.now()) };
  }

  return { settle, awaitedBy };
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
