import * as z from 'zod';
import { seedGateway, seedServer, seedSim, seedSimRoutes, seedSite } from '../seed-objects.ts';
import { objectSeeds } from '../seed-schema.ts';
import { type Account, isTaken, type Simulation } from '../simulation.ts';
import { type Kind, kinds, touch } from '../touch.ts';
import { removeSim, unregisterSim } from '../world.ts';
import { parsedControl } from './body.ts';
import { ControlError } from './error.ts';
import { locateObject } from './locate-object.ts';

/** @throws {ControlError} when there is no such kind of object. */
export function kindOf(text: string): Kind {
  const kind = kinds.find((one) => one === text);
  if (!kind) throw new ControlError(404, `there is no ${text}: write ${kinds.join(', ')}`);
  return kind;
}

function accountOf(simulation: Simulation, name: string | undefined): Account {
  const account = simulation.accounts.find((one) => one.name === (name ?? simulation.accounts[0]?.name));
  if (!account) throw new ControlError(404, `account: there is no account ${name ?? ''}`);
  return account;
}

/** Adds an object in the form of the seed file; `account` beside names whose it is. Answers its ID. */
export function addObject(simulation: Simulation, kindText: string, body: unknown): { id: string } {
  const kind = kindOf(kindText);
  const { account: name, ...rest } = parsedControl(z.looseObject({ account: z.string().optional() }), body);
  const { world } = accountOf(simulation, name);
  const id = typeof rest['id'] === 'string' ? rest['id'] : undefined;
  if (id !== undefined && isTaken(simulation, id)) {
    throw new ControlError(409, `id: ${id} is taken`);
  }
  const added = add();
  return { id: added.id };

  function add() {
    switch (kind) {
      case 'sims':
        return seedSim(simulation, world, parsedControl(objectSeeds.sims, rest));
      case 'gateways': {
        const seed = parsedControl(objectSeeds.gateways, rest);
        const gateway = seedGateway(simulation, world, seed);
        seedSimRoutes(world, { ...seed, id: gateway.id });
        return gateway;
      }
      case 'sites':
        return seedSite(simulation, world, parsedControl(objectSeeds.sites, rest));
      case 'servers':
        return seedServer(simulation, world, parsedControl(objectSeeds.servers, rest));
    }
  }
}

/** Removes an object whatever its state; a gateway loses its SIMs first. */
export function deleteObject(simulation: Simulation, kindText: string, name: string): void {
  const kind = kindOf(kindText);
  const now = simulation.clock.now();
  if (kind === 'sims') {
    const { world, object } = locateObject(simulation, 'sims', name);
    removeSim(world, object, now);
  } else {
    const { world, object } = locateObject(simulation, kind, name);
    if (kind === 'gateways') detachAll(simulation, object.id);
    world[kind].delete(object.id);
    touch(world, kind, object.id);
  }
}

function detachAll(simulation: Simulation, gatewayID: string): void {
  const { world, object: gateway } = locateObject(simulation, 'gateways', gatewayID);
  for (const id of Array.from(gateway.sims)) {
    const sim = world.sims.get(id);
    if (sim) unregisterSim(world, sim, simulation.clock.now());
  }
}
