import { NotFoundError } from '../../cloud/errors.ts';
import type { CallOptions } from '../../cloud/limiter/lanes.ts';
import { fetchWhole } from '../../cloud/list/fetch.ts';
import type { SimStatus } from '../../cloud/sim/types.ts';
import { zones } from '../../cloud/zones.ts';
import type { AccountSession } from '../../reconcile/session.ts';
import type { GatewayAddress } from './facts.ts';

const PAGE_SIZE = 1000;

/** Finds which gateway a SIM is registered with: the SIM itself doesn't say, only the gateways' lists do. */
export interface GatewayLocator {
  /**
   * The gateway of the SIM, looked up in lists read after `notBefore`, and after the list of SIMs that began at `listedAt`
   * (monotonic milliseconds) and shows it in this group; undefined when none has it. As long as its group is the same, the
   * gateway is. Lists are shared: a fleet that is taken over costs one look at each gateway, not one per SIM.
   */
  locate(
    session: AccountSession,
    sim: { readonly id: string; readonly group: string | undefined },
    times: { readonly notBefore: number; readonly listedAt: number },
    call: CallOptions,
  ): Promise<GatewayAddress | undefined>;
  /**
   * Whether a SIM that is in this group is on the gateway, which was asked for and not seen since. A gateway's list of
   * SIMs, read after `notBefore`, shows it; once it has shown one of the group, the group says it of all others.
   */
  isOn(
    session: AccountSession,
    gateway: GatewayAddress,
    sim: { readonly id: string; readonly group: string },
    notBefore: number,
    call: CallOptions,
  ): Promise<boolean>;
  /** The addresses of the SIMs on this gateway by their IDs, as its list, read after `notBefore`, shows them. */
  shownOn(
    session: AccountSession,
    gateway: GatewayAddress,
    notBefore: number,
    call: CallOptions,
  ): Promise<ReadonlyMap<string, string | undefined>>;
}

/** SIMs of one gateway, read or being read. */
interface Reading {
  readonly startedAt: number;
  /** Their addresses, by ID. */
  readonly sims: Promise<ReadonlyMap<string, string | undefined>>;
}

/** Where the SIMs are that are on any gateway, read or being read. */
interface Look {
  readonly startedAt: number;
  readonly members: Promise<ReadonlyMap<string, GatewayAddress>>;
}

