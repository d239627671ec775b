import type { CallOptions, Lane } from '../cloud/limiter/lanes.ts';
import type { KindDefinition } from '../kubernetes/crd.ts';
import type { Condition, KubernetesObject } from '../kubernetes/objects.ts';
import type { Resource } from '../kubernetes/resource.ts';
import type { AccountSession } from './session.ts';

/** The part of every managed resource's spec that means the same for all kinds. */
export interface CommonSpec {
  accountRef?: AccountRef | undefined;
  resourceID?: string | undefined;
  adoption?: 'IfFound' | 'Required' | 'Never' | undefined;
  managementPolicy?: 'Manage' | 'Observe' | undefined;
  deletionPolicy?: 'Delete' | 'Orphan' | undefined;
}

/** Which account a resource belongs to. */
export interface AccountRef {
  kind: 'CloudAccount' | 'ClusterCloudAccount';
  name: string;
}

/** One field in which the service differs from the spec. Values are shown as short text, secrets never. */
export interface Drift {
  field: string;
  desired: string;
  observed: string;
}

/** The part of every managed resource's status that means the same for all kinds. */
export interface CommonStatus {
  /** Of the object the status was written for. */
  uid?: string | undefined;
  id?: string | undefined;
  createdAt?: string | undefined;
  ownership?: 'Created' | 'Adopted' | undefined;
  accountRef?: AccountRef | undefined;
  observedGeneration?: number | undefined;
  applied?: Record<string, unknown> | undefined;
  found?: string[] | undefined;
  pending?: string[] | undefined;
  drift?: Drift[] | undefined;
  lastHandledReconcileAt?: string | undefined;
  creationAnsweredAt?: string | undefined;
  creationUnclear?: { since: string; until: string } | undefined;
  conditions?: Condition[] | undefined;
}

/** The status of one kind: its schema's fields, the common ones but `applied` as this layer knows them. */
export type ManagedStatus<Fields> = Omit<CommonStatus, 'applied'> &
  Omit<Fields, Exclude<keyof CommonStatus, 'applied'>>;

/** A resource whose counterpart at the service the operator looks after. */
export interface ManagedObject extends KubernetesObject {
  spec: CommonSpec;
  status?: CommonStatus;
}

/** The status of a resource. */
export type StatusOf<T extends ManagedObject> = NonNullable<T['status']>;

/** What a resource last wrote, by field. */
export type AppliedOf<T extends ManagedObject> = NonNullable<StatusOf<T>['applied']>;

/** The name of a status field. */
export type StatusFieldOf<T extends ManagedObject> = keyof StatusOf<T> & string;

/** The status fields that show what is at the service: neither this layer's own nor the kind's marks. */
export type ObservedField<T extends ManagedObject, Mark extends string = never> = Exclude<
  StatusFieldOf<T>,
  Exclude<keyof CommonStatus, 'createdAt'> | Mark
>;

/** What a kind observed, for the status. Each of its fields has to be there, so that none is forgotten or misspelled. */
export type Observed<T extends ManagedObject, Mark extends string = never> = {
  readonly [K in ObservedField<T, Mark>]: StatusOf<T>[K] | undefined;
};

/**
 * Small facts a kind keeps in its status, by the name of the status field, that are no field of the service: the last
 * handled annotation, an intent to create, settings sent but not applied. Undefined removes one.
 */
export type Marks = Readonly<Record<string, unknown>>;

/** The marks of one kind, each with the type its status field has. */
export type MarksOf<T extends ManagedObject, Mark extends StatusFieldOf<T> = StatusFieldOf<T>> = {
  readonly [K in Mark]?: StatusOf<T>[K] | undefined;
};

/**
 * What the operator knows of its own work on a resource: `status` as last written, plus what was done since. It lives
 * in memory between the answer of the service and the status write; a crash in between loses only that, and every kind
 * finds its way back from the finalizer and the service.
 */
export interface Progress {
  readonly id?: string | undefined;
  readonly ownership?: 'Created' | 'Adopted' | undefined;
  /** What this resource last wrote, by field. */
  readonly applied: Readonly<Record<string, unknown>>;
  /** The UID of the object the status was written for, as long as what it names was not found: it came from a backup. */
  readonly restoredFrom?: string | undefined;
  /** Those of `applied` that were so when they were taken over, and that this resource never wrote. */
  readonly found?: readonly string[] | undefined;
  /** Fields, or parts of them, about to be written when the status last was: treated as applied with a value unknown. */
  readonly pending: readonly string[];
  readonly marks: Marks;
}

/** The same for one kind. */
export type ProgressOf<T extends ManagedObject> = Omit<Progress, 'applied' | 'marks'> & {
  readonly applied: Readonly<AppliedOf<T>>;
  readonly marks: MarksOf<T>;
};

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
}

/** One call of the service, with the fields that hold once it has been answered. */
export interface Step {
  readonly do: string;
  readonly fields?: readonly string[];
  /**
   * What `status.pending` must hold before the call is made: fields, or parts of fields (`field/part`). Without it, those
   * of `fields` that were never applied. A step of a field whose value the service doesn't show names it here each time,
   * for after a crash nothing else tells that the recorded value may be wrong.
   */
  readonly pending?: readonly string[];
  /** What the status must say before the call is made. */
  readonly marks?: Marks;
  /** It is only done for the sake of other steps, and says nothing of what the plan is for. */
  readonly follows?: true;
  /** It sends once more what was sent before and what the service does not show: nothing is known to have changed. */
  readonly repeats?: true;
}

