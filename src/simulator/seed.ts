import { readFile } from 'node:fs/promises';
import { parse } from 'yaml';
import { messageOf } from '../errors.ts';
import { ApiError, badRequest } from './api-error.ts';
import { explain } from './parse.ts';
import { SeedError } from './seed-error.ts';
import { seedGateway, seedServer, seedSim, seedSimRoutes, seedSite } from './seed-objects.ts';
import { type ParsedSeed, seedSchema, type WorldSeed } from './seed-schema.ts';
import { type Account, isTaken, type Simulation } from './simulation.ts';

/** Reads a seed file, YAML or JSON. Throws `SeedError`. */
export async function readSeedFile(file: string): Promise<unknown> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    throw new SeedError([`${file} cannot be read: ${messageOf(error)}`], { cause: error });
  }
  try {
    const seed: unknown = parse(text);
    return seed;
  } catch (error) {
    throw new SeedError([`${file} is neither YAML nor JSON: ${messageOf(error).split('\n')[0] ?? ''}`]);
  }
}

/** Checks the form of a seed. Throws `SeedError` with one line for every place that is wrong. */
export function parseSeed(seed: unknown): ParsedSeed {
  const result = seedSchema.safeParse(seed ?? {});
  if (!result.success) throw new SeedError(explain(result.error));
  return result.data;
}

/** Fills the simulation with what the seed lists: its own members for the first account, the rest by name. */
export function plantSeed(simulation: Simulation, seed: ParsedSeed): void {
  const [first] = simulation.accounts;
  if (first) plantWorld(simulation, first, seed, '');
  for (const [index, part] of seed.accounts.entries()) {
    const account = simulation.accountsByToken.get(part.accessToken);
    if (account) plantWorld(simulation, account, part, `accounts[${index}].`);
  }
}

function plantWorld(simulation: Simulation, account: Account, seed: WorldSeed, prefix: string): void {
  const { world } = account;
  const plant = <T extends { readonly id?: string | undefined }>(
    kind: string,
    parts: readonly T[],
    step: (part: T) => unknown,
  ) => {
    for (const [index, part] of parts.entries()) {
      at(`${prefix}${kind}[${index}]`, () => {
        if (part.id !== undefined && isTaken(simulation, part.id))
          throw badRequest(`id: another object has ${part.id}`);
        step(part);
      });
    }
  };
  plant('gateways', seed.gateways, (part) => seedGateway(simulation, world, part));
  plant('sims', seed.sims, (part) => seedSim(simulation, world, part));
  for (const [index, part] of seed.gateways.entries()) {
    at(`${prefix}gateways[${index}]`, () => seedSimRoutes(world, part));
  }
  plant('sites', seed.sites, (part) => seedSite(simulation, world, part));
  plant('servers', seed.servers, (part) => seedServer(simulation, world, part));
}

const seedNames: readonly (readonly [RegExp, string])[] = [
  [/^sim\.ip/, 'ip'],
  [/^ACL/, 'accessControl'],
  [/^Certificate\.CertificateChain/, 'certificate.chain'],
  [/^Certificate\.Key/, 'certificate.key'],
];

/** Runs one step of planting; what the service would refuse is an error at that place, by the names of the seed. */
function at(place: string, step: () => void): void {
  try {
    step();
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const message = seedNames.reduce((text, [wire, name]) => text.replace(wire, name), error.message);
    throw new SeedError([`${place}.${message}`]);
  }
}
