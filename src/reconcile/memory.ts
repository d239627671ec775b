import { isUnderWay, settledGenerationOf } from './cause.ts';
import { findCondition } from './conditions.ts';
import { type Corrections, noCorrections } from './contention.ts';
import { type Creation, type CreationTimes, creationOf, type Now } from './creation.ts';
import type { Engine } from './engine.ts';
import { ownFinalizer } from './finalizer.ts';
import { type Freshness, nextFreshness } from './freshness.ts';
import { type Inputs, noInputs } from './inputs.ts';
import type { LateWrites } from './late-writes.ts';
import { type AccountRef, entryOf, type ManagedObject, type Progress } from './managed-object.ts';
import { progressOf, withoutHidden } from './progress.ts';
import { failedOnRecord } from './refused-before.ts';
import { accountOnRecord, isStatusOfAnother } from './restored.ts';
import type { Wait } from './wait.ts';

/**
 * What one process remembers of one resource between passes. Losing it costs reads, but for `late`, which says what may still
 * arrive of what this process sent: that is kept when all else is distrusted. A part
 * that has states has a file of its own, with them and the pure function that leads from one to the next.
 */
export interface Memory {
  readonly uid: string;
  /** When this process first saw the resource. Monotonic milliseconds. */
  readonly firstSeenAt: number;
  progress: Progress;
  /** The account that its passes worked with last; undefined: none has yet. */
  accountRef: AccountRef | undefined;
  creation: Creation;
  /** The generation for which it was decided to make something, while the look that is to come before that is waited for. */
  creationDecidedFor: number | undefined;
  freshness: Freshness;
  wait: Wait;
  inputs: Inputs;
  /** How often drift was put right of late. */
  corrections: Corrections;
  unfinished: Unfinished;
  /** The generation of the spec that was carried out last; undefined: none was yet. */
  settledGeneration: number | undefined;
  /** An earlier process ended in the middle of carrying out a later one. */
  isInterrupted: boolean;
  /** Requests that may have been carried out, and were not answered since. */
  readonly unclearWrites: Set<string>;
  /** What may still arrive though nobody answered it, and what an earlier process may have sent. */
  late: LateWrites;
  /** Until when these might arrive when they were looked for last. Monotonic milliseconds. */
  lateLook: number | undefined;
  /** What was known of what has vanished. */
  lost: Progress | undefined;
  /** How often in a row somebody took our finalizer off before what it was set for could be sent. */
  finalizerLosses: number;
  /** The status came back from a backup, which is to be reported. */
  isRestored: boolean;
  /** What was, or may have been, carried out took the resource out of service, and it was not seen since that it is back. */
  isHalfWay: boolean;
  /** It was seen since, and its status does not say so yet: what that says is of before it was taken out of service. */
  isBackUntold: boolean;
  /** Kubernetes may have it: nothing of it is left at the service, or what is was told of. */
  isLetGo: boolean;
  /** The version of it from which our finalizer was taken off, which is shown until a watch brings a later one; monotonic milliseconds. */
  releasedFrom: { readonly resourceVersion: string; readonly at: number } | undefined;
  /** The annotation `edgeline.dev/approve` as it was when this process asked last; undefined: it has not. */
  approvalSeen: { readonly annotation: string | undefined } | undefined;
  /** The reason of what it waits for, which is warned of when it lasts. */
  unwarned: string | undefined;
}

/** Work that goes on over several passes. */
export interface Unfinished {
  /** The number of the pass that began it; undefined when there is none. */
  readonly pass: number | undefined;
  /** When something began that isn't in the status yet; undefined when nothing did. Monotonic milliseconds. */
  readonly since: number | undefined;
  /** Whether something was, or may have been, sent in it, or was about to be. */
  readonly wrote: boolean;
}

export const nothingUnfinished: Unfinished = { pass: undefined, since: undefined, wrote: false };

/** The same with something that isn't in the status yet, from `now` on unless there was something before. Pure. */
export function unsettledSince(unfinished: Unfinished, now: number): Unfinished & { readonly since: number } {
  return { ...unfinished, since: unfinished.since ?? now };
}

