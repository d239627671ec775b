import type { CallOptions } from '../../cloud/lanes.ts';
import { fetchWhole } from '../../cloud/list-fetch.ts';
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
    call: CallOptions,
  ): Promise<GatewayAddress | undefined>;
}

export function createGatewayLocator(monotonic: () => number): GatewayLocator {
  const looks = new WeakMap<
    AccountSession,
    { readonly startedAt: number; readonly members: Promise<Map<string, GatewayAddress>> }
  >();
  return {
    async locate(session, simID, notBefore, call) {
      let look = looks.get(session);
      if (!look || look.startedAt <= notBefore) {
        look = { startedAt: monotonic(), members: readMembers(session, call) };
        looks.set(session, look);
        look.members.catch(() => looks.delete(session));
      }
      const over = call.onWait?.();
      try {
        return (await look.members).get(simID);
      } finally {
        over?.();
      }
    },
  };
}

async function readMembers(session: AccountSession, call: CallOptions): Promise<Map<string, GatewayAddress>> {
  const { gateways } = session.client;
  const members = new Map<string, GatewayAddress>();
  for (const zone of zones) {
    const all = await fetchWhole({
      route: 'GET /appliance',
      fetchPage: (from) => gateways.list(zone, { from, count: PAGE }, call),
      idOf: (gateway) => gateway.id,
    });
    for (const gateway of all) {
      for (const sim of await registeredSims(session, zone, gateway.id, call))
        members.set(sim, { id: gateway.id, zone });
    }
  }
  return members;
}

async function registeredSims(session: AccountSession, zone: string, id: string, call: CallOptions): Promise<string[]> {
  const found = await fetchWhole({
    route: 'GET /appliance/:id/mobilegateway/sims',
    fetchPage: (from) => session.client.gateways.sims(zone, id, { from, count: PAGE }, call),
    idOf: (sim) => sim.resourceID,
  });
  return found.map((sim) => sim.resourceID);
}
