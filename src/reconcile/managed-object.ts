import type { Condition, KubernetesObject } from '../kubernetes/objects.ts';

/** The part of every managed resource's spec that means the same for all kinds. */
export interface CommonSpec {
  accountRef?: AccountRef | undefined;
  resourceID?: string | undefined;
  adoption?: 'IfFound' | 'Required' | 'Never' | undefined;
  managementPolicy?: 'Manage' | 'Observe' | 'ApproveChanges' | 'Approve' | undefined;
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

/** What a plan that waits for approval would do, for whoever approves it: secrets never, long values cut. */
export interface ShownPlan {
  hash: string;
  calls: {
    step: string;
    fields?: { field: string; before: string; after: string }[] | undefined;
  }[];
  /** When it has been carried out, more will be asked for. */
  continues?: boolean | undefined;
}

/** What is on record of approvals. */
export interface Approval {
  /** Tells the asking that goes on from all others: it is part of the hash that is asked for. */
  asked?: string | undefined;
  /** The plan that was approved; without it, the calls were let through by the policy. */
  hash?: string | undefined;
  /** Of the spec that the calls are to carry out. */
  generation?: number | undefined;
  /** At the service: what the calls are about. Absent: what the creation among them makes. */
  id?: string | undefined;
  /** Digests of the calls that are approved and not known to be done. */
  calls?: readonly string[] | undefined;
}

/** The part of every managed resource's status that means the same for all kinds. */
export interface CommonStatus {
  /** Of the object the status was written for. */
  uid?: string | undefined;
  id?: string | undefined;
  createdAt?: string | undefined;
  seal?: string | undefined;
  ownership?: 'Created' | 'Adopted' | undefined;
  accountRef?: AccountRef | undefined;
  observedGeneration?: number | undefined;
  applied?: Record<string, unknown> | undefined;
  found?: string[] | undefined;
  pending?: string[] | undefined;
  intended?: Record<string, unknown> | undefined;
  drift?: Drift[] | undefined;
  plan?: ShownPlan | undefined;
  approval?: Approval | undefined;
  lastHandledReconcileAt?: string | undefined;
  creationAnsweredAt?: string | undefined;
  heldSince?: string | undefined;
  heldAmong?: number | undefined;
  vanishedID?: string | undefined;
  missingSince?: string | undefined;
  failingSince?: string | undefined;
  creationUnclear?: { since: string; until: string } | undefined;
  conditions?: Condition[] | undefined;
}

/** What each kind has in its own terms: what was written, and what was about to be. */
type Written = 'applied' | 'intended';

/** The status of one kind: its schema's fields, the common ones but those of {@link Written} as this layer knows them. */
export type ManagedStatus<Fields> = Omit<CommonStatus, Written> & Omit<Fields, Exclude<keyof CommonStatus, Written>>;

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
  /** By field of `pending`, the only value that was about to be written; none of those of which several were, or nobody knows. */
  readonly intended?: Readonly<Record<string, unknown>> | undefined;
  /** What was about to be written, and is known by now not to have been: on record as pending still, for it is tried again. */
  readonly unwritten?: readonly string[] | undefined;
  /** Those of `unwritten` that are not on record: they are not tried again as they are. */
  readonly refused?: readonly string[] | undefined;
  readonly marks: Marks;
  readonly approval?: Approval | undefined;
}

/** The same for one kind. */
export type ProgressOf<T extends ManagedObject> = Omit<Progress, 'applied' | 'marks'> & {
  readonly applied: Readonly<AppliedOf<T>>;
  readonly marks: MarksOf<T>;
};

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

/** What an entry of `pending` is about: a field of `applied`, or the part of it that has this name. */
export function entryOf(text: string): { readonly field: string; readonly part: string | undefined } {
  const slash = text.indexOf('/');
  return slash < 0 ? { field: text, part: undefined } : { field: text.slice(0, slash), part: text.slice(slash + 1) };
}

/** Whether an entry of `pending` is about `field`. */
export function isPartOf(entry: string, field: string): boolean {
  return entry === field || entry.startsWith(`${field}/`);
}