/** The same when something was carried out: that it goes on for long is news only if nothing more comes of it. Pure. */
export function advanced(unfinished: Unfinished, now: number): Unfinished {
  return { ...unfinished, since: now };
}

/** The same for a pass with that number: the work is that of the first one. Pure. */
export function begunIn(unfinished: Unfinished, pass: number): Unfinished & { readonly pass: number } {
  return { ...unfinished, pass: unfinished.pass ?? pass };
}

type InputsOf = ((object: ManagedObject, now: Now) => Inputs) | undefined;

/** What is known of a resource that this process sees for the first time. Pure. */
export function memoryOf(
  object: ManagedObject,
  options: {
    /** The fields of the kind's `applied`. */
    readonly fields: readonly string[];
    /** Its marks. */
    readonly marks: readonly string[];
    /** Its fields that the service never shows. */
    readonly hidden?: readonly string[] | undefined;
    /** What an earlier process was refused; absent: that counts for nothing. */
    readonly inputsOf?: InputsOf;
    /** Whether it may have been taken out of service by an earlier process, as its record says. */
    readonly isHalfWay: (progress: Progress) => boolean;
    readonly times: CreationTimes;
    readonly now: Now;
  },
): Memory {
  const { fields, marks, times, now } = options;
  const creation = creationOf(object, now, times);
  const recorded = progressOf(object, fields, marks);
  // Without its finalizer it was let go of: others may have had it since.
  const progress = ownFinalizer(object) ? recorded : withoutHidden(recorded, options.hidden);
  const ahead = isStatusOfAnother(object) ? [] : writtenAhead(object, fields);
  const { monotonic } = now;
  return {
    uid: object.metadata.uid,
    firstSeenAt: monotonic,
    progress,
    accountRef: undefined,
    creation,
    creationDecidedFor: undefined,
    freshness: {
      notBefore: Number.NEGATIVE_INFINITY,
      // From now, not from the start of the process: as a standby it may have been there long before it took over.
      absentNotBefore: creation.state === 'unclear' ? monotonic + times.settleMilliseconds : monotonic,
      ...(mayBeWorkedOn(object) && { openUntil: monotonic + times.settleMilliseconds }),
      ...heldFrom(object, progress, now, times),
      thorough: false,
    },
    wait: { state: 'idle' },
    inputs: { ...(options.inputsOf?.(object, now) ?? noInputs), failedBefore: failedOnRecord(object, now) },
    corrections: noCorrections,
    unfinished: nothingUnfinished,
    settledGeneration: settledGenerationOf(object),
    isInterrupted: isUnderWay(object),
    unclearWrites: new Set(),
    late: new Map(ahead.map((entry) => [entry, [progress.intended?.[entryOf(entry).field]]])),
    lateLook: undefined,
    lost: undefined,
    finalizerLosses: 0,
    isRestored: isStatusOfAnother(object) && object.status?.id !== undefined,
    isHalfWay: options.isHalfWay(progress),
    isBackUntold: false,
    // Another process may have done so, and somebody else’s finalizer keeps it.
    isLetGo: object.metadata.deletionTimestamp !== undefined && ownFinalizer(object) === undefined,
    releasedFrom: undefined,
    approvalSeen: undefined,
    unwarned: undefined,
  };
}

/**
 * Until when the service may hold a request of an earlier process: one that is on record, or a try before the one that was
 * answered, when the resource last came to be as its spec says.
 */
function heldFrom(
  { status }: ManagedObject,
  { pending }: Progress,
  { monotonic, earliest }: Now,
  { shownMilliseconds }: CreationTimes,
): { readonly heldUntil?: number } {
  const settledAt = Date.parse(findCondition(status?.conditions, 'Synced')?.lastTransitionTime ?? '');
  const age = pending.length > 0 ? 0 : Math.max(0, earliest - settledAt);
  return age < shownMilliseconds ? { heldUntil: monotonic + shownMilliseconds - age } : {};
}

