import type { Gateway, Sim, World } from './model.ts';
import { refreshSession } from './sim/session.ts';
import { touch } from './touch.ts';

export function createWorld(account: string): World {
  return {
    account,
    sims: new Map(),
    simsByICCID: new Map(),
    gateways: new Map(),
    sites: new Map(),
    servers: new Map(),
    webAccelRequests: [],
    cloudRequests: [],
    touched: { objects: new Set(), webAccelRequests: [] },
  };
}

/** Puts a SIM into the world and its indexes. */
export function addSim(world: World, sim: Sim): void {
  world.sims.set(sim.id, sim);
  touch(world, 'sims', sim.id);
  const same = world.simsByICCID.get(sim.iccid);
  if (same) same.add(sim.id);
  else world.simsByICCID.set(sim.iccid, new Set([sim.id]));
  const gateway = sim.gatewayID === null ? undefined : world.gateways.get(sim.gatewayID);
  if (!gateway) return;
  gateway.sims.add(sim.id);
  if (sim.ip !== null) gateway.addresses.set(sim.ip, sim.id);
}

/** Takes a SIM out of the world, its gateway and the indexes. */
export function removeSim(world: World, sim: Sim, now: number): void {
  unregisterSim(world, sim, now);
  world.sims.delete(sim.id);
  touch(world, 'sims', sim.id);
  const same = world.simsByICCID.get(sim.iccid);
  same?.delete(sim.id);
  if (same?.size === 0) world.simsByICCID.delete(sim.iccid);
}

export function registerSim(world: World, sim: Sim, gateway: Gateway, now: number): void {
  sim.gatewayID = gateway.id;
  sim.registeredAt = now;
  gateway.sims.add(sim.id);
  touch(world, 'sims', sim.id);
  refreshSession(world, sim, now);
}

/** Takes a SIM off its gateway, with its address and its routes. */
export function unregisterSim(world: World, sim: Sim, now: number): void {
  setAddress(world, sim, null, now);
  const gateway = sim.gatewayID === null ? undefined : world.gateways.get(sim.gatewayID);
  sim.gatewayID = null;
  sim.registeredAt = null;
  if (gateway) {
    gateway.sims.delete(sim.id);
    gateway.simRoutes = gateway.simRoutes.filter(({ simID }) => simID !== sim.id);
    touch(world, 'gateways', gateway.id);
  }
  refreshSession(world, sim, now);
}

export function setAddress(world: World, sim: Sim, ip: string | null, now: number): void {
  const gateway = sim.gatewayID === null ? undefined : world.gateways.get(sim.gatewayID);
  if (sim.ip !== null) gateway?.addresses.delete(sim.ip);
  sim.ip = ip;
  touch(world, 'sims', sim.id);
  if (ip !== null) gateway?.addresses.set(ip, sim.id);
  refreshSession(world, sim, now);
}

/** Lets every SIM of a gateway notice what changed there. */
export function refreshGatewaySessions(world: World, gateway: Gateway, now: number): void {
  for (const id of gateway.sims) {
    const sim = world.sims.get(id);
    if (sim) refreshSession(world, sim, now);
  }
}
