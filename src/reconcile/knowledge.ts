import type { Clock } from '../clock.ts';
import type { ManagedObject } from './managed-object.ts';
import { isStatusOfAnother } from './restored.ts';

/** Whether it was read at the service, is the service's answer to a write, or was recorded in the status by an earlier process. */
export type Source = 'read' | 'answered' | 'recorded';

/** Something that is known of an object of the service beyond what lists show. */
export interface Known<V> {
  readonly source: Source;
  /** Monotonic milliseconds; what is recorded is older than everything. */
  readonly at: number;
  readonly value: V;
  /** No facts were made of it yet: a pass that was told to look again need not. */
  readonly isFresh: boolean;
}

/** What a store is told. `at`: when a reading began, by default now. */
export interface Lesson<V> {
  readonly source: Exclude<Source, 'recorded'>;
  readonly value: V;
  readonly at?: number;
  readonly isFresh?: boolean;
}

/**
 * What is known of the counterpart of each resource. Known is what was read, or answered to the last write; over a
 * restart the status carries it, and the audit reads it again in its own time: a thousand sites must not cost a thousand
 * requests. By ID of the counterpart: what is known of one says nothing of another that the resource had before.
 */
export interface Knowledge<T extends ManagedObject, V> {
  /** Undefined: a write whose answer is not known took the knowledge away, or there never was any. */
  known(object: T, id: string): Known<V> | undefined;
  learn(object: T, id: string, lesson: Lesson<V>): void;
  /** Something was written and it is not known what came of it: it has to be read. */
  forget(object: T, id: string): void;
  /** Whether knowledge was taken away, as opposed to never had. */
  isForgotten(object: T, id: string): boolean;
  /** Facts were made of what is known. */
  used(object: T): void;
  /** Counts the writes: what was read while it changed may be from before. */
  writes(object: T): number;
  /** Drops what is known of a resource that is gone. */
  drop(uid: string): void;
}

interface Entry<V> {
  readonly id: string;
  readonly known: Known<V> | undefined;
  readonly writes: number;
}

/** `recorded` gives what the status of an object says, which is of this very object and its counterpart. */
export function createKnowledge<T extends ManagedObject, V>(
  clock: Pick<Clock, 'monotonic'>,
  recorded: (object: T) => V | undefined,
): Knowledge<T, V> {
  const byUID = new Map<string, Entry<V>>();

  function entryOf({ metadata: { uid } }: T, id: string): Entry<V> | undefined {
    const entry = byUID.get(uid);
    return entry?.id === id ? entry : undefined;
  }

  function writes({ metadata: { uid } }: T): number {
    return byUID.get(uid)?.writes ?? 0;
  }

  return {
    known(object, id) {
      const entry = entryOf(object, id);
      if (entry) return entry.known;
      if (object.status?.id !== id || isStatusOfAnother(object)) return undefined;
      const value = recorded(object);
      return value === undefined
        ? undefined
        : { source: 'recorded', at: Number.NEGATIVE_INFINITY, value, isFresh: false };
    },
    learn(object, id, { source, value, at = clock.monotonic(), isFresh = false }) {
      const more = source === 'answered' ? 1 : 0;
      byUID.set(object.metadata.uid, { id, known: { source, at, value, isFresh }, writes: writes(object) + more });
    },
    forget: (object, id) => void byUID.set(object.metadata.uid, { id, known: undefined, writes: writes(object) + 1 }),
    isForgotten(object, id) {
      const entry = entryOf(object, id);
      return entry !== undefined && entry.known === undefined;
    },
    used({ metadata: { uid } }) {
      const entry = byUID.get(uid);
      if (entry?.known?.isFresh) byUID.set(uid, { ...entry, known: { ...entry.known, isFresh: false } });
    },
    writes,
    drop: (uid) => void byUID.delete(uid),
  };
}
