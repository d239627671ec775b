import type { Carrier } from '../../cloud/sim/types.ts';
import { isPending } from '../../reconcile/kind.ts';
import { isStatusOfAnother } from '../../reconcile/restored.ts';
import type { Sim } from './schema.ts';

/** Carriers of one SIM, as last read or sent. */
export interface KnownCarriers {
  readonly carriers: readonly Carrier[];
  /** Monotonic milliseconds; what the status recorded is older than everything. */
  readonly at: number;
}

/**
 * What is known of each SIM's carriers, which the list does not show. Known is what was read or written last; over a
 * restart the status carries it, and the audit reads it again in its own time.
 */
export interface CarrierDetails {
  /** Of the SIM with this ID: what was known of another says nothing about it. */
  known(sim: Sim, simID: string): KnownCarriers | undefined;
  remember(sim: Sim, simID: string, carriers: readonly Carrier[]): void;
  /** The next plan has to read them. */
  forget(sim: Sim): void;
  /** Drops what is known of a resource that is gone. */
  drop(uid: string): void;
}

export function createCarrierDetails(monotonic: () => number): CarrierDetails {
  const byUID = new Map<string, (KnownCarriers & { readonly simID: string }) | undefined>();
  return {
    known(sim, simID) {
      const { metadata, status } = sim;
      const known = byUID.get(metadata.uid);
      if (byUID.has(metadata.uid)) return known?.simID === simID ? known : undefined;
      // A write may have been under way when the status was written: what it says of them may be no longer so.
      const isCertain = status?.id === simID && !isPending(status.pending ?? [], 'carriers') && !isStatusOfAnother(sim);
      if (!isCertain || !status.carriers) return undefined;
      return { carriers: status.carriers.map(toCarrier), at: Number.NEGATIVE_INFINITY };
    },
    remember: ({ metadata: { uid } }, simID, carriers) => void byUID.set(uid, { simID, carriers, at: monotonic() }),
    forget: (sim) => void byUID.set(sim.metadata.uid, undefined),
    drop: (uid) => void byUID.delete(uid),
  };
}

function toCarrier(carrier: { name: string; allow: boolean; countryCode?: string | undefined }): Carrier {
  const { name, allow, countryCode } = carrier;
  return { name, allow, ...(countryCode !== undefined && { countryCode }) };
}

/** Whether the carriers of a SIM are to be as its spec says, or were. */
export function namesCarriers({ spec, status }: Sim): boolean {
  return spec.carriers !== undefined || status?.applied?.carriers !== undefined;
}
