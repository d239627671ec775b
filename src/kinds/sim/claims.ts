import type { Claims } from '../../reconcile/claims.ts';
import type { Counterpart } from '../../reconcile/counterpart.ts';
import type { Index } from '../../reconcile/indexer.ts';
import type { Sealer } from '../../reconcile/seal.ts';
import { type SimHold, SimReason } from './reasons.ts';
import type { Sim } from './schema.ts';

/** What tells whose a SIM is. */
export interface SimClaims {
  readonly claims: Claims<Sim>;
  readonly byICCID: Index<Sim>;
}

/**
 * One SIM of the service belongs to one Sim, whatever accounts reach it. Why this one may not have the SIM that was
 * found, or may not make one; undefined when it may.
 */
export function claimOf(
  sim: Sim,
  wanted: Counterpart | undefined,
  session: Sealer,
  { claims, byICCID }: SimClaims,
): SimHold | undefined {
  const candidates = byICCID.get(sim.spec.iccid);
  const first = wanted ? claims.claim(sim, wanted, session, candidates) : claims.holder(sim, session, candidates);
  if (!first) return undefined;
  const owner = `${first.metadata.namespace}/${first.metadata.name}`;
  const isHad = wanted ? 'managed' : 'asked for';
  return {
    state: 'Stalled',
    reason: SimReason.AlreadyManaged,
    message: `The SIM with ICCID ${sim.spec.iccid} is already ${isHad} by the Sim ${owner}. Delete this one. To keep this one instead, set deletionPolicy: Orphan on ${owner} before you delete it: without that the SIM may be deleted at the service with it.`,
    ...claims.waits(sim),
    // What a resource has made goes only with its word.
    leaves: sim.status?.ownership !== 'Created',
  };
}
