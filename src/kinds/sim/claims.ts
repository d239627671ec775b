import type { AccountResolver } from '../../reconcile/account.ts';
import type { Index } from '../../reconcile/indexer.ts';
import type { Hold } from '../../reconcile/kind.ts';
import { SimReason } from './reasons.ts';
import type { Sim } from './schema.ts';

/**
 * One SIM of the service belongs to one Sim. Of several with one ICCID in one account the one that manages it already
 * has it, else the oldest; the others are told which.
 */
export function claimOf(sim: Sim, identity: string, byICCID: Index<Sim>, accounts: AccountResolver): Hold | undefined {
  const rivals = byICCID.get(sim.spec.iccid).filter((other) => {
    if (other.metadata.uid === sim.metadata.uid) return false;
    const account = accounts.resolve(other.metadata.namespace ?? '', other.spec, other.status?.accountRef);
    return 'session' in account && account.session.identity === identity;
  });
  const first = [...rivals, sim].sort(byClaim)[0];
  if (!first || first.metadata.uid === sim.metadata.uid) return undefined;
  const owner = `${first.metadata.namespace}/${first.metadata.name}`;
  return {
    kind: 'Stalled',
    reason: SimReason.AlreadyManaged,
    message: `The SIM with ICCID ${sim.spec.iccid} is managed by the Sim ${owner} already. Delete one of the two; one with deletionPolicy: Orphan leaves the SIM as it is.`,
  };
}

function byClaim(a: Sim, b: Sim): number {
  const managed = Number(b.status?.id !== undefined) - Number(a.status?.id !== undefined);
  if (managed !== 0) return managed;
  const age = (a.metadata.creationTimestamp ?? '').localeCompare(b.metadata.creationTimestamp ?? '');
  return age === 0 ? a.metadata.uid.localeCompare(b.metadata.uid) : age;
}
