import { type Condition, timeFrom, timestamp } from '../kubernetes/objects.ts';
import { findCondition } from './conditions.ts';
import type { Now } from './creation.ts';
import { FailureReason } from './failure-reason.ts';
import { type Inputs, noInputs } from './inputs.ts';
import type { ManagedObject } from './managed-object.ts';

/** What is said of one resource alone, whatever the message. */
const OF_ITSELF: readonly string[] = [FailureReason.Conflict, FailureReason.UnexpectedResponse];
/** The same of a call that reads. */
const OF_READING: readonly string[] = [...OF_ITSELF, FailureReason.NotFound, FailureReason.Rejected];
/** What the whole service fails is over before long, mostly: what it has failed for longer, it fails by itself. Milliseconds. */
const LONG_MILLISECONDS = 2 * 3_600_000;

/** The call that a message begins with, if that is about one object, such as `GET /site/1133/acl`. */
function callOf(message: string): { readonly call: string; readonly method: string } | undefined {
  const call = message.slice(0, Math.max(0, message.indexOf(': ')));
  const [method = '', path = '', ...more] = call.split(' ');
  const isOfObject = path.split('/').some((part) => /^\d+$/.test(part));
  return isOfObject && more.length === 0 && /^[A-Z]+$/.test(method) ? { call, method } : undefined;
}

/** What Synced=False says, of which spec, and since when; undefined where it does not say so. */
function unsynced({ status }: Pick<ManagedObject, 'status'>) {
  const synced = findCondition(status?.conditions, 'Synced');
  if (synced?.status !== 'False') return undefined;
  const { message, reason, lastTransitionTime, observedGeneration: generation = 0 } = synced;
  return { generation, message, reason, ...callOf(message), since: status?.failingSince ?? lastTransitionTime };
}

/** The same, where it is of the spec as it is. */
function notSynced(object: Pick<ManagedObject, 'status' | 'metadata'>) {
  const said = unsynced(object);
  return said?.generation === (object.metadata.generation ?? 0) ? said : undefined;
}

/**
 * Since when a call of the resource has failed, as its next status is to say: whatever it waits for meanwhile, and however
 * its spec was edited. That Synced was False for something else before, as while it was paused, says nothing of that. `now`:
 * milliseconds since the epoch. Pure.
 */
export function failingSince(before: ManagedObject, conditions: readonly Condition[], now: number): string | undefined {
  const { metadata } = before;
  const next = notSynced({ metadata, status: { conditions: [...conditions] } });
  if (next === undefined) return undefined;
  const was = unsynced(before);
  if (was && before.status?.failingSince !== undefined) return before.status.failingSince;
  if (next.call === undefined) return undefined;
  // Versions before wrote none: then it is since Synced became False.
  return was?.call === undefined ? timestamp(now) : was.since;
}

/** How long ago that was, milliseconds: what is no time, or still to come, was just now. */
function ageOf(since: string | undefined, now: number): number {
  return Math.max(0, now - (timeFrom(since) ?? now));
}

/** The call of a resource that failed in an earlier process last, and since when it has. Pure. */
export function failedOnRecord(object: ManagedObject, { monotonic, wall }: Now): Inputs['failedBefore'] {
  const { generation, call, since } = notSynced(object) ?? {};
  return generation === undefined || call === undefined
    ? undefined
    : { generation, call, since: monotonic - ageOf(since, wall) };
}

/** Whether an earlier process could not read it last: what a status tells of it is what was written before. Pure. */
export function isUnreadOnRecord(object: ManagedObject): boolean {
  const { method, reason = '' } = notSynced(object) ?? {};
  return method === 'GET' && [...OF_READING, FailureReason.ServiceUnavailable].includes(reason);
}

/**
 * The inputs of a resource that this process sees for the first time, where the service refused for now what an earlier one
 * asked: it goes on waiting for its turn, or each restart would try all at once. Pure.
 */
export function inputsOnRecord(object: ManagedObject, now: Now): Inputs {
  const { generation, message, reason, method, since } = notSynced(object) ?? {};
  if (generation === undefined || message === undefined || since === undefined) return noInputs;
  const known = method === 'GET' ? OF_READING : OF_ITSELF;
  const age = ageOf(since, now.wall);
  const isLong = method !== undefined && age > LONG_MILLISECONDS;
  const told = Object.values(FailureReason).find((one) => one === reason);
  if (!told || !(known.includes(told) || (isLong && told === FailureReason.ServiceUnavailable))) return noInputs;
  const hold = { state: 'Waiting', reason: told, message, keepsReady: true } as const;
  // As many as there were, each after twice the time.
  const times = Math.max(1, Math.floor(Math.log2(1 + age / 1000)));
  if (method === 'GET') return { ...noInputs, unread: { generation, version: 0, hold, times } };
  return {
    ...noInputs,
    refusal: { generation, version: 0, left: undefined, at: now.monotonic, hold, times, isPassing: true },
  };
}
