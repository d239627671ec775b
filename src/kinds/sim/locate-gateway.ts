import { zones } from '../../cloud/zones.ts';
import type { AccountSession } from '../../reconcile/account.ts';
import type { GatewayAddress } from './facts.ts';

const PAGE = 1000;

/** Finds which gateway a SIM is registered with: the SIM itself doesn't say, only the gateways' lists do. */
export interface GatewayLocator {
  /**
   * The gateway of the SIM, looked up in lists read after `notBefore` (monotonic milliseconds); undefined when none has
   * it. Lists are shared: a fleet that is taken over costs one look at each gateway, not one per SIM.
   */
  locate(
    session: AccountSession,
    simID: string,
    notBefore: number,
    signal: AbortSignal,
  ): Promise<GatewayAddress | undefined>;
}

export function createGatewayLocator(monotonic: () => number): GatewayLocator {
  const looks = new WeakMap<
    AccountSession,
    { readonly startedAt: number; readonly members: Promise<Map<string, GatewayAddress>> }
  >();
  return {
    async locate(session, simID, notBefore, signal) {
      let look = looks.get(session);
      if (!look || look.startedAt <= notBefore) {
        look = { startedAt: monotonic(), members: readMembers(session, signal) };
        looks.set(session, look);
        look.members.catch(() => looks.delete(session));
      }
      return (await look.members).get(simID);
    },
  };
}

async function readMembers(session: AccountSession, signal: AbortSignal): Promise<Map<string, GatewayAddress>> {
  const call = { lane: 'verify', signal } as const;
  const { gateways } = session.client;
  const members = new Map<string, GatewayAddress>();
  for (const zone of zones) {
    for (let from = 0, total = 1; from < total; ) {
      const page = await gateways.list(zone, { from, count: PAGE }, call);
      for (const gateway of page.items) {
        for (const sim of await registeredSims(session, zone, gateway.id, signal))
          members.set(sim, { id: gateway.id, zone });
      }
      total = page.total;
      from += Math.max(1, page.items.length);
    }
  }
  return members;
}

async function registeredSims(
  session: AccountSession,
  zone: string,
  id: string,
  signal: AbortSignal,
): Promise<string[]> {
  const found: string[] = [];
  for (let from = 0, total = 1; from < total; ) {
    const page = await session.client.gateways.sims(zone, id, { from, count: PAGE }, { lane: 'verify', signal });
    found.push(...page.items.map((sim) => sim.resourceID));
    total = page.total;
    from += Math.max(1, page.items.length);
  }
  return found;
}
