import type { Carrier } from '../../cloud/sims.ts';
import { isPending } from '../../reconcile/kind.ts';
import type { Sim } from './schema.ts';

/**
 * What is known of each SIM's carriers, which the list does not show. Known is what was read or written last; over a
 * restart the status carries it, and the audit reads it again in its own time.
 */
export interface CarrierDetails {
  known(sim: Sim): readonly Carrier[] | undefined;
  remember(sim: Sim, carriers: readonly Carrier[]): void;
  /** The next plan has to read them. */
  forget(sim: Sim): void;
  /** Drops what is known of a resource that is gone. */
  drop(uid: string): void;
}

export function createCarrierDetails(): CarrierDetails {
  const byUID = new Map<string, readonly Carrier[] | undefined>();
  return {
    known(sim) {
      const { uid } = sim.metadata;
      if (byUID.has(uid)) return byUID.get(uid);
      // A write may have been under way when the status was written: what it says of them may be no longer so.
      const isCertain = sim.status?.id !== undefined && !isPending(sim.status.pending ?? [], 'carriers');
      return isCertain ? sim.status?.carriers?.map(toCarrier) : undefined;
    },
    remember: (sim, carriers) => void byUID.set(sim.metadata.uid, carriers),
    forget: (sim) => void byUID.set(sim.metadata.uid, undefined),
    drop: (uid) => void byUID.delete(uid),
  };
}

function toCarrier(carrier: { name: string; allow: boolean; countryCode?: string | undefined }): Carrier {
  const { name, allow, countryCode } = carrier;
  return { name, allow, ...(countryCode !== undefined && { countryCode }) };
}
