import { UNSAFE } from '../unsafe.ts';
import type { KubernetesObject } from './objects.ts';

/** `coordination.k8s.io/v1` Lease; times are RFC 3339 with microseconds. */
export interface Lease extends KubernetesObject {
  spec?: {
    holderIdentity?: string;
    leaseDurationSeconds?: number;
    acquireTime?: string;
    renewTime?: string;
    leaseTransitions?: number;
  };
}

/** As long as the names of namespaces and Leases that holders are called by. */
const LONGEST_HOLDER_CHARACTERS = 253;

/** A holder as messages and logs call it: who may write the Lease may write any text. Pure. */
export function calledHolder(holder: string): string {
  return holder.slice(0, LONGEST_HOLDER_CHARACTERS).replaceAll(UNSAFE, '') || '(without a name)';
}

/** What the holder writes into a Lease that was so before: `now` is both times unless it held it already. Pure. */
export function heldBy(
  identity: string,
  previous: Lease | undefined,
  leaseDurationSeconds: number,
  now: string,
): Required<NonNullable<Lease['spec']>> {
  const same = previous?.spec?.holderIdentity === identity;
  return {
    holderIdentity: identity,
    leaseDurationSeconds,
    acquireTime: (same ? previous?.spec?.acquireTime : undefined) ?? now,
    renewTime: now,
    leaseTransitions: (previous?.spec?.leaseTransitions ?? 0) + (previous === undefined || same ? 0 : 1),
  };
}
