import * as z from 'zod';
import type { KeyPair } from './certificate-authority.ts';
import type { Gateway, Server, Sim, Site, World } from './model.ts';
import { type Settings, settingsSchema } from './settings.ts';
import { type Simulation, shareWorlds } from './simulation.ts';
import { addSim, createWorld } from './world.ts';

const version = 1;

type StoredGateway = Omit<Gateway, 'sims' | 'addresses'>;

interface StoredWorld {
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
  version: z.literal(version),
  authority: z.object({ certificate: z.string(), privateKey: z.string() }),
  clockOffset: z.number(),
  sequence: z.number(),
  settings: settingsSchema.partial(),
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

export function takeSnapshot(simulation: Simulation, authority: KeyPair): Snapshot {
  return {
    version,
    authority,
    clockOffset: simulation.clock.offset(),
    sequence: simulation.sequence,
    settings: simulation.settings,
    worlds: simulation.accounts
      .filter(({ sameAs }) => sameAs === undefined)
      .map(({ world }) => ({
        account: world.account,
        sims: [...world.sims.values()],
        // Members that are undefined leave no trace in JSON.
        gateways: [...world.gateways.values()].map((gateway) => ({
          ...gateway,
          sims: undefined,
          addresses: undefined,
        })),
        sites: [...world.sites.values()],
        servers: [...world.servers.values()],
        webAccelRequests: world.webAccelRequests,
      })),
  };
}

/** Reads what `takeSnapshot` wrote; throws a `ZodError` when it is something else. */
export function parseSnapshot(value: unknown): z.infer<typeof frame> {
  return frame.parse(value);
}

/** Puts a snapshot back. Accounts are matched by name; one the snapshot does not know stays as it is. */
export function restoreSnapshot(simulation: Simulation, snapshot: z.infer<typeof frame>): void {
  simulation.clock.setOffset(snapshot.clockOffset);
  simulation.sequence = Math.max(simulation.sequence, snapshot.sequence);
  for (const account of simulation.accounts) {
    const stored = snapshot.worlds.find((world) => world.account === account.name);
    if (stored) account.world = restoredWorld(stored);
  }
  shareWorlds(simulation.accounts);
}

function restoredWorld(stored: StoredWorld): World {
  const world = createWorld(stored.account);
  for (const gateway of stored.gateways) {
    world.gateways.set(gateway.id, { ...gateway, sims: new Set(), addresses: new Map() });
  }
  for (const sim of stored.sims) addSim(world, sim);
  for (const site of stored.sites) world.sites.set(site.id, site);
  for (const server of stored.servers) world.servers.set(server.id, server);
  world.webAccelRequests = [...stored.webAccelRequests];
  return world;
}
