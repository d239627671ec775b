import type { CallOptions, Lane } from '../cloud/limiter/lanes.ts';
import type { KindDefinition } from '../kubernetes/crd.ts';
import type { Resource } from '../kubernetes/resource.ts';
import type { OutsideCause } from './change.ts';
import type { OwnConditionType, OwnVerdict } from './conditions.ts';
import type { FailureReason } from './failure-reason.ts';
import type {
  AccountRef,
  AppliedOf,
  ManagedObject,
  Observed,
  Progress,
  ProgressOf,
  StatusFieldOf,
  StatusOf,
} from './managed-object.ts';
import type { CreateStep, Hold, Impairment, Plan, Step } from './plan.ts';
import type { SealedRecord } from './seal.ts';
import type { AccountSession } from './session.ts';

/** What gathering found: facts to plan with, or the reason why there are none yet. */
export type Gathered<F, Reason extends string = string> =
  | { readonly facts: F }
  | { readonly hold: Hold<Reason> }
  | Awaited;

/** The next decision waits for an observation; `until` settles when it is there. */
export interface Awaited {
  readonly until: Promise<unknown>;
  /** The lane the observation waits in; by default `list`. */
  readonly lane?: Lane;
  /** As far as is known the status still holds: what is waited for is only another look. */
  readonly unchanged?: boolean;
  /** How many requests of an hour's it takes; absent: it is others' as well. */
  readonly requests?: number;
}

/** One moment by both clocks. */
export interface Moment {
  /** Monotonic milliseconds. */
  readonly monotonic: number;
  /** Milliseconds since the epoch. */
  readonly wall: number;
}

/** The turn of what was refused for now, or fails again and again, where each try takes a part of an hour's requests. */
export interface TurnAhead {
  /** Says that it is waited for. */
  readonly hold: Hold<FailureReason>;
  /**
   * What failed: to read; to be carried out, and then to read what came of that is a part of the next try; an earlier process
   * was refused it, which alone is no reason to read details.
   */
  readonly of: 'reading' | 'steps' | 'earlier';
}

/** What one pass over one resource may use. */
export interface Pass<T extends ManagedObject> {
  readonly object: T;
  readonly session: AccountSession;
  readonly progress: ProgressOf<T>;
  /** The account the session belongs to. */
  readonly accountRef: AccountRef;
  readonly deleting: boolean;
  /** Created moments ago by the operator: the service may not show it everywhere yet, or not always. */
  readonly justCreated: boolean;
  /** The finalizer of an earlier process says that a creation may have been sent whose answer nobody kept. */
  readonly creationUnclear: boolean;
  /** It is decided to make something, and what is seen now is what was there before. */
  readonly creationDecided: boolean;
  /** What was made at the service before this is not what such a creation left (the cluster’s clock, milliseconds since the epoch). */
  readonly unclearSince: number;
  /** The same of what was made after this. */
  readonly unclearUntil: number;
  /** From when on the service shows what such a creation made, if it made something; undefined when none is unclear. */
  readonly shownFrom: Moment | undefined;
  /** Only an observation that began after this counts (monotonic milliseconds). */
  readonly notBefore: number;
  /** When the spec came to want what was there already: details from before may be of before somebody changed it (monotonic milliseconds). */
  readonly takenAt: number;
  /** Only an observation that began after this may say that something does not exist (monotonic milliseconds). */
  readonly absentNotBefore: number;
  /** Read details too, not the list alone: asked for by a person or by the audit. */
  readonly thorough: boolean;
  /** What it would ask for was refused, or failed, and its turn has not come. */
  readonly waitsForTurn: TurnAhead | undefined;
  /** Wall clock, milliseconds since the epoch. */
  readonly now: number;
  /** The same by the clock of the cluster, at the earliest: nothing that is asked for from now on is older. */
  readonly clusterNow: number;
  readonly signal: AbortSignal;
  /** How this pass calls the service in a lane. Every call a pass waits for is made with it. */
  call(lane: Lane): CallOptions;
}

/** What a step changed in the operator's own knowledge. */
export interface StepResult<T extends ManagedObject, Mark extends StatusFieldOf<T> = StatusFieldOf<T>> {
  readonly marks?: { readonly [K in Mark]?: StatusOf<T>[K] | undefined };
}

/** What a creation changed. */
export interface Created<T extends ManagedObject, Mark extends StatusFieldOf<T> = StatusFieldOf<T>>
  extends StepResult<T, Mark> {
  /** Of what was created. */
  readonly id: string;
}

/**
 * A kind: gather, plan, act, status. `gather` does all reading and returns plain data; `plan` and `observed` are pure;
 * `create` and `act` do one call of the service, with what the step says. F are the facts, S the steps, Mark the status
 * fields that are marks, Reason the reasons a condition may have, OwnReason those of conditions that the kind has beside those
 * of all.
 */
export interface ManagedKind<
  T extends ManagedObject,
  F,
  S extends Step,
  Mark extends StatusFieldOf<T> = StatusFieldOf<T>,
  Reason extends string = string,
  OwnReason extends string = Reason,
