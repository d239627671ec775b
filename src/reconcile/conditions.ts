import { type Condition, timestamp } from '../kubernetes/objects.ts';
import { withoutSerials } from '../text.ts';

/** Conditions that not all kinds have, and only where a spec asks for them. */
export const ownConditionTypes = ['WithinDataLimit', 'Online'] as const;
export type OwnConditionType = (typeof ownConditionTypes)[number];

export type ConditionType = 'Ready' | 'Synced' | 'Reconciling' | 'Stalled' | 'Braked' | OwnConditionType;

/** A condition as decided, before its time is known. */
export interface Verdict {
  readonly type: ConditionType;
  readonly status: 'True' | 'False' | 'Unknown';
  readonly reason: string;
  readonly message: string;
  /** The generation of the spec it was decided for; without one, that of the object as it is. */
  readonly generation?: number | undefined;
}

/** What one of a kind's own conditions says, for one of the kind's reasons; its type is where it stands. */
export interface OwnVerdict<Reason extends string> extends Pick<Verdict, 'status' | 'message'> {
  readonly reason: Reason;
}

/** The longest message a condition may have (apimachinery, metav1.Condition). */
const LONGEST_MESSAGE_CHARACTERS = 32_768;

/**
 * The conditions to store: `lastTransitionTime` moves only when the status of a condition does, and `Reconciling`,
 * `Stalled` and `Braked` are absent unless they hold, as kstatus expects.
 */
export function mergeConditions(
  previous: readonly Condition[],
  verdicts: readonly Verdict[],
  generation: number,
  now: number,
): Condition[] {
  const time = timestamp(now);
  return verdicts.map((verdict) => {
    const before = previous.find((condition) => condition.type === verdict.type);
    return {
      type: verdict.type,
      status: verdict.status,
      reason: verdict.reason,
      message: messageOf(verdict, before),
      observedGeneration: verdict.generation ?? generation,
      lastTransitionTime: before?.status === verdict.status ? before.lastTransitionTime : time,
    };
  });
}

/**
 * The service numbers each of its complaints. While it repeats one, the first number stays: a service that is down must
 * not cost a status write each time it is asked.
 */
function messageOf(verdict: Verdict, before: Condition | undefined): string {
  const message = verdict.message.slice(0, LONGEST_MESSAGE_CHARACTERS);
  if (!before || before.reason !== verdict.reason) return message;
  return withoutSerials(before.message) === withoutSerials(message) ? before.message : message;
}

/** The condition of that type, if there. */
export function findCondition(conditions: readonly Condition[] | undefined, type: string): Condition | undefined {
  return conditions?.find((condition) => condition.type === type);
}
