import type { Carrier } from '../../cloud/sim/types.ts';
import type { Knowledge } from '../../reconcile/knowledge.ts';
import { isPending } from '../../reconcile/managed-object.ts';
import type { Sim } from './schema.ts';

/** What is known of each SIM's carriers, which the list does not show. */
export type CarrierDetails = Knowledge<Sim, readonly Carrier[]>;

/** The carriers on record. */
export function recordedCarriers({ status }: Sim): readonly Carrier[] | undefined {
  // A write may have been under way when the status was written: what it says of them may be no longer so.
  if (isPending(status?.pending ?? [], 'carriers')) return undefined;
  return status?.carriers?.map(toCarrier);
}

function toCarrier(carrier: { name: string; allow: boolean; countryCode?: string | undefined }): Carrier {
  const { name, allow, countryCode } = carrier;
  return { name, allow, ...(countryCode !== undefined && { countryCode }) };
}

/** Whether the carriers of a SIM are to be as its spec says, or were. */
export function namesCarriers({ spec, status }: Sim): boolean {
  return spec.carriers !== undefined || status?.applied?.carriers !== undefined;
}
