import type { Claims } from '../../reconcile/claims.ts';
import type { Counterpart } from '../../reconcile/counterpart.ts';
import type { Sealer } from '../../reconcile/seal.ts';
import { type GatewayHold, GatewayReason } from './reasons.ts';
import type { MobileGateway } from './schema.ts';

/** One gateway of the service belongs to one MobileGateway. Why this one may not have it; undefined when it may. */
export function claimOf(
  object: MobileGateway,
  gateway: Counterpart,
  session: Sealer,
  { claims, gateways }: { readonly claims: Claims<MobileGateway>; readonly gateways: () => readonly MobileGateway[] },
): GatewayHold | undefined {
  // One that names no ID has no way to the gateway before it has made it, and then its status may not tell yet.
  const candidates = gateways().filter(
    ({ metadata, spec, status }) =>
      spec.zone === object.spec.zone &&
      ((status?.id ?? spec.resourceID) === gateway.id || claims.of(metadata.uid)?.id === gateway.id),
  );
  const first = claims.claim(object, gateway, session, candidates);
  if (!first) return undefined;
  const owner = `${first.metadata.namespace}/${first.metadata.name}`;
  return {
    state: 'Stalled',
    reason: GatewayReason.AlreadyManaged,
    message: `The gateway ${gateway.id} is already managed by the MobileGateway ${owner}. Delete this one. To keep this one instead, set deletionPolicy: Orphan on ${owner} before you delete it: without that the gateway may be deleted at the service with it.`,
    ...claims.waits(object),
    // What a resource has made goes only with its word.
    leaves: object.status?.ownership !== 'Created',
  };
}