export function createGatewayLocator(monotonic: () => number): GatewayLocator {
  const looks = new WeakMap<AccountSession, Look>();
  /** By SIM: what the last look found, and the group that the SIM was in then. */
  const located = new WeakMap<
    AccountSession,
    Map<string, { readonly group: string; readonly startedAt: number; readonly address: GatewayAddress }>
  >();
  const readings = new WeakMap<AccountSession, Map<string, Reading>>();
  /** Groups and gateways that belong together, as `group gateway`. */
  const confirmed = new WeakMap<AccountSession, Set<string>>();

  function readingOf(session: AccountSession, { zone, id }: GatewayAddress, call: CallOptions): Reading {
    const sims = registeredSims(session, zone, id, call).then(
      (all) => new Map(all.map(({ resourceID, ip }) => [resourceID, ip])),
    );
    const reading = { startedAt: monotonic(), sims };
    const all = readings.get(session) ?? new Map<string, Reading>();
    readings.set(session, all.set(id, reading));
    sims.catch(() => all.delete(id));
    return reading;
  }

  /** A reading that began after `notBefore`: one that others wait for too, where there is one. */
  function readAfter(session: AccountSession, gateway: GatewayAddress, notBefore: number, call: CallOptions): Reading {
    const current = readings.get(session)?.get(gateway.id);
    return current !== undefined && current.startedAt > notBefore ? current : readingOf(session, gateway, call);
  }

  /** A look at all gateways that began after `notBefore`: one that others wait for too, where there is one. */
  function lookAfter(session: AccountSession, notBefore: number, call: CallOptions): Look {
    const current = looks.get(session);
    if (current && current.startedAt > notBefore) return current;
    const members = readMembers(session, call).then((found) => {
      forget(session, found);
      return found.members;
    });
    const look = { startedAt: monotonic(), members };
    looks.set(session, look);
    members.catch(() => looks.delete(session));
    return look;
  }

  /** A session may last for months, in which SIMs and gateways come and go. */
  function forget(session: AccountSession, { gateways, members }: Found): void {
    const sims = located.get(session);
    for (const id of sims?.keys() ?? []) if (!members.has(id)) sims?.delete(id);
    const pairs = confirmed.get(session);
    for (const pair of pairs ?? []) if (!gateways.has(pair.slice(pair.lastIndexOf(' ') + 1))) pairs?.delete(pair);
    const all = readings.get(session);
    for (const id of all?.keys() ?? []) if (!gateways.has(id)) all?.delete(id);
  }

  return {
    async shownOn(session, gateway, notBefore, call) {
      const over = call.onWait?.();
      try {
        return await readAfter(session, gateway, notBefore, call).sims;
      } finally {
        over?.();
      }
    },
    async isOn(session, gateway, { id, group }, notBefore, call) {
      const known = confirmed.get(session) ?? new Set();
      confirmed.set(session, known);
      const pair = `${group} ${gateway.id}`;
      if (known.has(pair)) return true;
      const over = call.onWait?.();
      try {
        // One that is under way may confirm the group, though it began too early for this SIM.
        const before = readings.get(session)?.get(gateway.id);
        await before?.sims.catch(() => undefined);
        if (known.has(pair)) return true;
        const isThere = (await readAfter(session, gateway, notBefore, call).sims).has(id);
        if (!isThere) return false;
        known.add(pair);
        readings.get(session)?.delete(gateway.id);
        return true;
      } finally {
        over?.();
      }
    },
    async locate(session, { id, group }, { notBefore, listedAt }, call) {
      const known = located.get(session) ?? new Map();
      located.set(session, known);
      const before = known.get(id);
      const isSame = before !== undefined && before.group === group;
      if (isSame && before.startedAt > notBefore) return before.address;
      const over = call.onWait?.();
      try {
        // A SIM is on one gateway: where that still shows it, no other has to be asked.
        const reading = isSame && readAfter(session, before.address, Math.max(notBefore, listedAt), call);
        if (reading && (await hasSim(reading, id))) {
          known.set(id, { ...before, startedAt: reading.startedAt });
          return before.address;
        }
        const look = lookAfter(session, Math.max(notBefore, listedAt), call);
        const address = (await look.members).get(id);
        if (address && group !== undefined) known.set(id, { group, startedAt: look.startedAt, address });
        else known.delete(id);
        return address;
      } finally {
        over?.();
      }
    },
  };
}

/** Whether a gateway, which may be gone, has a SIM. */
async function hasSim({ sims }: Reading, id: string): Promise<boolean> {
  try {
    return (await sims).has(id);
  } catch (error) {
    if (error instanceof NotFoundError) return false;
    throw error;
  }
}

/** What a look at all gateways shows: their IDs, and where each SIM is. */
interface Found {
  readonly gateways: ReadonlySet<string>;
  readonly members: ReadonlyMap<string, GatewayAddress>;
}

async function readMembers(session: AccountSession, call: CallOptions): Promise<Found> {
  const { gateways } = session.client;
  const seen = new Set<string>();
  const members = new Map<string, GatewayAddress>();
  for (const zone of zones) {
    const all = await fetchWhole({
      route: 'GET /appliance',
      fetchPage: (from) => gateways.list(zone, { from, count: PAGE_SIZE }, call),
      idOf: (gateway) => gateway.id,
    });
    for (const gateway of all) {
      seen.add(gateway.id);
      for (const sim of await registeredSims(session, zone, gateway.id, call))
        members.set(sim.resourceID, { id: gateway.id, zone });
    }
  }
  return { gateways: seen, members };
}

function registeredSims(session: AccountSession, zone: string, id: string, call: CallOptions): Promise<SimStatus[]> {
  return fetchWhole({
    route: 'GET /appliance/:id/mobilegateway/sims',
    fetchPage: (from) => session.client.gateways.sims(zone, id, { from, count: PAGE_SIZE }, call),
    idOf: (sim) => sim.resourceID,
  });
}
