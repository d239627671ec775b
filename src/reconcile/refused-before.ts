import { findCondition } from './conditions.ts';
import type { Now } from './creation.ts';
import { FailureReason } from './failure-reason.ts';
import { type Inputs, noInputs } from './inputs.ts';
import type { ManagedObject } from './managed-object.ts';

/** What is said of one resource alone, whatever the message. */
const OF_ITSELF: readonly string[] = [FailureReason.Conflict, FailureReason.UnexpectedResponse];
/** The same of a call about one object, and of such that reads. */
const OF_CALL: readonly string[] = [...OF_ITSELF, FailureReason.ServiceUnavailable];
const OF_READING: readonly string[] = [...OF_CALL, FailureReason.NotFound, FailureReason.Rejected];
/** A message that begins with a call about one object, such as `GET /site/1133/acl: …`. */
const CALL = /^([A-Z]+) \/\S*\/\d+[/:]/;

/** The call of a resource that failed in an earlier process last. Pure. */
export function failedOnRecord({ status, metadata }: ManagedObject): Inputs['failedBefore'] {
  const synced = findCondition(status?.conditions, 'Synced');
  const { generation = 0 } = metadata;
  if (synced?.status !== 'False' || synced.observedGeneration !== generation) return undefined;
  const { message } = synced;
  return CALL.test(message) ? { generation, call: message.slice(0, message.indexOf(': ')) } : undefined;
}

/**
 * The inputs of a resource that this process sees for the first time, where the service refused for now what an earlier one
 * asked: it goes on waiting for its turn, or each restart would try all at once. What could not be read is not known, though
 * a status tells it. Pure.
 */
export function inputsOnRecord({ status, metadata }: ManagedObject, now: Now): Inputs {
  const synced = findCondition(status?.conditions, 'Synced');
  const { generation = 0 } = metadata;
  if (synced?.status !== 'False' || synced.observedGeneration !== generation) return noInputs;
  const { message, lastTransitionTime } = synced;
  const [, method] = CALL.exec(message) ?? [];
  const known = method === undefined ? OF_ITSELF : method === 'GET' ? OF_READING : OF_CALL;
  const reason = Object.values(FailureReason).find((one) => one === synced.reason);
  if (!reason || !known.includes(reason)) return noInputs;
  const seconds = Math.max(0, now.wall - Date.parse(lastTransitionTime)) / 1000;
  const hold = { state: 'Waiting', reason, message, keepsReady: true } as const;
  // As many as there were, each after twice the time.
  const times = Math.max(1, Math.floor(Math.log2(1 + seconds)));
  if (method === 'GET') return { ...noInputs, unread: { generation, version: 0, hold, times } };
  return {
    ...noInputs,
    refusal: { generation, version: 0, left: undefined, at: now.monotonic, hold, times, isPassing: true },
  };
}