/** What is to be done, and what there is to say about it. */
export interface Plan<S extends Step, Applied = Readonly<Record<string, unknown>>, Reason extends string = string> {
  readonly steps: readonly S[];
  /** Every field in which the service differs, with or without a step that mends it. */
  readonly drift: readonly Drift[];
  /** `applied` as it is to be once all steps are done. */
  readonly applied: Readonly<Applied>;
  readonly hold?: Hold<Reason>;
  /** A wish that can't be granted, though the resource works: shows as Synced=False. */
  readonly unsynced?: { readonly reason: Reason; readonly message: string };
  /** What is odd though it is carried out, a sentence each: shows in the message of Ready. */
  readonly warnings?: readonly string[];
  /** It works, and soon will not unless somebody does something: shows as the reason of Ready=True, and is told as a Warning. */
  readonly notice?: { readonly reason: Reason; readonly message: string } | undefined;
  /** When time alone makes this another plan, or another status: milliseconds since the epoch. */
  readonly lookAgainAt?: number | undefined;
}

/** Why what is at the service, as last seen, does not do what it is for. */
export interface Impairment<Reason extends string = string> {
  /** CamelCase, from the kind's reasons. */
  readonly reason: Reason;
  /** What is wrong, as a sentence; empty where there is nothing at the service to speak of. */
  readonly message: string;
}

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
}

/** One moment by both clocks. */
export interface Moment {
  /** Monotonic milliseconds. */
  readonly monotonic: number;
  /** Milliseconds since the epoch. */
  readonly wall: number;
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
  /** What was made at the service before this is not what such a creation left (wall clock, milliseconds). */
  readonly unclearSince: number;
  /** The same of what was made after this. */
  readonly unclearUntil: number;
  /** From when on the service shows what such a creation made, if it made something; undefined when none is unclear. */
  readonly shownFrom: Moment | undefined;
  /** Only an observation that began after this counts (monotonic milliseconds). */
  readonly notBefore: number;
  /** Only an observation that began after this may say that something does not exist (monotonic milliseconds). */
  readonly absentNotBefore: number;
  /** Read details too, not the list alone: asked for by a person or by the audit. */
  readonly thorough: boolean;
  /** Wall clock, milliseconds since the epoch. */
  readonly now: number;
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

/** The step that creates, of a kind's steps; all others are about something that is there. */
export type CreateStep<S extends Step> = Extract<S, { readonly do: 'create' }>;

/**
 * A kind: gather, plan, act, status. `gather` does all reading and returns plain data; `plan` and `observed` are pure;
 * `create` and `act` do one call of the service, with what the step says. F are the facts, S the steps, Mark the status
 * fields that are marks, Reason the reasons a condition may have.
 */
export interface ManagedKind<
  T extends ManagedObject,
  F,
  S extends Step,
  Mark extends StatusFieldOf<T> = StatusFieldOf<T>,
  Reason extends string = string,
> {
  readonly definition: KindDefinition;
  readonly resource: Resource;
  /** The fields `applied` may hold. */
  readonly fields: readonly (keyof AppliedOf<T> & string)[];
  /** Its reads have to share an hour's requests with those of all sites, and may wait long for their turn. */
  readonly sharesHour?: true;
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
  /** The step in the past tense, for an event: `activated`, `set the IP address 10.0.0.17`. */
  describe(step: S): string;
  /** The ID of what was found at the service, if anything, and whose work it is. */
  identify(facts: F): { id: string; ownership: 'Created' | 'Adopted' } | undefined;
  /** Whether the step takes the resource out of service until later ones of its plan are done. */
  interrupts?(step: S): boolean;
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
  /** Whether the resource's own calls go before all others: a person wants something taken out of service. */
  isUrgent?(object: T): boolean;
  /** The sentence of Ready=True. */
  readyMessage(facts: F): string;
  /**
   * What a resource that was Ready still does while a change of it waits, as a sentence; undefined: nothing. Without facts
   * from the status. `now`: milliseconds since the epoch. A kind without it leaves that to the hold.
   */
  meanwhile?(object: T, facts: F | undefined, now: number): string | undefined;
}

/**
 * Whether `field` was written by this resource before: recorded, or about to be when the last status was written. What was
 * so when it was taken over is enforced while the spec says so, and stays as it is when the spec no longer does.
 */
export function wasApplied<Applied extends object>(
  progress: { readonly applied: Applied } & Pick<Progress, 'pending' | 'found'>,
  field: keyof Applied & string,
): boolean {
  if (isPending(progress.pending, field)) return true;
  return progress.applied[field] !== undefined && !progress.found?.includes(field);
}

/** Whether `field`, or a part of it (`field/part`), was about to be written when the status was. */
export function isPending(pending: readonly string[], field: string): boolean {
  return pending.some((entry) => isPartOf(entry, field));
}

/** Whether an entry of `pending` is about `field`. */
export function isPartOf(entry: string, field: string): boolean {
  return entry === field || entry.startsWith(`${field}/`);
}
