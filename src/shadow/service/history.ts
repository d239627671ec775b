import type { Server, Sim, Site, World } from '../../simulator/model.ts';
import { restoredWorld, type StoredGateway, storedGateway } from '../../simulator/state/snapshot.ts';
import { type Kind, takeTouched } from '../../simulator/touch.ts';
import type { ObjectChange, WorldView } from './types.ts';

/** What an object was from a moment on; undefined when it was not there. */
interface Version<V> {
  readonly at: number;
  readonly view: V | undefined;
}

type Versions<V> = Map<string, Version<V>[]>;

/** Keeps what every object of a world is and was. */
export interface History {
  /** Notes what was touched since the last look, and says what became of it. */
  note(at: number): ObjectChange[];
  /** The world as it was at a moment; a copy, with which anything may be done. */
  worldAt(at: number): World;
  readonly view: WorldView;
}

export function createHistory(world: World): History {
  const past = {
    sims: new Map<string, Version<Sim>[]>(),
    gateways: new Map<string, Version<StoredGateway>[]>(),
    sites: new Map<string, Version<Site>[]>(),
    servers: new Map<string, Version<Server>[]>(),
  };
  const view = {
    sims: new Map<string, Sim>(),
    gateways: new Map<string, StoredGateway>(),
    sites: new Map<string, Site>(),
    servers: new Map<string, Server>(),
  };

  function noteOne(kind: Kind, id: string, at: number): ObjectChange {
    switch (kind) {
      case 'sims':
        return { kind, id, ...replaced(past.sims, view.sims, id, at, copyOf(world.sims.get(id), simCopy)) };
      case 'gateways':
        return {
          kind,
          id,
          ...replaced(past.gateways, view.gateways, id, at, copyOf(world.gateways.get(id), storedGateway)),
        };
      case 'sites':
        return { kind, id, ...replaced(past.sites, view.sites, id, at, copyOf(world.sites.get(id), siteCopy)) };
      case 'servers':
        return { kind, id, ...replaced(past.servers, view.servers, id, at, copyOf(world.servers.get(id), serverCopy)) };
    }
  }

  return {
    note: (at) => takeTouched(world).objects.map(([kind, id]) => noteOne(kind, id, at)),
    worldAt(at) {
      const stored = structuredClone({
        account: world.account,
        sims: asOf(past.sims, at),
        gateways: asOf(past.gateways, at),
        sites: asOf(past.sites, at),
        servers: asOf(past.servers, at),
        webAccelRequests: [],
      });
      return restoredWorld(stored);
    },
    view,
  };
}

function copyOf<T, V>(object: T | undefined, copy: (object: T) => V): V | undefined {
  return object === undefined ? undefined : copy(object);
}

/** Puts a view in the place of the one before. */
function replaced<V>(past: Versions<V>, views: Map<string, V>, id: string, at: number, after: V | undefined) {
  const before = views.get(id);
  if (after === undefined) views.delete(id);
  else views.set(id, after);
  const versions = past.get(id);
  if (versions) versions.push({ at, view: after });
  else past.set(id, [{ at, view: after }]);
  return { before, after };
}

function asOf<V>(past: Versions<V>, at: number): V[] {
  return [...past.values()].flatMap((versions) => {
    const view = versions.findLast((version) => version.at <= at)?.view;
    return view === undefined ? [] : [view];
  });
}

// What is replaced as a whole when it changes need not be copied.

function simCopy(sim: Sim): Sim {
  return { ...sim, sessions: [...sim.sessions] };
}

function siteCopy(site: Site): Site {
  return { ...site, settings: { ...site.settings } };
}

function serverCopy(server: Server): Server {
  return { ...server };
}
