import { findCondition } from './conditions.ts';
import type { Now } from './creation.ts';
import { FailureReason } from './failure-reason.ts';
import { type Inputs, noInputs } from './inputs.ts';
import type { ManagedObject } from './managed-object.ts';

/** What is said of one resource alone: of what the whole service fails a new process may know better. */
const OF_ITSELF = [FailureReason.Conflict, FailureReason.UnexpectedResponse] as const;

/**
 * The inputs of a resource that this process sees for the first time, where the service refused for now what an earlier one
 * asked: it goes on waiting for its turn, or each restart would try all at once. Pure.
 */
export function inputsOnRecord({ status, metadata }: ManagedObject, now: Now): Inputs {
  const synced = findCondition(status?.conditions, 'Synced');
  const { generation = 0 } = metadata;
  const reason = synced?.status === 'False' ? OF_ITSELF.find((one) => one === synced.reason) : undefined;
  if (!synced || !reason || synced.observedGeneration !== generation) return noInputs;
  const { message, lastTransitionTime } = synced;
  const seconds = Math.max(0, now.wall - Date.parse(lastTransitionTime)) / 1000;
  const hold = { state: 'Waiting', reason, message, keepsReady: true } as const;
  // As many as there were, each after twice the time.
  const times = Math.max(1, Math.floor(Math.log2(1 + seconds)));
  return {
    ...noInputs,
    refusal: { generation, version: 0, left: undefined, at: now.monotonic, hold, times, isPassing: true },
  };
}
