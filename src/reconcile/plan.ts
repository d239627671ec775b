import type { ChangeCause, FieldChange } from './change.ts';
import { type Drift, isPartOf, type Marks } from './managed-object.ts';

/** Why a resource is not simply Ready. `Waiting` ends by itself, `Stalled` needs a person, `Suspended` is as a person wants it. */
export interface Hold<Reason extends string> {
  readonly state: 'Waiting' | 'Stalled' | 'Suspended';
  /** CamelCase, from the kind's reasons. */
  readonly reason: Reason;
  /** What is missing and what to do. */
  readonly message: string;
  /** When to look again although nothing tells; absent: an event will. */
  readonly retryAfterSeconds?: number;
  /** Nothing is wrong, it just takes its time: told as a Normal event, not as a Warning. */
  readonly isProgress?: boolean;
  /** Deletion need not wait: what is at the service belongs to somebody else and is left as it is. */
  readonly leaves?: boolean;
  /** IDs of what may belong to the resource, where that can't be told for sure. */
  readonly candidates?: readonly string[];
  /** What was Ready stays Ready though it can't be looked at: the trouble says nothing of the resource itself. */
  readonly keepsReady?: boolean;
  /** What the resource has on record is missing together with much else, which goes on record, too. */
  readonly isMissing?: true;
}

/** One call of the service, with the fields that hold once it has been answered. */
export interface Step {
  readonly do: string;
  readonly fields?: readonly string[];
  /** What it changes at the service, for the log of changes: what the planner compared, secrets never; empty where it is no field. */
  readonly changes: readonly FieldChange[];
  /** The fields of `applied` for whose sake it is made, where those are not its own. */
  readonly because?: readonly string[];
  /** Why it is made, where that does not follow from fields. */
  readonly cause?: ChangeCause;
  /**
   * What `status.pending` must hold before the call is made: fields, or parts of fields (`field/part`). Without it, those
   * of `fields` that were never applied; all of them where the step takes the resource out of service or was approved. A
   * step of a field whose value the service doesn't show names it here each time, for after a crash nothing else tells that
   * the recorded value may be wrong.
   */
  readonly pending?: readonly string[];
  /** Fields that it sends along as they are: where it arrives late they become so again. */
  readonly carries?: readonly string[];
  /** Fields that it unsets, though another step of the plan sets them: where it arrives late they become unset again. */
  readonly clears?: readonly string[];
  /** What the status must say before the call is made. */
  readonly marks?: Marks;
  /** It is only done for the sake of other steps, and says nothing of what the plan is for. */
  readonly follows?: true;
  /** It sends once more what was sent before and what the service does not show: nothing is known to have changed. */
  readonly repeats?: true;
  /** It makes no call: only what is on record changes. */
  readonly silent?: true;
}

/** The step that creates, of a kind's steps; all others are about something that is there. */
export type CreateStep<S extends Step> = Extract<S, { readonly do: 'create' }>;

/** What is to be done, and what there is to say about it. */
export interface Plan<S extends Step, Applied = Readonly<Record<string, unknown>>, Reason extends string = string> {
  readonly steps: readonly S[];
  /** Every field in which the service differs, with or without a step that mends it. */
  readonly drift: readonly Drift[];
  /** `applied` as it is to be once all steps are done. */
  readonly applied: Readonly<Applied>;
  readonly hold?: Hold<Reason>;
  /**
   * Fields of which nothing can be said now, as what they are to be is not known: that they may have been written stays on
   * record. `all`: no field was looked at.
   */
  readonly undecided?: readonly string[] | 'all';
  /** Fields of which what was sent and may still arrive changes nothing any more, whatever it is. */
  readonly moot?: readonly string[];
  /** A wish that can't be granted, though the resource works: shows as Synced=False. */
  readonly unsynced?: { readonly reason: Reason; readonly message: string };
  /** What is odd though it is carried out, a sentence each: shows in the message of Ready. */
  readonly warnings?: readonly string[];
  /** It works, and soon will not unless somebody does something: shows as the reason of Ready=True, and is told as a Warning. */
  readonly notice?: { readonly reason: Reason; readonly message: string } | undefined;
  /** More is to be done after it, which shows only then. */
  readonly continues?: true;
  /** When time alone makes this another plan, or another status: milliseconds since the epoch. */
  readonly lookAgainAt?: number | undefined;
}

/** Whether nothing can be said now of an entry of `pending`. Pure. */
export function isUndecided({ undecided = [] }: Pick<Plan<Step>, 'undecided'>, entry: string): boolean {
  return undecided === 'all' || undecided.some((field) => isPartOf(entry, field));
}

/** Why what is at the service, as last seen, does not do what it is for. */
export interface Impairment<Reason extends string = string> {
  /** CamelCase, from the kind's reasons. */
  readonly reason: Reason;
  /** What is wrong, as a sentence; empty where there is nothing at the service to speak of. */
  readonly message: string;
  /** It is as the spec asks, and nobody has to do anything about it. */
  readonly isMeant?: true;
}

/** Whether something is to be made. Pure. */
export function creates({ steps }: Pick<Plan<Step>, 'steps'>): boolean {
  return steps.some((step) => step.do === 'create');
}
