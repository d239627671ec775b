import { ownFinalizer } from './finalizer.ts';
import type { AccountRef, ManagedObject, Progress } from './managed-object.ts';

/** Clocks of the operators that wrote a status may differ from the apiserver's by this much. Milliseconds. */
const SKEW_MILLISECONDS = 5 * 60_000;
/** A creation that was interrupted this long ago is nobody's unfinished work any more. Milliseconds. */
const UNFINISHED_MILLISECONDS = 20 * 60_000;
/** Times of creation are whole seconds, and clocks a little apart. Milliseconds. */
const ROUNDING_MILLISECONDS = 2000;
/** The clock of the service may differ from the cluster's by this much. Milliseconds. */
export const CLOCKS_APART_MILLISECONDS = 60_000;

/** The mark of what was asked for, where nothing else tells it from what others have made. */
export const INTENT_MARK = 'creation';

/**
 * Whether the status was written for another object than the one it is on: a backup was restored, in this cluster or
 * another, and what the status says of whose work something is was true of an object that is gone, or lives elsewhere.
 */
export function isStatusOfAnother({ status, metadata }: ManagedObject): boolean {
  if (!status) return false;
  if (status.uid !== undefined) return status.uid !== metadata.uid;
  // Version 0.1.0 recorded no UID, but nothing happens to an object before it is there.
  const born = Date.parse(metadata.creationTimestamp ?? '');
  return (status.conditions ?? []).some(
    ({ lastTransitionTime }) => Date.parse(lastTransitionTime) < born - SKEW_MILLISECONDS,
  );
}

/**
 * Whether an earlier process may have sent a creation whose answer nobody kept: its finalizer says so, or, where that was
 * taken off, to abandon the resource or by whoever replaced it, the status.
 */
export function isInterrupted(object: ManagedObject): boolean {
  if (object.status?.id) return false;
  return ownFinalizer(object) === 'create' || isAskedFor(object) || unclearOnRecord(object) !== undefined;
}

/** What was asked for is on record, as it is where nothing else tells it from what others have made. */
function isAskedFor(object: ManagedObject): boolean {
  const status: Readonly<Record<string, unknown>> = { ...object.status };
  return !isStatusOfAnother(object) && status[INTENT_MARK] !== undefined;
}

/** The account that a status tells; of one that was written for another object and names nothing that could be found, none. */
export function accountOnRecord(object: ManagedObject): AccountRef | undefined {
  const { status } = object;
  return status?.id === undefined && isStatusOfAnother(object) ? undefined : status?.accountRef;
}

/** Between which moments a creation without an answer was under way, as the status of this very object says. */
export function unclearOnRecord(object: ManagedObject): { since: string; until: string } | undefined {
  return isStatusOfAnother(object) ? undefined : object.status?.creationUnclear;
}

/**
 * From when on something may have been created by an interrupted creation of which only the finalizer tells; `now` is
 * the cluster's clock, milliseconds. An object that lost its status looks just so, and what belongs to it may be in use for
 * years: what is older than the object, or was made long ago, is taken over, not taken for work that was left unfinished.
 */
export function unfinishedSince(object: ManagedObject, now: number): number {
  const recorded = Date.parse(unclearOnRecord(object)?.since ?? '');
  if (!Number.isNaN(recorded)) return recorded;
  const born = Date.parse(object.metadata.creationTimestamp ?? '');
  return Math.max(born - ROUNDING_MILLISECONDS, now - UNFINISHED_MILLISECONDS);
}

/**
 * Until when: what is made after the requests of the dead process have arrived was made by somebody else. `now` is
 * the cluster's clock, milliseconds.
 */
export function unfinishedUntil(object: ManagedObject, now: number, settleMilliseconds: number): number {
  const recorded = Date.parse(unclearOnRecord(object)?.until ?? '');
  const until = now + settleMilliseconds + CLOCKS_APART_MILLISECONDS;
  return Number.isNaN(recorded) ? until : Math.min(recorded, until);
}

/** Whether something was created between two moments (milliseconds); what does not say when was not. */
export function isMadeBetween(createdAt: string | undefined, since: number, until: number): boolean {
  const made = Date.parse(createdAt ?? '');
  return made >= since && made <= until;
}

/** What may have been written without a record: nothing, on what only now turns out to be somebody else's. */
export function pendingOn(progress: Progress, ownership: Progress['ownership']): readonly string[] {
  return progress.id === undefined && ownership === 'Adopted' ? [] : progress.pending;
}

/**
 * The progress once something was found at the service. `lost` is what this process knew before it vanished: what is
 * back under its old ID is whose it was.
 */
export function afterSight(
  progress: Progress,
  found: { readonly id: string; readonly ownership: 'Created' | 'Adopted' },
  lost: Progress | undefined,
): Progress {
  if (progress.id === found.id) {
    return { ...progress, ownership: progress.ownership ?? found.ownership, restoredFrom: undefined };
  }
  if (progress.id !== undefined) {
    return {
      ...progress,
      ...found,
      applied: {},
      found: [],
      pending: [],
      unwritten: undefined,
      refused: undefined,
      restoredFrom: undefined,
    };
  }
  const ownership = progress.ownership ?? (lost?.id === found.id ? lost.ownership : undefined) ?? found.ownership;
  return { ...progress, id: found.id, ownership, pending: pendingOn(progress, ownership) };
}

/** The progress once what it names is no longer at the service: its marks stay, for what is made in its place. */
export function afterVanishing({ marks }: Progress): Progress {
  return { applied: {}, found: [], pending: [], marks };
}
