import type { Gateway } from '../../cloud/gateway-types.ts';
import type { Hold } from '../../reconcile/kind.ts';
import type { GatewayMarks } from './facts.ts';
import { GatewayReason } from './reasons.ts';
import type { MobileGateway } from './schema.ts';

/** Clocks of the service and of the cluster may differ by this much. Milliseconds. */
const SKEW = 5 * 60_000;

/** What is known of who a gateway belongs to. */
export interface GatewaySearch {
  /** The ID recorded. */
  readonly id: string | undefined;
  /** The intent of a creation whose answer nobody kept. */
  readonly creation: GatewayMarks['creation'];
  /** IDs that belong to other MobileGateways. */
  readonly claimed: ReadonlySet<string>;
}

/**
 * The gateway that belongs to a resource, in the list of its zone: the one recorded, the one `resourceID` names, or what
 * an interrupted creation left, found by its exact name, its age and nobody else's claim.
 */
export function findGateway(
  object: MobileGateway,
  search: GatewaySearch,
  items: ReadonlyMap<string, Gateway>,
): { item: Gateway | undefined } | { hold: Hold } {
  const { resourceID } = object.spec;
  const id = search.id ?? resourceID;
  if (id !== undefined) return { item: items.get(id) };
  const { creation } = search;
  if (!creation) return { item: undefined };
  const since = Date.parse(creation.requestedAt) - SKEW;
  const candidates = [...items.values()].filter(
    (gateway) =>
      gateway.name === creation.name &&
      !search.claimed.has(gateway.id) &&
      !(Date.parse(gateway.createdAt ?? '') < since),
  );
  return candidates.length < 2 ? { item: candidates[0] } : { hold: holdAmbiguous(creation.name, candidates) };
}

function holdAmbiguous(name: string, candidates: readonly Gateway[]): Hold {
  const ids = candidates.map((gateway) => gateway.id).join(', ');
  return {
    kind: 'Stalled',
    reason: GatewayReason.CreationAmbiguous,
    message: `The creation of "${name}" was interrupted, and several gateways of that name were made since: ${ids}. Set resourceID to the one that is meant, and delete the others at the service if nobody needs them.`,
  };
}
