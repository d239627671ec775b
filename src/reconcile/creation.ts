import { findCondition } from './conditions.ts';
import type { Moment } from './kind.ts';
import type { CommonStatus, ManagedObject } from './managed-object.ts';
import {
  CLOCKS_APART_MILLISECONDS,
  isInterrupted,
  isStatusOfAnother,
  unfinishedSince,
  unfinishedUntil,
} from './restored.ts';

/** What is asked for may wait for its turn for so long. Milliseconds. */
const LONGEST_QUEUED_MILLISECONDS = 24 * 3_600_000;

/** This moment, by a clock that may just have been set: `wall` at the latest. */
export interface Now extends Moment {
  /** At the earliest. Milliseconds since the epoch. */
  readonly earliest: number;
}

/** How far the creation of what belongs to a resource has come, as far as this process knows. */
export type Creation =
  /** None is under way, and none was answered of late. */
  | { readonly state: 'none' }
  | Unclear
  /**
   * The service has answered it. That it was shown once says little: one part of the service may show what another does
   * not yet. `at`: monotonic milliseconds.
   */
  | { readonly state: 'just-created'; readonly at: number }
  /** What an unclear one made was found; until `shownFrom` the service may not show it everywhere. */
  | { readonly state: 'confirmed'; readonly shownFrom: Moment };

/** A request may have been carried out, and its answer was lost, by this process or by an earlier one. */
interface Unclear {
  readonly state: 'unclear';
  /** What was made at the service before this is not what such a creation left. Milliseconds since the epoch. */
  readonly since: number;
  /** The same of what was made after this. */
  readonly until: number;
  /** From when on the service shows what it made, if it made something. */
  readonly shownFrom: Moment;
}

/** What a creation's state follows from. */
export type CreationEvent =
  | { readonly type: 'answered'; readonly at: number }
  /** No answer came to what left at `sentAt` (milliseconds since the epoch). */
  | { readonly type: 'unanswered'; readonly sentAt: number; readonly now: Now }
  /** What was asked for before was not made, and another is about to be asked for. */
  | { readonly type: 'asked again'; readonly now: Now }
  /** It is known not to have been carried out, or is wanted no more where nothing was found. */
  | { readonly type: 'withdrawn' }
  /** What belongs to the resource was found at the service. */
  | { readonly type: 'found' }
  /** It vanished from there, or this process may have deleted it: what is missing then is not waited for. */
  | { readonly type: 'gone' };

/** How long the service and what is under way to it may take. Milliseconds. */
export interface CreationTimes {
  /** Requests of an earlier process may still arrive this long after we first look at their resource. */
  readonly settleMilliseconds: number;
  /** The service may take this long to show everywhere what was just created. */
  readonly shownMilliseconds: number;
}

/** The next state. Pure. */
export function nextCreation(creation: Creation, event: CreationEvent, times: CreationTimes): Creation {
  switch (event.type) {
    case 'answered':
      return { state: 'just-created', at: event.at };
    case 'unanswered':
      return {
        state: 'unclear',
        since: event.sentAt - CLOCKS_APART_MILLISECONDS,
        until: event.now.earliest + times.settleMilliseconds + CLOCKS_APART_MILLISECONDS,
        shownFrom: shownAfter(event.now, times),
      };
    case 'asked again':
      if (creation.state !== 'unclear') return creation;
      return {
        ...creation,
        since: event.now.earliest - CLOCKS_APART_MILLISECONDS,
        until: event.now.wall + LONGEST_QUEUED_MILLISECONDS,
      };
    case 'withdrawn':
      return { state: 'none' };
    case 'found':
      return creation.state === 'unclear' ? { state: 'confirmed', shownFrom: creation.shownFrom } : creation;
    case 'gone':
      return creation.state === 'just-created' ? { state: 'none' } : creation;
  }
}

/** The state as a process that has just begun reads it off a resource. Pure. */
export function creationOf(object: ManagedObject, now: Now, times: CreationTimes): Creation {
  if (isInterrupted(object)) {
    return {
      state: 'unclear',
      since: unfinishedSince(object, now.earliest),
      until: unfinishedUntil(object, now.earliest, times.settleMilliseconds),
      shownFrom: shownAfter(now, times),
    };
  }
  const at = isStatusOfAnother(object) ? undefined : createdSince(object, now);
  return at === undefined ? { state: 'none' } : { state: 'just-created', at };
}

/** What is to be on record of a creation of unknown outcome; undefined when there is none. */
export function unclearRecord(creation: Creation): CommonStatus['creationUnclear'] {
  if (creation.state !== 'unclear') return undefined;
  return { since: new Date(creation.since).toISOString(), until: new Date(creation.until).toISOString() };
}

/** From when on the service shows what a creation without an answer made; undefined when there was none. */
export function shownFromOf(creation: Creation): Moment | undefined {
  return creation.state === 'unclear' || creation.state === 'confirmed' ? creation.shownFrom : undefined;
}

/** Whether the service may not show everywhere yet what it has just created. `now`: monotonic milliseconds. */
export function isJustCreated(creation: Creation, now: number, { shownMilliseconds }: CreationTimes): boolean {
  return creation.state === 'just-created' && now - creation.at < shownMilliseconds;
}

/** Requests under way arrive first; then the service takes its time to show what was made. */
function shownAfter({ monotonic, wall }: Moment, { settleMilliseconds, shownMilliseconds }: CreationTimes): Moment {
  const after = settleMilliseconds + shownMilliseconds;
  return { monotonic: monotonic + after, wall: wall + after };
}

/**
 * When an earlier process created what the resource has, so that the service may not show it everywhere yet. The status
 * says so; one that does not has been written since, and its conditions with it. Monotonic milliseconds.
 */
function createdSince(object: ManagedObject, now: Now): number | undefined {
  const { id, ownership, creationAnsweredAt, conditions = [] } = object.status ?? {};
  if (id === undefined || ownership !== 'Created') return undefined;
  // Versions that did not write it down believed in what was Ready.
  const isReady = findCondition(conditions, 'Ready')?.status === 'True';
  if (creationAnsweredAt === undefined && isReady) return undefined;
  const recorded =
    creationAnsweredAt === undefined ? conditions.map((one) => one.lastTransitionTime) : [creationAnsweredAt];
  const times = recorded.map((time) => Date.parse(time)).filter((time) => !Number.isNaN(time));
  const age = times.length === 0 ? 0 : now.earliest - Math.max(...times);
  return now.monotonic - Math.max(0, age);
}
