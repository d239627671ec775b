import type { DialectName } from '../../cloud/dialect.ts';
import { findCondition } from '../../reconcile/conditions.ts';
import { FailureReason } from '../../reconcile/failure-reason.ts';
import { CommonReason } from '../../reconcile/verdict.ts';
import type { Sim } from './schema.ts';

/** What tells that a Sim's other steps fail, or have failed, and with them the one that would give up its place. */
const FAILING: ReadonlySet<string> = new Set(
  Object.values(FailureReason).filter(
    (reason) => reason !== FailureReason.Conflict && reason !== FailureReason.AddressTaken,
  ),
);
/** What tells that work on it goes on. */
const AT_WORK: ReadonlySet<string> = new Set([CommonReason.Applying, CommonReason.Queued]);
/** The fields that make up its place. */
const OF_PLACE: ReadonlySet<string> = new Set(['gatewayRef', 'ipAddress']);

/**
 * Whether a Sim has come, with its spec as it is now, to where it waits for its place and for nothing before that: whoever
 * gives up a place for one that fails before is left without.
 */
export function saysToWait({ status, metadata }: Sim, dialect: DialectName): boolean {
  const synced = findCondition(status?.conditions, 'Synced');
  const isOfNow = synced?.observedGeneration === metadata.generation;
  if (!isOfNow || synced?.status !== 'False' || AT_WORK.has(synced.reason) || FAILING.has(synced.reason)) return false;
  const isLeft = (field: string) => OF_PLACE.has(field) || (field === 'displayName' && dialect === 'Documented');
  // Before the first call a status names what it will wait for, and not yet what else there is to do.
  const { drift = [] } = status ?? {};
  return drift.length > 0 && drift.every(({ field }) => isLeft(field));
}
