import { cloudDate, monthStart, simDate } from '../dates.ts';
import { type Listing, valueAt } from '../list-query.ts';
import type { Sim, World } from '../model.ts';
import type { ApiRequest } from '../router.ts';
import { steadyHash } from '../steady-random.ts';
import { currentlyUp, trafficBetween } from './session.ts';

const provider = { ID: 8_000_001, Class: 'sim', Name: 'sim-1', ServiceClass: 'cloud/sim/1' };

/** The SIM as a CommonServiceItem (`api.md`, SIM). */
export function simView(sim: Sim, extended: boolean): Record<string, unknown> {
  return {
    ID: extended ? Number(sim.id) : sim.id,
    Name: sim.name,
    Description: sim.description,
    Settings: null,
    SettingsHash: null,
    Status: { ICCID: sim.iccid },
    ServiceClass: 'cloud/sim/1',
    Availability: 'available',
    CreatedAt: cloudDate(sim.createdAt),
    ModifiedAt: cloudDate(sim.modifiedAt),
    Provider: provider,
    Icon: null,
    Tags: sim.tags,
  };
}

/** The SIM status object (`api.md`, SIM status object). `ip` shows in lists, and everywhere in the Extended dialect. */
export function simStatus(
  sim: Sim,
  now: number,
  of: { readonly list: boolean; readonly extended: boolean },
): Record<string, unknown> {
  const up = currentlyUp(sim);
  const status: Record<string, unknown> = {
    iccid: sim.iccid,
    imsi: sim.imsi,
    session_status: up ? 'UP' : 'DOWN',
    imei_lock: sim.imeiLock !== null,
    registered: sim.gatewayID !== null,
    activated: sim.activated,
    resource_id: sim.id,
    traffic_bytes_of_current_month: monthTraffic(sim, now, of),
    connected_imei: up ? sim.connectedIMEI : '',
  };
  if ((of.list || of.extended) && sim.ip !== null) status['ip'] = sim.ip;
  if (sim.imeiLock !== null) status['imei'] = sim.imeiLock;
  if (sim.registeredAt !== null) status['registered_date'] = simDate(sim.registeredAt);
  if (sim.activatedAt !== null) status['activated_date'] = simDate(sim.activatedAt);
  if (sim.deactivatedAt !== null) status['deactivated_date'] = simDate(sim.deactivatedAt);
  if (sim.gatewayID !== null) status['simgroup_id'] = sim.gatewayID;
  return status;
}

/**
 * Integers (`api.md`), and `[]` in lists when nothing went through this month. In the Extended dialect clients meet `[]`
 * everywhere, and strings of digits too: those of every other SIM.
 */
function monthTraffic(sim: Sim, now: number, of: { readonly list: boolean; readonly extended: boolean }): unknown {
  const { uplinkBytes, downlinkBytes } = trafficBetween(sim, monthStart(now), now);
  if (uplinkBytes + downlinkBytes === 0 && (of.list || of.extended)) return [];
  return !of.extended || steadyHash(sim.id) % 2 === 0
    ? { uplink_bytes: uplinkBytes, downlink_bytes: downlinkBytes }
    : { uplink_bytes: String(uplinkBytes), downlink_bytes: String(downlinkBytes) };
}

/** How the SIM list reads SIMs. */
export function simListing(request: ApiRequest, world: World): Listing<Sim> {
  return {
    items: [...world.sims.values()].filter(({ shownAt }) => request.now >= shownAt),
    valueOf(sim, path) {
      if (path === 'Provider.Class') return provider.Class;
      if (path.startsWith('Provider.')) return valueAt(provider, path.slice('Provider.'.length));
      if (path === 'Status.ICCID') return sim.iccid;
      if (path === 'Name') return sim.name;
      if (path === 'ID') return sim.id;
      if (path === 'Tags.Name') return sim.tags;
      if (path.startsWith('Status.sim.'))
        return valueAt(simStatus(sim, request.now, { list: true, extended: false }), path.slice(11));
      return valueAt(simView(sim, false), path);
    },
    view(sim, { Include }) {
      const view = simView(sim, request.extended);
      if (Include.includes('Status.sim')) {
        view['Status'] = {
          ICCID: sim.iccid,
          sim: simStatus(sim, request.now, { list: true, extended: request.extended }),
        };
      }
      return view;
    },
  };
}
