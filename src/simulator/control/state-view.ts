import { availabilityOf } from '../gateway/state.ts';
import type { Gateway, Sim, Site, World } from '../model.ts';
import { redacted, secretDigest } from '../redact.ts';
import { currentlyUp } from '../sim/session.ts';
import type { Simulation } from '../simulation.ts';
import { validity } from '../web-acceleration/certificate.ts';
import { kindOf } from './edit-objects.ts';
import { locateObject } from './locate-object.ts';

/** Everything there is, by ID, without a secret in clear: what `GET /state` answers. */
export function stateView(simulation: Simulation): Record<string, unknown> {
  const now = simulation.clock.now();
  const all = <T>(kind: (world: World) => ReadonlyMap<string, T>, view: (item: T) => object) =>
    Object.fromEntries(
      simulation.accounts.flatMap(({ name, world }) =>
        [...kind(world)].map(([id, item]) => [id, { account: name, ...view(item) }]),
      ),
    );
  return {
    now: new Date(now).toISOString(),
    accounts: simulation.accounts.map(({ name, world }) => ({ name, webAccelRequests: world.webAccelRequests.length })),
    sims: all(({ sims }) => sims, simState),
    gateways: all(
      ({ gateways }) => gateways,
      (gateway) => gatewayState(gateway, now),
    ),
    sites: all(({ sites }) => sites, siteState),
    servers: all(
      ({ servers }) => servers,
      (server) => server,
    ),
  };
}

/** One object as the whole state shows it: what `GET /state/KIND/ID` answers. */
export function objectView(simulation: Simulation, kindText: string, name: string): object {
  const kind = kindOf(kindText);
  return { account: locateObject(simulation, kind, name).world.account, ...shown() };

  function shown(): object {
    switch (kind) {
      case 'sims':
        return simState(locateObject(simulation, kind, name).object);
      case 'gateways':
        return gatewayState(locateObject(simulation, kind, name).object, simulation.clock.now());
      case 'sites':
        return siteState(locateObject(simulation, kind, name).object);
      case 'servers':
        return locateObject(simulation, kind, name).object;
    }
  }
}

function simState(sim: Sim): object {
  return { ...sim, sessionUp: currentlyUp(sim) };
}

function gatewayState(gateway: Gateway, now: number): object {
  const { sims, addresses: _, trafficMonitoring, ...rest } = gateway;
  return {
    ...rest,
    availability: availabilityOf(gateway, now),
    trafficMonitoring: redacted(trafficMonitoring),
    configPending: JSON.stringify(gateway.pending) !== JSON.stringify(gateway.applied),
    sims: [...sims],
  };
}

function siteState(site: Site): object {
  const generation = (one: Site['current']) => one && { ...one, ...validity(one) };
  return {
    ...site,
    logUpload: redacted(site.logUpload),
    oneTimeURLSecrets: site.oneTimeURLSecrets?.map(secretDigest) ?? null,
    current: generation(site.current),
    previous: generation(site.previous),
  };
}
