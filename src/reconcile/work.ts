import type { Turn } from '../cloud/limiter/lanes.ts';
import { isJustCreated, shownFromOf } from './creation.ts';
import type { Engine } from './engine.ts';
import type { Pass, TurnAhead } from './kind.ts';
import type { AccountRef, ManagedObject, ProgressOf } from './managed-object.ts';
import type { Memory } from './memory.ts';
import type { Hold } from './plan.ts';
import type { ObjectKey, Slot } from './reconciler.ts';
import type { AccountSession } from './session.ts';

/** One pass over one resource, with what it works on. */
export interface Work<T extends ManagedObject> {
  readonly key: ObjectKey;
  object: T;
  /** The finalizer of ours that the object has to have for what is sent from now on; undefined: none is needed yet. */
  finalizer: 'create' | 'adopt' | undefined;
  readonly memory: Memory;
  readonly session: AccountSession;
  readonly accountRef: AccountRef;
  /** Why nothing new is made in the account any more. */
  readonly leaving: Hold<string> | undefined;
  /** See `Resolved`. */
  readonly unrecorded: Hold<string> | undefined;
  readonly signal: AbortSignal;
  readonly slot: Slot;
  readonly turn: Turn;
  /** Has a listener called when that may be so by now, until what is returned is called. */
  readonly onDoubt: (listener: () => void) => () => void;
  /** Throws when what the round under way was decided on is no longer so. */
  check: () => void;
}

/** What gathering and acting are given. */
export function passOf<T extends ManagedObject>(work: Work<T>, engine: Engine, waitsForTurn?: TurnAhead): Pass<T> {
  const { object, memory, session, accountRef, signal, turn, slot } = work;
  const { creation, freshness } = memory;
  const { notBefore, absentNotBefore, thorough, takenAt = Number.NEGATIVE_INFINITY } = freshness;
  // Nothing was made by a creation that is not unclear.
  const between = creation.state === 'unclear' ? creation : { since: Infinity, until: -Infinity };
  return {
    object,
    session,
    accountRef,
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the schema the status was stored by, and this kind's plans, say so
    progress: memory.progress as ProgressOf<T>,
    deleting: object.metadata.deletionTimestamp !== undefined,
    creationUnclear: creation.state === 'unclear',
    creationDecided: memory.creationDecidedFor === object.metadata.generation,
    unclearSince: between.since,
    unclearUntil: between.until,
    shownFrom: shownFromOf(creation),
    justCreated: isJustCreated(creation, engine.clock.monotonic(), engine),
    notBefore,
    takenAt,
    absentNotBefore: Math.max(notBefore, absentNotBefore),
    thorough,
    waitsForTurn,
    now: engine.clock.now(),
    clusterNow: engine.time.earliest(),
    signal,
    call: (lane) => ({
      lane,
      party: object.metadata.namespace,
      signal,
      turn,
      onWait: slot.wait,
      guard: () => work.check(),
      onDoubt: work.onDoubt,
    }),
  };
}
