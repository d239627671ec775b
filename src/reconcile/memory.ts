import type { Clock } from '../clock.ts';
import { findCondition } from './conditions.ts';
import type { CommonStatus, Hold, ManagedObject, Moment, Progress } from './kind.ts';
import { progressOf } from './progress.ts';
import { isInterrupted, isStatusOfAnother, unfinishedSince, unfinishedUntil } from './restored.ts';

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
  /** The number of the pass that began the work that isn't finished yet; undefined when there is none. */
  began: number | undefined;
  /** An earlier process may have sent a creation whose answer nobody kept. */
  creationUnclear: boolean;
  /** What was made at the service before this is not what such a creation left. Wall clock, milliseconds. */
  unclearSince: number;
  /** The same of what was made after this. */
  unclearUntil: number;
  /** From when on the service shows what such a creation made; undefined when none is unclear. */
  shownFrom: Moment | undefined;
  /** What was known of what has vanished. */
  lost: Progress | undefined;
  /** The status came back from a backup, which is to be reported. */
  isRestored: boolean;
  /**
   * When what belongs to the resource was created. That it was shown once says little: one part of the service may show
   * what another does not yet. Undefined once this process may have deleted it. Monotonic milliseconds.
   */
  createdAt: number | undefined;
  /** A refusal by the service holds until this generation of the spec changes, or there is another appeal. */
  refusal: { generation: number; inputsVersion: number; hold: Hold } | undefined;
  /** How often something happened that may make the service take what it refused before, as a Secret that changed. */
  inputsVersion: number;
  /** The same when the facts of the pass under way were gathered: what is refused then is refused to those. */
  inputsVersionGathered: number;
  /** What was carried out took the resource out of service, and it was not seen since that it is back. */
  isHalfWay: boolean;
  /** The reason of what it waits for, which is warned of when it lasts. */
  unwarned: string | undefined;
  /** When drift was put right, for this generation of the spec. Monotonic milliseconds. */
  corrections: { generation: number; readonly times: number[] };
  /** Read details at the next pass. */
  thorough: boolean;
  /** A wait for an observation is under way; no second one is needed. */
  awaiting: boolean;
  /** What the last such wait ended with, when it failed. */
  waitError: unknown;
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
  /** The service may take this long to show everywhere what was just created. Milliseconds. */
  readonly shownMilliseconds: number;
}) {
  const { clock, fields, marks, settleMilliseconds, shownMilliseconds } = options;
  const memories = new Map<string, Memory>();
  return {
    recall(key: string, object: ManagedObject): Memory {
      const known = memories.get(key);
      const isRestored = isStatusOfAnother(object);
      // A status may be brought back after its object: then what it names is not looked for in vain.
      const isNews = isRestored && object.status?.id !== undefined && known?.progress.id === undefined;
      if (known?.uid === object.metadata.uid && !isNews) return known;
      const interrupted = isInterrupted(object);
      const now = clock.monotonic();
      const memory: Memory = {
        uid: object.metadata.uid,
        progress: progressOf(object, fields, marks),
        notBefore: Number.NEGATIVE_INFINITY,
        // From now, not from the start of the process: as a standby it may have been there long before it took over.
        absentNotBefore: interrupted ? now + settleMilliseconds : now,
        firstSeenAt: now,
        unsettledSince: undefined,
        began: undefined,
        creationUnclear: interrupted,
        unclearSince: unfinishedSince(object, clock.now()),
        unclearUntil: unfinishedUntil(object, clock.now(), settleMilliseconds),
        shownFrom: interrupted ? momentIn(clock, settleMilliseconds + shownMilliseconds) : undefined,
        lost: undefined,
        isRestored: isRestored && object.status?.id !== undefined,
        createdAt: isRestored ? undefined : createdSince(object, clock),
        refusal: undefined,
        inputsVersion: 0,
        inputsVersionGathered: 0,
        isHalfWay: false,
        unwarned: undefined,
        corrections: { generation: 0, times: [] },
        thorough: false,
        awaiting: false,
        waitError: undefined,
      };
      memories.set(key, memory);
      return memory;
    },
    peek: (key: string): Memory | undefined => memories.get(key),
    forget: (key: string): void => void memories.delete(key),
  };
}

/** What is to be on record of a creation of unknown outcome; undefined when there is none. */
export function unclearOf(memory: Memory): CommonStatus['creationUnclear'] {
  if (!memory.creationUnclear) return undefined;
  const [since = '', until = ''] = [memory.unclearSince, memory.unclearUntil].map((at) => new Date(at).toISOString());
  return { since, until };
}

/** So many milliseconds from now. */
export function momentIn(clock: Clock, milliseconds: number): Moment {
  return { monotonic: clock.monotonic() + milliseconds, wall: clock.now() + milliseconds };
}

/**
 * When an earlier process created what the resource has, so that the service may not show it everywhere yet. The status
 * says so; one that does not has been written since, and its conditions with it. Monotonic milliseconds.
 */
function createdSince(object: ManagedObject, clock: Clock): number | undefined {
  const { id, ownership, creationAnsweredAt, conditions = [] } = object.status ?? {};
  if (id === undefined || ownership !== 'Created') return undefined;
  // Versions that did not write it down believed in what was Ready.
  const isReady = findCondition(conditions, 'Ready')?.status === 'True';
  if (creationAnsweredAt === undefined && isReady) return undefined;
  const recorded =
    creationAnsweredAt === undefined ? conditions.map((one) => one.lastTransitionTime) : [creationAnsweredAt];
  const times = recorded.map((time) => Date.parse(time)).filter((time) => !Number.isNaN(time));
  const age = times.length === 0 ? 0 : clock.now() - Math.max(...times);
  return clock.monotonic() - Math.max(0, age);
}
