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
  /**
   * The finalizer says that a gateway of this name may have been created, and no status says more: the operator died
   * before it asked for one, or the resource came back from a backup without its status.
   */
  readonly forgotten: string | undefined;
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
  const { creation, forgotten } = search;
  const named = (name: string) =>
    [...items.values()].filter((gateway) => gateway.name === name && !search.claimed.has(gateway.id));
  if (creation) {
    const since = Date.parse(creation.requestedAt) - SKEW;
    const candidates = named(creation.name).filter((gateway) => !(Date.parse(gateway.createdAt ?? '') < since));
    return candidates.length < 2 ? { item: candidates[0] } : { hold: holdAmbiguous(creation.name, candidates) };
  }
  const candidates = forgotten === undefined ? [] : named(forgotten);
  return candidates.length === 0 ? { item: undefined } : { hold: holdForgotten(forgotten ?? '', candidates) };
}

function holdForgotten(name: string, candidates: readonly Gateway[]): Hold {
  const ids = candidates.map((gateway) => gateway.id).join(', ');
  return {
    kind: 'Stalled',
    reason: GatewayReason.CreationAmbiguous,
    message: `This resource may have created a gateway, but its status is gone, as after a restore from a backup. The zone has one of its name, "${name}": ${ids}. Set resourceID to it if it is the one; otherwise give this resource another displayName, and a new gateway is made.`,
  };
}

function holdAmbiguous(name: string, candidates: readonly Gateway[]): Hold {
  const ids = candidates.map((gateway) => gateway.id).join(', ');
  return {
    kind: 'Stalled',
    reason: GatewayReason.CreationAmbiguous,
    message: `The creation of "${name}" was interrupted, and several gateways of that name were made since: ${ids}. Set resourceID to the one that is meant, and delete the others at the service if nobody needs them.`,
  };
}