> {
  readonly definition: KindDefinition;
  readonly resource: Resource;
  /** The fields `applied` may hold. */
  readonly fields: readonly (keyof AppliedOf<T> & string)[];
  /** Why a field may be wanted otherwise although the spec is as it was. */
  readonly outside?: { readonly [K in keyof AppliedOf<T>]?: OutsideCause };
  /** Fields whose value the service never shows: one that arrives after the next would win unseen. */
  readonly hidden?: readonly (keyof AppliedOf<T> & string)[];
  /**
   * Whether the steps follow from what was read too long ago, as while they waited for approval: then it is read again. Asked
   * when nothing but their turn keeps them from being carried out.
   */
  readonly isOld?: (pass: Pick<Pass<T>, 'object' | 'session'>, facts: F) => boolean;
  /** What was read of it, or sent unseen, is not believed any more; absent: a thorough look reads all anew. */
  readonly forget?: (object: T, id: string) => void;
  /** When what is known of these fields was read last, monotonic milliseconds; absent: that is not told. */
  readonly readAt?: (object: T, id: string, fields: readonly string[]) => number;
  /** Whether the service has just this of an entry of `pending`, in the terms of `applied`; undefined: it does not show that. */
  readonly isThere?: (facts: F, entry: string, value: unknown) => boolean | undefined;
  /**
   * The lane of its writes, where they and its reads have to share an hour's requests with those of all sites, and may wait long
   * for their turn.
   */
  readonly sharesHour?: 'write' | 'upload';
  /** What it creates costs money: many at once are held, and each is on record as soon as it is made. */
  readonly isCostly?: true;
  /** The status fields that are marks. */
  readonly marks: readonly Mark[];
  /** Whether its Secrets hold what the status says is at the service, as far as that shows without the account. */
  isAsRecorded?(object: T): Promise<boolean>;
  /** The Secrets an object names, all in its own namespace. */
  secretsOf(object: T): readonly string[];
  gather(pass: Pass<T>): Promise<Gathered<F, Reason>>;
  plan(facts: F): Plan<S, AppliedOf<T>, Reason>;
  planDeletion(facts: F): Plan<S, AppliedOf<T>, Reason>;
  /** Creates the object at the service. */
  create(step: CreateStep<S>, pass: Pass<T>): Promise<Created<T, Mark>>;
  /** Does a step about the object with this ID. */
  act(step: Exclude<S, CreateStep<S>>, id: string, pass: Pass<T>): Promise<StepResult<T, Mark>>;
  /** What it has at the service, with what a person finds it by there: `SIM 113300000017 (ICCID 8981…)`. */
  called(object: T, id: string): string;
  /** The end of a sentence that says in which state it stays at the service, where that is not as it was found. */
  stateToTell?(object: T): string | undefined;
  /** The step in the past tense, for an event: `activated`, `set the IP address 10.0.0.17`. */
  describe(step: S): string;
  /** The ID of what was found at the service, if anything, and whose work it is. */
  identify(facts: F): { id: string; ownership: 'Created' | 'Adopted' } | undefined;
  /** Whether a step of a plan is tried though one before it failed. Absent: none is. */
  goesOn?(facts: F, steps: readonly S[], failed: S, next: S): boolean;
  /** Whether the step takes the resource out of service, until later ones of its plan are done or for good. */
  interrupts?(step: S): boolean;
  /** Whether the steps of a plan take the resource out of service for good: nothing but the facts tells what is then. */
  takesAway?(steps: readonly S[]): boolean;
  /** Whether the record tells of an earlier process that may have ended after such a step. */
  mayBeHalfWay?(progress: Progress): boolean;
  /**
   * Why it does not do what it is for, as the facts show it; undefined when it does. Of what the spec asks for those fields
   * count of `applied` that are due: a new wish that waits for its turn takes nothing away.
   */
  impairment(facts: F, isDue: (field: keyof AppliedOf<T> & string) => boolean): Impairment<Reason> | undefined;
  /** The kind's own part of the status, from the facts alone; undefined when nothing is at the service. */
  observed(facts: F, object: T): Observed<T, Mark> | undefined;
  /**
   * The status fields by which the next process knows what no list shows, as far as this one has learnt of them. A pass that
   * wrote to the service may end without facts, and what the status said of it before would be believed.
   */
  learnt?(object: T, id: string): Partial<Observed<T, Mark>> | undefined;
  /** The proof, for the status, that the operator itself found or made what that has on record; undefined where it did not. */
  readonly seal: (record: SealedRecord) => string | undefined;
  /** The resource with this UID gives up what it has: that it had it proves nothing against whoever takes it over. */
  readonly giveUp: (uid: string) => void;
  /** Whether the resource's own calls go before all others: a person wants something taken out of service. */
  isUrgent?(object: T): boolean;
  /** The sentence of Ready=True. */
  readyMessage(facts: F): string;
  /**
   * Conditions that the kind has beside those of all, which have no bearing on Ready; undefined where the spec does not ask for
   * one. Where there are no facts, they stay as they are.
   */
  readonly own?: { readonly [Type in OwnConditionType]?: (facts: F) => OwnVerdict<OwnReason> | undefined };
  /**
   * What a resource that was Ready still does while a change of it waits, as a sentence; undefined: nothing. Without facts
   * from the status. `now`: milliseconds since the epoch. A kind without it leaves that to the hold.
   */
  meanwhile?(object: T, facts: F | undefined, now: number): string | undefined;
}
