import type { SimItem } from '../../cloud/sim/types.ts';
import type { Pass } from '../../reconcile/kind.ts';
import type { GatewayAddress } from './facts.ts';
import type { GatewayLocator } from './locate-gateway.ts';
import type { Sim } from './schema.ts';

/** A SIM, and the gateway it is registered with, as far as that was looked for. */
export interface PlacedSim {
  readonly item: SimItem;
  readonly gateway: GatewayAddress | undefined;
}

/**
 * A SIM that a list misses, with its address. Asked for by its ID it may be shown without one (`api.md`, SIM status
 * object); the list of its gateway, read after the list of SIMs that began at `listedAt`, has it. Where that list
 * misses the SIM, too, its gateway is not known.
 */
export async function withAddress(
  pass: Pass<Sim>,
  locator: Pick<GatewayLocator, 'shownOn'>,
  { item, gateway }: PlacedSim,
  listedAt: number,
): Promise<PlacedSim> {
  const { status } = item;
  if (!status?.registered || status.ip !== undefined) return { item, gateway };
  const { status: recorded } = pass.object;
  const seen = recorded?.id === item.id ? recorded.ip : undefined;
  // Nothing is done about an address without the gateway it is on: it stays as it was seen last.
  if (!gateway) return { item: withIP(item, seen), gateway };
  const notBefore = Math.max(pass.notBefore, listedAt);
  const shown = await locator.shownOn(pass.session, gateway, notBefore, pass.call('verify'));
  if (!shown.has(item.id)) return { item: withIP(item, seen), gateway: undefined };
  return { item: withIP(item, shown.get(item.id)), gateway };
}

function withIP(item: SimItem, ip: string | undefined): SimItem {
  return item.status && ip !== undefined ? { ...item, status: { ...item.status, ip } } : item;
}
