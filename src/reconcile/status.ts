import { isDeepStrictEqual } from 'node:util';
import { defined } from '../cloud/list/page.ts';
import type { Condition } from '../kubernetes/objects.ts';
import { Annotation, isSet } from './annotations.ts';
import { findCondition, mergeConditions, type Verdict } from './conditions.ts';
import type { AccountRef, CommonStatus, Drift, ManagedObject, Progress, ShownPlan } from './managed-object.ts';
import { intendedToTell, pendingToTell } from './progress.ts';
import { failingSince } from './refused-before.ts';
import type { SealedRecord } from './seal.ts';

/** What a status is made of. */
export interface StatusParts {
  readonly progress: Progress;
  readonly verdicts: readonly Verdict[];
  /** The kind's own part; undefined keeps what the status has. */
  readonly observed: object | undefined;
  /** Of the same, what this process has learnt otherwise. */
  readonly learnt?: object | undefined;
  /** Seals what the status has on record, if that is what this process claimed. */
  readonly seal?: ((record: SealedRecord) => string | undefined) | undefined;
  /** The kind's marks, which come from the progress alone. */
  readonly marks: readonly string[];
  /** When a creation of which nobody knows what came was under way. */
  readonly creationUnclear?: CommonStatus['creationUnclear'];
  /** What waits for approval. */
  readonly plan?: ShownPlan | undefined;
  /** Shown only where it is not being mended. */
  readonly drift: readonly Drift[];
  readonly accountRef: AccountRef | undefined;
  /** Wall clock, milliseconds since the epoch. */
  readonly now: number;
}

/** The status to store. Pure; equal parts give an equal status, so that nothing is written when nothing changed. */
export function composeStatus(object: ManagedObject, parts: StatusParts): CommonStatus {
  const { progress, verdicts, observed, learnt, marks, creationUnclear, plan, drift, accountRef, now } = parts;
  const previous = object.status ?? {};
  const generation = object.metadata.generation ?? 0;
  const conditions = mergeConditions(previous.conditions ?? [], verdicts, generation, now);
  const own: CommonStatus & Record<string, unknown> = {
    ...(observed ? {} : observedFields(previous, marks)),
    ...(observed && defined(observed)),
    ...(learnt && defined(learnt)),
    ...progress.marks,
    // Until what a restored status names was found, it stays another's.
    ...(progress.restoredFrom !== 'unknown' && { uid: progress.restoredFrom ?? object.metadata.uid }),
    observedGeneration: generation,
    conditions,
  };
  const failing = failingSince(object, conditions, now);
  if (failing !== undefined) own.failingSince = failing;
  if (progress.id !== undefined) own.id = progress.id;
  if (progress.ownership !== undefined) own.ownership = progress.ownership;
  if (creationUnclear) own.creationUnclear = creationUnclear;
  if (accountRef) own.accountRef = accountRef;
  if (Object.keys(progress.applied).length > 0) own.applied = { ...progress.applied };
  if (progress.found && progress.found.length > 0) own.found = [...progress.found];
  const pending = pendingToTell(progress, previous.pending);
  if (pending.length > 0) own.pending = pending;
  const intended = intendedToTell(progress);
  if (Object.keys(intended).length > 0) own.intended = { ...intended };
  if (drift.length > 0) own.drift = [...drift];
  if (plan) own.plan = plan;
  if (progress.approval) own.approval = progress.approval;
  // Whose claim it is; what was not claimed anew, as while it is paused, keeps the seal that it has, but not what was given up.
  const isAsBefore = own.id === previous.id && own.uid === previous.uid && !isSet(object, Annotation.abandon);
  const fresh = own.uid === object.metadata.uid ? parts.seal?.(own) : undefined;
  const seal = fresh ?? (isAsBefore ? previous.seal : undefined);
  if (own.id !== undefined && seal !== undefined) own.seal = seal;
  return own;
}

/** All but `createdAt`, which each kind observes; one that is forgotten would stay in every status for ever. */
const COMMON_FIELDS = {
  uid: true,
  id: true,
  seal: true,
  ownership: true,
  accountRef: true,
  observedGeneration: true,
  applied: true,
  found: true,
  pending: true,
  intended: true,
  drift: true,
  plan: true,
  approval: true,
  conditions: true,
  creationUnclear: true,
  creationAnsweredAt: true,
  lastHandledReconcileAt: true,
  heldSince: true,
  heldAmong: true,
  vanishedID: true,
  missingSince: true,
  failingSince: true,
} as const satisfies Record<Exclude<keyof CommonStatus, 'createdAt'>, true>;
const COMMON = new Set<string>(Object.keys(COMMON_FIELDS));

function observedFields(status: CommonStatus, marks: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(Object.entries(status).filter(([key]) => !COMMON.has(key) && !marks.includes(key)));
}

/** What changed for a person between two statuses: the conditions whose status or reason is new. */
export function transitions(
  before: readonly Condition[] | undefined,
  after: readonly Condition[] | undefined,
): Condition[] {
  return (after ?? []).filter((condition) => {
    const earlier = findCondition(before, condition.type);
    return earlier?.status !== condition.status || earlier.reason !== condition.reason;
  });
}

/** Whether a step puts back what somebody else changed, as opposed to carrying out a change of the spec. */
export function correctsDrift(
  fields: readonly string[] | undefined,
  applied: Readonly<Record<string, unknown>>,
  planned: Readonly<Record<string, unknown>>,
): boolean {
  return (
    fields !== undefined &&
    fields.length > 0 &&
    fields.every((field) => applied[field] !== undefined && isDeepStrictEqual(applied[field], planned[field]))
  );
}
