import * as z from 'zod';
import type { KeyPair } from '../certificate-authority.ts';
import type { Gateway, Server, Sim, Site, World } from '../model.ts';
import { type Settings, settingsSchema } from '../settings.ts';
import { type Simulation, shareWorlds } from '../simulation.ts';
import { addSim, createWorld } from '../world.ts';

// 2 has the changes since in lines of their own; 1 was the snapshot alone.
const VERSION = 2;
const readable = [1, VERSION];

export type StoredGateway = Omit<Gateway, 'sims' | 'addresses'>;

export interface StoredWorld {
  readonly account: string;
  readonly sims: readonly Sim[];
  readonly gateways: readonly StoredGateway[];
  readonly sites: readonly Site[];
  readonly servers: readonly Server[];
  readonly webAccelRequests: readonly number[];
}

/** What the state file holds. It has the CA's private key: mode 0600. */
export interface Snapshot {
  readonly version: number;
  readonly authority: KeyPair;
  readonly clockOffset: number;
  readonly sequence: number;
  readonly settings: Settings;
  readonly worlds: readonly StoredWorld[];
}

// The file is the simulator's own: its frame is checked, its objects are taken as they were written.
const frame = z.object({
  version: z.literal(readable),
  authority: z.object({ certificate: z.string(), privateKey: z.string() }),
  clockOffset: z.number(),
  sequence: z.number(),
  // What another version of the simulator had beside them is left out.
  settings: z.object(settingsSchema.shape).partial(),
  worlds: z.array(
    z.object({
      account: z.string(),
      sims: z.array(z.custom<Sim>()),
      gateways: z.array(z.custom<StoredGateway>()),
      sites: z.array(z.custom<Site>()),
      servers: z.array(z.custom<Server>()),
      webAccelRequests: z.array(z.number()),
    }),
  ),
});

export type ParsedSnapshot = z.infer<typeof frame>;

/** The state at this moment. `strangers` are worlds of accounts that this run does not know: they stay in the file. */
export function takeSnapshot(
  simulation: Simulation,
  authority: KeyPair,
  strangers: readonly StoredWorld[] = [],
): Snapshot {
  return {
    version: VERSION,
    authority,
    clockOffset: simulation.clock.offset(),
    sequence: simulation.sequence,
    settings: simulation.settings,
    worlds: [...worldsOf(simulation).map(storedWorld), ...strangers],
  };
}

/** The worlds there are, one each, though several credentials may have it. */
export function worldsOf(simulation: Simulation): World[] {
  return [...new Set(simulation.accounts.map(({ world }) => world))];
}

function storedWorld(world: World): StoredWorld {
  return {
    account: world.account,
    sims: [...world.sims.values()],
    gateways: [...world.gateways.values()].map(storedGateway),
    sites: [...world.sites.values()],
    servers: [...world.servers.values()],
    webAccelRequests: world.webAccelRequests,
  };
}

/** The gateway without what follows from its SIMs. */
export function storedGateway(gateway: Gateway): StoredGateway {
  const { sims: _, addresses: __, ...stored } = gateway;
  return stored;
}

/** Reads what `takeSnapshot` wrote; throws a `ZodError` when it is something else. */
export function parseSnapshot(value: unknown): ParsedSnapshot {
  return frame.parse(value);
}

/**
 * Puts a snapshot back. Accounts are matched by name; one the snapshot does not know stays as it is, and what belongs to an
 * account there is not is given back.
 */
export function restoreSnapshot(simulation: Simulation, snapshot: ParsedSnapshot): readonly StoredWorld[] {
  simulation.clock.setOffset(snapshot.clockOffset);
  simulation.sequence = Math.max(simulation.sequence, snapshot.sequence);
  Object.assign(simulation.settings, snapshot.settings);
  for (const account of simulation.accounts) {
    const stored = snapshot.worlds.find((world) => world.account === account.name);
    if (stored && account.sameAs === undefined) account.world = restoredWorld(stored);
  }
  shareWorlds(simulation.accounts);
  const known = new Set(worldsOf(simulation).map(({ account }) => account));
  return snapshot.worlds.filter(({ account }) => !known.has(account));
}

/** The world of what is stored; its objects are taken as they are. */
export function restoredWorld(stored: StoredWorld): World {
  const world = createWorld(stored.account);
  for (const gateway of stored.gateways) {
    world.gateways.set(gateway.id, { ...gateway, sims: new Set(), addresses: new Map() });
  }
  for (const sim of stored.sims) addSim(world, sim);
  for (const gateway of world.gateways.values()) orderByRegistration(world, gateway);
  for (const site of stored.sites) world.sites.set(site.id, site);
  for (const server of stored.servers) world.servers.set(server.id, server);
  world.webAccelRequests = [...stored.webAccelRequests];
  world.touched.objects.clear();
  return world;
}

/** SIMs come back in the order they were made; a gateway has them in the order they were registered. */
function orderByRegistration(world: World, { sims }: Gateway): void {
  const registeredAt = (id: string) => world.sims.get(id)?.registeredAt ?? 0;
  const ordered = [...sims].sort((one, other) => registeredAt(one) - registeredAt(other));
  sims.clear();
  for (const id of ordered) sims.add(id);
}