/**
 * The account that a resource is recorded in. Its status says so, and whoever may write that may take it away: what this
 * process works on stays where it is, or it would be made a second time in the account that is the default by now. Pure.
 */
export function recordedAccount(
  object: ManagedObject,
  { progress, accountRef }: Pick<Memory, 'progress' | 'accountRef'>,
): AccountRef | undefined {
  const isBegun = progress.id !== undefined || ownFinalizer(object) !== undefined;
  return (isBegun ? accountRef : undefined) ?? accountOnRecord(object);
}

/** What may still arrive of a resource. */
interface Late extends Pick<Memory, 'uid' | 'late'> {
  readonly heldUntil: number | undefined;
}

function lateOf(memory: Memory | undefined): Late | undefined {
  return memory && { uid: memory.uid, late: memory.late, heldUntil: memory.freshness.heldUntil };
}

/** What this process sent, and nobody answered, may still arrive, whoever worked on the resource since. */
function keepLate(memory: Memory, { late, heldUntil }: Late): void {
  const sent = [...late].map(([entry, values]) => [entry, [...(memory.late.get(entry) ?? []), ...values]] as const);
  memory.late = new Map([...memory.late, ...sent]);
  if (heldUntil !== undefined) memory.freshness = nextFreshness(memory.freshness, { type: 'held', heldUntil });
}

/** Recalls what is known of a resource, by key; a new object under an old name starts anew. */
export function createMemories(options: {
  readonly engine: Pick<Engine, 'clock' | 'time'>;
  readonly fields: readonly string[];
  readonly marks: readonly string[];
  readonly hidden?: readonly string[] | undefined;
  readonly inputsOf?: InputsOf;
  readonly isHalfWay: (progress: Progress) => boolean;
  readonly times: CreationTimes;
}) {
  const { engine, ...rest } = options;
  const memories = new Map<string, Memory>();
  /** Since when what was read of a resource counts no more, until it is recalled, and what of it may still arrive. Monotonic milliseconds. */
  const distrusted = new Map<string, { readonly at: number; readonly before: Late | undefined }>();
  return {
    recall(key: string, object: ManagedObject): Memory {
      const known = memories.get(key);
      // A status may be brought back after its object: then what it names is not looked for in vain.
      const isNews = isStatusOfAnother(object) && object.status?.id !== undefined && known?.progress.id === undefined;
      if (known?.uid === object.metadata.uid && !isNews) return known;
      const memory = memoryOf(object, { ...rest, now: nowOf(engine) });
      const { at, before } = distrusted.get(key) ?? {};
      if (at !== undefined) memory.freshness = nextFreshness(memory.freshness, { type: 'changed', at });
      if (before?.uid === memory.uid) keepLate(memory, before);
      distrusted.delete(key);
      memories.set(key, memory);
      return memory;
    },
    peek: (key: string): Memory | undefined => memories.get(key),
    /** There is no such resource any more. */
    forget(key: string): void {
      memories.delete(key);
      distrusted.delete(key);
    },
    /** Somebody else may have worked on it: nothing that was read of it before counts, wherever that is kept. */
    distrust(key: string): void {
      const before = lateOf(memories.get(key)) ?? distrusted.get(key)?.before;
      distrusted.set(key, { at: engine.clock.monotonic(), before });
      memories.delete(key);
    },
  };
}

/** What is on record as about to be written; of an interrupted creation everything is, be it in the spec or not. */
function writtenAhead({ status }: ManagedObject, fields: readonly string[]): readonly string[] {
  const pending = status?.pending ?? [];
  return fields.every((field) => pending.includes(field)) ? [] : pending;
}

/** Whether an earlier process may have sent anything for it. */
function mayBeWorkedOn(object: ManagedObject): boolean {
  return ownFinalizer(object) !== undefined || object.status !== undefined;
}

/** This moment by the clock that only goes forward, and by that of the cluster. */
export function nowOf({ clock, time }: Pick<Engine, 'clock' | 'time'>): Now {
  return { monotonic: clock.monotonic(), wall: time.latest(), earliest: time.earliest() };
}
