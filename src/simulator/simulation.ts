import type { Clock } from '../clock.ts';
import { forbidden, notFound } from './api-error.ts';
import type { Gateway, Server, Sim, Site, World } from './model.ts';
import { defaultSettings, type Settings } from './settings.ts';
import { createSimulatedClock, type SimulatedClock } from './simulated-clock.ts';
import { takeTouched } from './touch.ts';
import { createWorld } from './world.ts';

/** One pair of credentials and what it owns. */
export interface Account {
  readonly name: string;
  readonly accessToken: string;
  readonly accessTokenSecret: string;
  /** The account these are further credentials of. */
  readonly sameAs?: string | undefined;
  world: World;
}

/** The whole simulated service: what every operation works on. */
export interface Simulation {
  readonly clock: SimulatedClock;
  readonly settings: Settings;
  readonly accounts: readonly Account[];
  readonly accountsByToken: ReadonlyMap<string, Account>;
  /** The next of the service's identifiers: 12 digits. */
  nextID(): string;
  /** The number the next identifier is made of; kept in the state file. */
  sequence: number;
  /**
   * To be called after every operation and before its answer: resolves when all that has changed so far is kept, rejects with
   * a `StateFileError` when that fails. Undefined when there is nothing to wait for.
   */
  settle(): Promise<void> | undefined;
}

const FIRST_ID = 113_300_000_001;

export function createSimulation(options: {
  readonly clock: Pick<Clock, 'now'>;
  readonly accounts: readonly Omit<Account, 'world'>[];
  readonly settings: Partial<Settings>;
  readonly firstID?: number | undefined;
}): Simulation {
  const accounts = options.accounts.map((account) => ({ ...account, world: createWorld(account.name) }));
  shareWorlds(accounts);
  const simulation: Simulation = {
    clock: createSimulatedClock(options.clock),
    settings: { ...defaultSettings, ...options.settings },
    accounts,
    accountsByToken: new Map(accounts.map((account) => [account.accessToken, account])),
    sequence: options.firstID ?? FIRST_ID,
    nextID() {
      let id = String(simulation.sequence++);
      while (isTaken(simulation, id)) id = String(simulation.sequence++);
      return id;
    },
    settle() {
      for (const { world } of accounts) takeTouched(world);
      return undefined;
    },
  };
  return simulation;
}

/** Gives further credentials of an account its world. */
export function shareWorlds(accounts: readonly Account[]): void {
  for (const account of accounts) {
    const other = accounts.find(({ name }) => name === account.sameAs);
    if (other) account.world = other.world;
  }
}

/** Has any object of any account this ID? A seed may name IDs of its own. */
export function isTaken(simulation: Simulation, id: string): boolean {
  return simulation.accounts.some(
    ({ world }) => world.sims.has(id) || world.gateways.has(id) || world.sites.has(id) || world.servers.has(id),
  );
}

/** Back to nothing: no objects, the machine's time. The sequence runs on, so an old ID never comes back as another thing. */
export function emptySimulation(simulation: Simulation, settings: Settings): void {
  for (const account of simulation.accounts) account.world = createWorld(account.name);
  shareWorlds(simulation.accounts);
  simulation.clock.setOffset(0);
  Object.assign(simulation.settings, settings);
}

type Collections = { sims: Sim; gateways: Gateway; sites: Site; servers: Server };
type Collected = { readonly [K in keyof Collections]: ReadonlyMap<string, Collections[K]> };
const words = { sims: 'SIM', gateways: 'mobile gateway', sites: 'site', servers: 'server' };

/** The object of this ID in the account: 403 when it is another account's, 404 when it is nobody's. */
export function find<K extends keyof Collections>(
  simulation: Simulation,
  world: World,
  kind: K,
  id: string,
): Collections[K] {
  const collected: Collected = world;
  const found = collected[kind].get(id);
  if (found) return found;
  const others = simulation.accounts.some((account) => account.world !== world && account.world[kind].has(id));
  throw others ? forbidden(`${words[kind]} ${id}`) : notFound(`${words[kind]} ${id}`);
}
