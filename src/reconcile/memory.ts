import type { Clock } from '../clock.ts';
import { findCondition } from './conditions.ts';
import { ownFinalizer } from './finalizer.ts';
import type { Hold, ManagedObject, Progress } from './kind.ts';
import { progressOf } from './progress.ts';

/** What one process remembers of one resource between passes. Losing it costs reads, never correctness. */
export interface Memory {
  readonly uid: string;
  progress: Progress;
  /** Only an observation that began after this counts; moved on by every write. Monotonic milliseconds. */
  notBefore: number;
  /** Only an observation that began after this may say that something isn't there. Monotonic milliseconds. */
  absentNotBefore: number;
  /** When this process first saw the resource. Monotonic milliseconds. */
  readonly firstSeenAt: number;
  /** When work that isn't in the status yet began; undefined when there is none. Monotonic milliseconds. */
  unsettledSince: number | undefined;
  /** An earlier process may have sent a creation whose answer nobody kept. */
  creationUnclear: boolean;
  /** When this process created what belongs to the resource. Monotonic milliseconds. */
  createdAt: number | undefined;
  /** A refusal by the service holds until this generation of the spec changes, or there is another appeal. */
  refusal: { generation: number; appeals: number; hold: Hold } | undefined;
  /** How often something happened that may make the service take what it refused before, as a Secret that changed. */
  appeals: number;
  /** The same when the facts of the pass under way were gathered: what is refused then is refused to those. */
  appealsGathered: number;
  /** Read details at the next pass. */
  thorough: boolean;
  /** A wait for an observation is under way; no second one is needed. */
  awaiting: boolean;
  /** What the last such wait ended with, when it failed. */
  trouble: unknown;
}

/** Recalls what is known of a resource, by key; a new object under an old name starts anew. */
export function createMemories(options: {
  readonly clock: Clock;
  /** The fields of the kind's `applied`. */
  readonly fields: readonly string[];
  /** Its marks. */
  readonly marks: readonly string[];
  /** Requests of an earlier process may still arrive this long after we first look at their resource. Milliseconds. */
  readonly settleMilliseconds: number;
}) {
  const { clock, fields, marks, settleMilliseconds } = options;
  const memories = new Map<string, Memory>();
  return {
    recall(key: string, object: ManagedObject): Memory {
      const known = memories.get(key);
      if (known?.uid === object.metadata.uid) return known;
      const interrupted = !object.status?.id && ownFinalizer(object) === 'create';
      const now = clock.monotonic();
      const memory: Memory = {
        uid: object.metadata.uid,
        progress: progressOf(object, fields, marks),
        notBefore: Number.NEGATIVE_INFINITY,
        // From now, not from the start of the process: as a standby it may have been there long before it took over.
        absentNotBefore: interrupted ? now + settleMilliseconds : now,
        firstSeenAt: now,
        unsettledSince: undefined,
        creationUnclear: interrupted,
        createdAt: isUnseen(object) ? now : undefined,
        refusal: undefined,
        appeals: 0,
        appealsGathered: 0,
        thorough: false,
        awaiting: false,
        trouble: undefined,
      };
      memories.set(key, memory);
      return memory;
    },
    peek: (key: string): Memory | undefined => memories.get(key),
    forget: (key: string): void => void memories.delete(key),
  };
}

/** Created by an earlier process that never wrote Ready: the service may not have shown it to anybody yet. */
function isUnseen(object: ManagedObject): boolean {
  const { id, ownership, conditions } = object.status ?? {};
  return id !== undefined && ownership === 'Created' && findCondition(conditions, 'Ready')?.status !== 'True';
}
