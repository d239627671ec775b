import type { Turn } from '../cloud/limiter/lanes.ts';
import type { Engine } from './engine.ts';
import type { AccountRef, ManagedObject, Pass } from './kind.ts';
import type { Memory } from './memory.ts';
import type { ObjectKey, Slot } from './reconciler.ts';
import type { AccountSession } from './session.ts';

/** One pass over one resource, with what it works on. */
export interface Work<T extends ManagedObject> {
  readonly key: ObjectKey;
  object: T;
  readonly memory: Memory;
  readonly session: AccountSession;
  readonly accountRef: AccountRef;
  readonly signal: AbortSignal;
  readonly slot: Slot;
  readonly turn: Turn;
  /** Throws when what the round under way was decided on is no longer so. */
  check: () => void;
}

/** What gathering and acting are given. */
export function passOf<T extends ManagedObject>(work: Work<T>, engine: Engine): Pass<T> {
  const { object, memory, session, accountRef, signal, turn, slot } = work;
  const now = engine.clock.monotonic();
  return {
    object,
    session,
    accountRef,
    progress: memory.progress,
    deleting: object.metadata.deletionTimestamp !== undefined,
    creationUnclear: memory.creationUnclear,
    unclearSince: memory.unclearSince,
    unclearUntil: memory.unclearUntil,
    shownFrom: memory.shownFrom,
    justCreated: memory.createdAt !== undefined && now - memory.createdAt < engine.shownMilliseconds,
    notBefore: memory.notBefore,
    absentNotBefore: Math.max(memory.notBefore, memory.absentNotBefore),
    thorough: memory.thorough,
    now: engine.clock.now(),
    signal,
    call: (lane) => ({
      lane,
      party: object.metadata.namespace,
      signal,
      turn,
      onWait: slot.wait,
      guard: () => work.check(),
    }),
  };
}
