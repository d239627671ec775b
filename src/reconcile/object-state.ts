import { Annotation } from './annotations.ts';
import { findCondition } from './conditions.ts';
import { ownFinalizer } from './finalizer.ts';
import type { ManagedObject, Progress } from './managed-object.ts';
import type { Hold } from './plan.ts';
import { CommonReason } from './verdict.ts';

/** Deletion leaves alone what the operator did not create, unless told otherwise. */
export function isLeftBehind(object: ManagedObject, ownership: Progress['ownership']): boolean {
  if (object.spec.managementPolicy === 'Observe') return true;
  if (object.spec.deletionPolicy) return object.spec.deletionPolicy === 'Orphan';
  return ownership === 'Adopted' || (!ownership && ownFinalizer(object) === 'adopt');
}

/** The account reports what concerns the whole account; what is Ready says so until it has something of its own to say. */
export function isReadyNow(object: ManagedObject): boolean {
  const ready = findCondition(object.status?.conditions, 'Ready');
  return ready?.status === 'True' && ready.observedGeneration === object.metadata.generation;
}

/** Whether the status says that all is as the spec has it. */
export function isSettled(object: ManagedObject): boolean {
  const { status, metadata } = object;
  const isSynced = findCondition(status?.conditions, 'Synced')?.status === 'True';
  return isReadyNow(object) && isSynced && !status?.pending?.length && metadata.deletionTimestamp === undefined;
}

/** Why nothing is done while the annotation is set: on the resource itself, or on what `by` names. */
export function pausedHold(deleting: boolean, by?: string): Hold<CommonReason> {
  const on = by === undefined ? '' : ` on the ${by}`;
  return {
    state: 'Suspended',
    reason: CommonReason.Paused,
    message: deleting
      ? `Deletion waits because ${Annotation.paused} is set${on}. Remove the annotation to go on.`
      : `${Annotation.paused} is set${on}: nothing is changed until the annotation is removed.`,
    keepsReady: true,
  };
}

/** Why nothing is done for what the operator has let go of. */
export const abandonedHold: Hold<CommonReason> = {
  state: 'Suspended',
  reason: CommonReason.Abandoned,
  message: `${Annotation.abandon} is set: the operator has let go. Remove the annotation to manage it again.`,
};

/**
 * The lane of a read whose turn it is: what a person has changed waits for it, and not for all that is more pressing than a
 * look at what is as it was. Pure.
 */
export function lookLane(object: ManagedObject): 'verify' | 'audit' {
  const isNews = object.status?.observedGeneration !== object.metadata.generation || isUnderWay(object);
  return isNews ? 'verify' : 'audit';
}

/** Whether the status says already that work on this very spec goes on. */
export function isUnderWay(object: ManagedObject): boolean {
  const conditions = object.status?.conditions;
  return (
    object.status?.observedGeneration === object.metadata.generation &&
    findCondition(conditions, 'Reconciling')?.status === 'True'
  );
}

/** Whether the status says that the resource waits for the approval of a plan for this very spec, and nobody has given it. */
export function isAsking({ status, metadata }: ManagedObject): boolean {
  const isAsked = findCondition(status?.conditions, 'Synced')?.reason === CommonReason.ApprovalPending;
  const isApproved = metadata.annotations?.[Annotation.approve] === status?.plan?.hash;
  return isAsked && !isApproved && status?.observedGeneration === metadata.generation;
}

/** Whether the status says so already that the work goes on for this reason. */
export function isToldAs(object: ManagedObject, reason: string): boolean {
  return findCondition(object.status?.conditions, 'Reconciling')?.reason === reason;
}

/** What the status says that the resource waits for, in a sentence; undefined: it does not say that it waits. */
export function waitTold({ status }: ManagedObject): string | undefined {
  const [synced, ...waits] = ['Synced', 'Reconciling', 'Stalled'].map((type) =>
    findCondition(status?.conditions, type),
  );
  const isWaiting = synced?.reason === CommonReason.Paused || waits.some((one) => one?.status === 'True');
  return isWaiting && synced?.status === 'False' ? synced.message : undefined;
}

/** Milliseconds. */
const YOUNG_MILLISECONDS = 20 * 60_000;

/**
 * How old the resource is, in milliseconds, if it was created so recently that the service may still be busy making what
 * belongs to it; else undefined.
 */
export function ageIfYoung(object: ManagedObject, now: number): number | undefined {
  const age = now - Date.parse(object.metadata.creationTimestamp ?? '');
  return age < YOUNG_MILLISECONDS ? age : undefined;
}

/** Whether the status names what is known by now to have vanished. */
export function namesWhatVanished({ status }: ManagedObject, { id }: Pick<Progress, 'id'>): boolean {
  return status?.id !== undefined && id === undefined;
}
