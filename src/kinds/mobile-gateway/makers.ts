import type { Gateway } from '../../cloud/gateway/types.ts';
import { ownFinalizer } from '../../reconcile/finalizer.ts';
import { type GatewayHold, GatewayReason } from './reasons.ts';
import type { MobileGateway } from './schema.ts';

/** Clocks of the service and of the cluster may differ by this much. Milliseconds. */
const SKEW_MILLISECONDS = 5 * 60_000;
/** How often it is looked again whether the other one knows by now. Seconds. */
const RETRY_SECONDS = 15;

/** What a creation of unknown outcome may have made: a gateway of this name, and not before that time, where that is known. */
export interface Creation {
  readonly name: string;
  readonly requestedAt?: string | undefined;
}

/** A MobileGateway, and what it may have made. */
export interface Maker {
  readonly namespace: string;
  readonly name: string;
  readonly creation: Creation | undefined;
}

/** Another MobileGateway, which may have made a gateway and does not know which. */
export type Rival = Maker & { readonly creation: Creation };

/** What may have been made for a resource; `creation`: what is on record, which its status may not show yet. Pure. */
export function makerOf(object: MobileGateway, creation: Creation | undefined): Maker {
  const { name, namespace = '' } = object.metadata;
  return { namespace, name, creation: creation ?? creationOf(object) };
}

/** What its gateway is called at the service. */
export function nameOf({ spec, metadata }: MobileGateway): string {
  return spec.displayName ?? metadata.name;
}

/** `namespace/name`. */
export function fullName({ namespace, name }: Maker): string {
  return `${namespace}/${name}`;
}

/**
 * What a MobileGateway that has no gateway may have made: what its status says, or, where a restored one has no status,
 * what its finalizer does. Pure.
 */
function creationOf(object: MobileGateway): Creation | undefined {
  const { status } = object;
  if (status?.creation) return status.creation;
  return ownFinalizer(object) === 'create' && status?.id === undefined ? { name: nameOf(object) } : undefined;
}

/** Whether a gateway may be what a creation made: it has its name, and is not clearly older. Pure. */
export function mayBeMadeBy({ name, requestedAt = '' }: Creation, gateway: Gateway): boolean {
  const isOlder = Date.parse(gateway.createdAt ?? '') < Date.parse(requestedAt) - SKEW_MILLISECONDS;
  return gateway.name === name && !isOlder;
}

/**
 * Who has to say first whether a gateway is its own, before a MobileGateway takes it that only names it: whoever may have
 * made it, and does not know yet, for IDs can be guessed. Within a namespace what is named is what a person decided. Pure.
 */
export function mayBeTheMaker(
  { metadata }: MobileGateway,
  gateway: Gateway,
  rivals: readonly Maker[],
): Maker | undefined {
  return rivals.find(
    ({ namespace, creation }) =>
      namespace !== metadata.namespace && creation !== undefined && mayBeMadeBy(creation, gateway),
  );
}

/** Waits for who may have made it; a resource that is being deleted leaves it alone. */
export function holdMayBeAnothers({ metadata }: MobileGateway, { id }: Gateway, maker: Maker): GatewayHold {
  const may = `MobileGateway ${fullName(maker)} may have made gateway ${id}, and does not know yet`;
  if (metadata.deletionTimestamp !== undefined) {
    return {
      state: 'Waiting',
      reason: GatewayReason.MayBeAnothers,
      message: `Let go: the ${may}. It stays.`,
      leaves: true,
    };
  }
  return {
    state: 'Waiting',
    reason: GatewayReason.MayBeAnothers,
    message: `The ${may}: it is left alone until that one has found its own. If this lasts, see what that one waits for.`,
    retryAfterSeconds: RETRY_SECONDS,
  };
}
