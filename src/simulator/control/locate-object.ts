import type { Gateway, Server, Sim, Site, World } from '../model.ts';
import type { Simulation } from '../simulation.ts';
import { ControlError } from './error.ts';

interface Objects {
  sims: Sim;
  gateways: Gateway;
  sites: Site;
  servers: Server;
}

type Collected = { readonly [K in keyof Objects]: ReadonlyMap<string, Objects[K]> };

/** Finds an object of any account by ID, or by ICCID (SIM), name (gateway, server) or domain (site). */
export function locateObject<K extends keyof Objects>(
  simulation: Simulation,
  kind: K,
  name: string,
): { world: World; object: Objects[K] } {
  for (const { world } of simulation.accounts) {
    const collected: Collected = world;
    const map: ReadonlyMap<string, Objects[K]> = collected[kind];
    const object = map.get(name) ?? [...map.values()].find((one) => otherName(one) === name);
    if (object) return { world, object };
  }
  throw new ControlError(404, `${kind}: there is no ${name}`);
}

function otherName(object: Sim | Gateway | Site | Server): string {
  if ('iccid' in object) return object.iccid;
  if ('domain' in object) return object.domain;
  return object.name;
}
