import type { z } from 'zod';
import { ApiError, badRequest } from './api-error.ts';
import { makeGateway } from './gateway/state.ts';
import type { Gateway, GatewaySettings, Server, Sim, Site, World } from './model.ts';
import { parseBody } from './parse.ts';
import type { objectSeeds } from './seed-schema.ts';
import { makeSim } from './sim/make.ts';
import { checkAddress } from './sim/operations.ts';
import { refreshSession } from './sim/session.ts';
import type { Simulation } from './simulation.ts';
import { touch } from './touch.ts';
import { storedACL } from './web-acceleration/acl.ts';
import { storeCertificate } from './web-acceleration/certificate-operations.ts';
import { makeSite } from './web-acceleration/make.ts';
import { changeSiteBody } from './web-acceleration/schema.ts';
import { applySettings } from './web-acceleration/settings.ts';
import { addSim, registerSim, setAddress } from './world.ts';

type SeedOf<K extends keyof typeof objectSeeds> = z.infer<(typeof objectSeeds)[K]>;

function createdAtOf(seed: { readonly createdAt?: string | undefined }, now: number): number {
  return seed.createdAt === undefined ? now : Date.parse(seed.createdAt);
}

/** Puts a gateway of the seed, or of the control port, into the world: available, its settings in effect. */
export function seedGateway(simulation: Simulation, world: World, seed: SeedOf<'gateways'>): Gateway {
  const now = simulation.clock.now();
  if (seed.staticRoutes.length > 0 && !seed.privateInterface) {
    throw badRequest('staticRoutes: they need a privateInterface, write one');
  }
  const gateway = makeGateway(simulation, {
    id: seed.id,
    zone: seed.zone,
    name: seed.name,
    description: seed.description,
    tags: seed.tags,
    now: createdAtOf(seed, now),
    availableAt: now,
  });
  const settings: GatewaySettings = {
    internetConnection: seed.internetConnection ?? null,
    interDeviceCommunication: seed.interDeviceCommunication ?? null,
    privateInterface: seed.privateInterface ?? null,
    staticRoutes: seed.staticRoutes,
  };
  const { staticRoutes, ...rest } = settings;
  if (staticRoutes.length > 0 || Object.values(rest).some((value) => value !== null)) {
    gateway.pending = settings;
    gateway.applied = structuredClone(settings);
  }
  gateway.configuredAt = now;
  gateway.dns = seed.dns ?? null;
  if (seed.trafficMonitoring) {
    const { bandwidthLimitKbps, chatURL, ...monitoring } = seed.trafficMonitoring;
    gateway.trafficMonitoring = {
      ...monitoring,
      bandwidthLimitKbps: bandwidthLimitKbps ?? null,
      chat: chatURL !== undefined,
      chatURL: chatURL ?? '',
    };
  }
  gateway.instanceStatus = seed.instanceStatus;
  world.gateways.set(gateway.id, gateway);
  touch(world, 'gateways', gateway.id);
  return gateway;
}

/** The gateway of this ID or name. */
export function gatewayNamed(world: World, text: string): Gateway | undefined {
  return world.gateways.get(text) ?? [...world.gateways.values()].find(({ name }) => name === text);
}

export function seedSim(simulation: Simulation, world: World, seed: SeedOf<'sims'>): Sim {
  const now = simulation.clock.now();
  if (world.simsByICCID.has(seed.iccid) && !simulation.settings.allowDuplicateICCID) {
    throw new ApiError(409, 'conflict', `iccid: another SIM has ${seed.iccid}`);
  }
  const gateway = seed.gateway === undefined ? undefined : gatewayNamed(world, seed.gateway);
  if (seed.gateway !== undefined && !gateway) {
    throw badRequest(`gateway: there is no gateway ${seed.gateway}, write the name or ID of one`);
  }
  if (seed.ip !== undefined && !gateway) throw badRequest('ip: it needs a gateway, write one');
  const createdAt = createdAtOf(seed, now);
  const sim = makeSim(simulation, { ...seed, name: seed.name ?? `sim-${seed.iccid}`, now: createdAt });
  if (gateway && seed.ip !== undefined) checkAddress(simulation, gateway, sim, seed.ip);
  addSim(world, sim);
  if (seed.activated) Object.assign(sim, { activated: true, activatedAt: createdAt });
  if (seed.traffic) sim.counted = { at: now, ...seed.traffic };
  if (seed.imeiLock !== undefined) sim.imeiLock = seed.imeiLock;
  if (seed.carriers) sim.carriers = seed.carriers;
  if (gateway) registerSim(world, sim, gateway, now);
  if (seed.ip !== undefined) setAddress(world, sim, seed.ip, now);
  refreshSession(world, sim, now);
  return sim;
}

/** The SIM routes of a gateway; its SIMs must be there before. */
export function seedSimRoutes(world: World, seed: SeedOf<'gateways'>): void {
  const gateway = gatewayNamed(world, seed.id ?? seed.name);
  if (!gateway) return;
  gateway.simRoutes = seed.simRoutes.map(({ sim: iccid, prefix }, index) => {
    const simID = [...(world.simsByICCID.get(iccid) ?? [])].find((id) => gateway.sims.has(id));
    if (simID === undefined) {
      throw badRequest(`simRoutes[${index}].sim: no SIM of this gateway has ICCID ${iccid}`);
    }
    return { simID, prefix };
  });
}

export function seedSite(simulation: Simulation, world: World, seed: SeedOf<'sites'>): Site {
  const now = simulation.clock.now();
  if (seed.domain !== undefined && [...world.sites.values()].some(({ domain }) => domain === seed.domain)) {
    throw badRequest(`domain: another site has ${seed.domain}`);
  }
  const site = makeSite(simulation, {
    id: seed.id,
    name: seed.name,
    domain: seed.domain,
    status: seed.status,
    now: createdAtOf(seed, now),
  });
  const settings = { Origin: 'origin.example.jp', ...seed.settings };
  const usesWebServer = seed.settings['OriginType'] !== 1;
  const given = usesWebServer ? settings : seed.settings;
  try {
    applySettings(site, parseBody(changeSiteBody(false), { Site: { ...given, Name: seed.name } }).Site, true);
  } catch (error) {
    throw error instanceof ApiError ? badRequest(error.message.replace(/^Site\./, 'settings.')) : error;
  }
  if (seed.accessControl.length > 0) site.acl = storedACL(seed.accessControl.join('\n'));
  if (seed.certificate) {
    storeCertificate(simulation, site, seed.certificate, now);
  }
  world.sites.set(site.id, site);
  touch(world, 'sites', site.id);
  return site;
}

export function seedServer(simulation: Simulation, world: World, seed: SeedOf<'servers'>): Server {
  const server: Server = {
    id: seed.id ?? simulation.nextID(),
    zone: seed.zone,
    name: seed.name,
    planID: seed.planID,
    power: seed.power,
    powerChangedAt: null,
    createdAt: simulation.clock.now(),
    keys: [],
    resets: 0,
  };
  world.servers.set(server.id, server);
  touch(world, 'servers', server.id);
  return server;
}
