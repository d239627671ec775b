import type { Sim } from '../sim/schema.ts';

/** IDs of the gateways a Sim is registered with, as observed or by its own hand. */
export function gatewaysOf({ status }: Sim): string[] {
  return [status?.gatewayID, status?.applied?.gateway?.id].flatMap((id) => id ?? []);
}

/**
 * Whether the operator looks after the Sim's registration with this gateway: the Sim names it, or leaves it by itself
 * because it no longer does. A SIM that only happens to be there is somebody else's.
 */
export function looksAfterItself(
  sim: Sim,
  gateway: { readonly name: string; readonly id: string | undefined },
): boolean {
  if (gateway.id === undefined || !gatewaysOf(sim).includes(gateway.id)) return false;
  return sim.spec.gatewayRef?.name === gateway.name || sim.status?.applied?.gateway?.id === gateway.id;
}
