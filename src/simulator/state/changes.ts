import * as z from 'zod';
import type { Server, Sim, Site, World } from '../model.ts';
import { type Settings, settingsSchema } from '../settings.ts';
import type { Simulation } from '../simulation.ts';
import { type Kind, kinds, takeTouched } from '../touch.ts';
import { type ParsedSnapshot, type StoredGateway, storedGateway, worldsOf } from './snapshot.ts';

type StoredObject = Sim | StoredGateway | Site | Server;

const stored = z.array(z.custom<StoredObject>((value) => typeof value === 'object' && value !== null && 'id' in value));

const entrySchema = z.object({
  sequence: z.number().optional(),
  clockOffset: z.number().optional(),
  settings: z.object(settingsSchema.shape).partial().optional(),
  worlds: z
    .array(
      z.object({
        account: z.string(),
        /** As they are now. */
        put: z.partialRecord(z.enum(kinds), stored),
        /** The IDs of those that are no more. */
        gone: z.partialRecord(z.enum(kinds), z.array(z.string())),
        webAccelRequests: z.array(z.number()),
      }),
    )
    .default([]),
});

/** What changed between two commits: a line of the state file. */
type Entry = z.input<typeof entrySchema>;
type WorldChange = NonNullable<Entry['worlds']>[number];

/** Notices what has changed since the last look. `everything` tells that the worlds themselves are others. */
export function createChangeWatch(simulation: Simulation): () => Entry | 'everything' | undefined {
  let worlds = worldsOf(simulation);
  let [sequence, clockOffset, settings] = [simulation.sequence, simulation.clock.offset(), { ...simulation.settings }];

  return function changes() {
    const now = worldsOf(simulation);
    if (now.some((world, index) => world !== worlds[index])) {
      worlds = now;
      return 'everything';
    }
    const worldChanges = worlds.flatMap((world) => changeOf(world) ?? []);
    const entry: Entry = {
      ...(worldChanges.length > 0 && { worlds: worldChanges }),
      ...(simulation.sequence !== sequence && { sequence: simulation.sequence }),
      ...(simulation.clock.offset() !== clockOffset && { clockOffset: simulation.clock.offset() }),
      ...(!isSame(simulation.settings, settings) && { settings: simulation.settings }),
    };
    if (Object.keys(entry).length === 0) return undefined;
    [sequence, clockOffset, settings] = [simulation.sequence, simulation.clock.offset(), { ...simulation.settings }];
    return entry;
  };
}

function isSame(one: Settings, other: Settings): boolean {
  const others = new Map<string, unknown>(Object.entries(other));
  return Object.entries(one).every(([name, value]) => others.get(name) === value);
}

function changeOf(world: World): WorldChange | undefined {
  if (world.touched.objects.size === 0 && world.touched.webAccelRequests.length === 0) return undefined;
  const { objects, webAccelRequests } = takeTouched(world);
  const put: Partial<Record<Kind, StoredObject[]>> = {};
  const gone: Partial<Record<Kind, string[]>> = {};
  for (const [kind, id] of objects) {
    const object = storedObject(world, kind, id);
    if (object) (put[kind] ??= []).push(object);
    else (gone[kind] ??= []).push(id);
  }
  return { account: world.account, put, gone, webAccelRequests };
}

function storedObject(world: World, kind: Kind, id: string): StoredObject | undefined {
  if (kind !== 'gateways') return world[kind].get(id);
  const gateway = world.gateways.get(id);
  return gateway && storedGateway(gateway);
}

/** The snapshot with all that changed since. Throws a `ZodError` when an entry is something else. */
export function withChanges(snapshot: ParsedSnapshot, entries: readonly unknown[]): ParsedSnapshot {
  if (entries.length === 0) return snapshot;
  const result = { ...snapshot };
  const worlds = snapshot.worlds.map((world) => ({
    account: world.account,
    sims: byID(world.sims),
    gateways: byID(world.gateways),
    sites: byID(world.sites),
    servers: byID(world.servers),
    webAccelRequests: [...world.webAccelRequests],
  }));
  for (const value of entries) {
    const entry = entrySchema.parse(value);
    result.sequence = Math.max(result.sequence, entry.sequence ?? 0);
    result.clockOffset = entry.clockOffset ?? result.clockOffset;
    result.settings = { ...result.settings, ...entry.settings };
    for (const change of entry.worlds) {
      const world = worlds.find(({ account }) => account === change.account);
      if (!world) continue;
      for (const kind of kinds) {
        const map: Map<string, unknown> = world[kind];
        for (const id of change.gone[kind] ?? []) map.delete(id);
        for (const object of change.put[kind] ?? []) map.set(object.id, object);
      }
      world.webAccelRequests.push(...change.webAccelRequests);
    }
  }
  result.worlds = worlds.map(({ account, sims, gateways, sites, servers, webAccelRequests }) => ({
    account,
    sims: [...sims.values()],
    gateways: [...gateways.values()],
    sites: [...sites.values()],
    servers: [...servers.values()],
    webAccelRequests,
  }));
  return result;
}

function byID<T extends { readonly id: string }>(objects: readonly T[]): Map<string, T> {
  return new Map(objects.map((object) => [object.id, object]));
}
