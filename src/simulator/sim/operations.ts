import { badRequest, conflict, notFound } from '../api-error.ts';
import { cloudDate } from '../dates.ts';
import { carrierNames, holds, parseCIDR } from '../fields.ts';
import { listPage, listQuery, queryObject } from '../list-query.ts';
import type { Gateway, Sim, World } from '../model.ts';
import { parseBody } from '../parse.ts';
import type { ApiRequest, Routes } from '../router.ts';
import { find, type Simulation } from '../simulation.ts';
import { touch } from '../touch.ts';
import { addSim, removeSim, setAddress } from '../world.ts';
import { makeSim } from './make.ts';
import { carriersBody, changeSimBody, countQuery, createSimBody, imeiBody, ipBody, spanQuery } from './schema.ts';
import { ratesAt, reconnectSession, refreshSession, sessionEvents, sessionLogEntry } from './session.ts';
import { simListing, simStatus, simView } from './view.ts';

const MINUTE_MILLISECONDS = 60_000;
const STEP_MILLISECONDS = 5 * MINUTE_MILLISECONDS;
const LONGEST_SPAN_MILLISECONDS = 31 * 24 * 60 * MINUTE_MILLISECONDS;
const DEFAULT_LOG_ENTRIES = 100;

/** The SIM of the path; a new one may not be found yet. */
function simOf(request: ApiRequest): Sim {
  const sim = find(request.simulation, request.world, 'sims', request.ids[0] ?? '');
  if (request.now < sim.shownAt) throw notFound(`SIM ${sim.id}`);
  if (sim.notFoundLeft > 0) {
    sim.notFoundLeft--;
    touch(request.world, 'sims', sim.id);
    throw notFound(`SIM ${sim.id}`);
  }
  return sim;
}

/** The SIM for an operation on it, which a SIM still being created refuses. */
function readySim(request: ApiRequest): Sim {
  const sim = simOf(request);
  if (request.now < sim.createdAt + request.simulation.settings.stillCreatingMs) {
    throw conflict(`SIM ${sim.id} is still being created`, 'still_creating');
  }
  return sim;
}

function changed(request: ApiRequest, sim: Sim): void {
  sim.modifiedAt = request.now;
  touch(request.world, 'sims', sim.id);
}

/** Checks an address for a SIM on its gateway: 409 when another SIM has it, 400 outside the network if that is asked for. */
export function checkAddress(simulation: Simulation, gateway: Gateway, sim: Sim, ip: string): void {
  const network = gateway.applied?.privateInterface;
  if (ip === network?.ipAddress) throw badRequest('sim.ip: the gateway itself has this address');
  if (network && simulation.settings.ipMustBeInSubnet) {
    const subnet = `${network.ipAddress}/${network.networkMaskLength}`;
    const range = parseCIDR(subnet);
    if (range && !holds(range, ip)) {
      throw badRequest(`sim.ip: write an address within ${subnet}, the private network of gateway ${gateway.id}`);
    }
  }
  const holder = gateway.addresses.get(ip);
  if (holder !== undefined && holder !== sim.id) throw conflict(`sim.ip: SIM ${holder} has the address ${ip}`);
}

function gatewayOf(world: World, sim: Sim): Gateway | undefined {
  return sim.gatewayID === null ? undefined : world.gateways.get(sim.gatewayID);
}

/** The SIM operations (`api.md`, SIM operations) and `PUT /commonserviceitem/:id` of the public clients. */
export function simRoutes(passCodes: () => ReadonlyMap<string, string>): Routes {
  return {
    'GET /commonserviceitem': (request) => ({
      body: listPage(
        simListing(request, request.world),
        listQuery(request.query),
        'CommonServiceItems',
        request.simulation.settings.pageLimit,
      ),
    }),

    'POST /commonserviceitem'(request) {
      const { simulation, world, now } = request;
      const { CommonServiceItem: item } = parseBody(createSimBody, request.body);
      const right = passCodes().get(item.Status.ICCID);
      if (right !== undefined && right !== item.Remark.PassCode) {
        throw badRequest(`CommonServiceItem.Remark.PassCode: it is not the pass code of SIM ${item.Status.ICCID}`);
      }
      const same = simulation.accounts.some(({ world }) => world.simsByICCID.has(item.Status.ICCID));
      if (same && !simulation.settings.allowDuplicateICCID) {
        throw conflict(`CommonServiceItem.Status.ICCID: a SIM with ICCID ${item.Status.ICCID} exists`);
      }
      const sim = makeSim(simulation, {
        id: simulation.nextID(),
        zone: request.zone,
        iccid: item.Status.ICCID,
        name: item.Name,
        description: item.Description ?? '',
        tags: item.Tags ?? [],
        notFoundLeft: simulation.settings.notFoundAfterCreate,
        shownAt: now + simulation.settings.shownAfterCreate,
        now,
      });
      addSim(world, sim);
      return { status: 201, body: { CommonServiceItem: simView(sim, request.extended), Success: true } };
    },

    'GET /commonserviceitem/:id': (request) => ({
      body: { CommonServiceItem: simView(simOf(request), request.extended) },
    }),

    'PUT /commonserviceitem/:id'(request) {
      const sim = readySim(request);
      const { CommonServiceItem: item } = parseBody(changeSimBody, request.body);
      if (item.Name !== undefined) sim.name = item.Name;
      if (item.Description !== undefined) sim.description = item.Description ?? '';
      if (item.Tags !== undefined) sim.tags = item.Tags ?? [];
      changed(request, sim);
      return { body: { CommonServiceItem: simView(sim, request.extended), Success: true } };
    },

    'DELETE /commonserviceitem/:id'(request) {
      const sim = readySim(request);
      if (sim.gatewayID !== null) {
        throw conflict(`SIM ${sim.id} is registered to gateway ${sim.gatewayID}: remove it there first`);
      }
      if (sim.activated) throw conflict(`SIM ${sim.id} is activated: deactivate it first`);
      removeSim(request.world, sim, request.now);
      return {};
    },

    'GET /commonserviceitem/:id/sim/status': (request) => ({
      body: { sim: simStatus(readySim(request), request.now, { list: false, extended: request.extended }) },
    }),

    'PUT /commonserviceitem/:id/sim/activate'(request) {
      const sim = readySim(request);
      if (!sim.activated) sim.activatedAt = request.now;
      sim.activated = true;
      refreshSession(request.world, sim, request.now);
      changed(request, sim);
      return {};
    },

    'PUT /commonserviceitem/:id/sim/deactivate'(request) {
      const sim = readySim(request);
      if (sim.activated) sim.deactivatedAt = request.now;
      sim.activated = false;
      refreshSession(request.world, sim, request.now);
      changed(request, sim);
      return {};
    },

    'PUT /commonserviceitem/:id/sim/reconnect'(request) {
      const sim = readySim(request);
      reconnectSession(sim, request.now);
      changed(request, sim);
      return {};
    },

    'GET /commonserviceitem/:id/sim/network_operator_config'(request) {
      const sim = readySim(request);
      const carriers = sim.carriers.map(({ name, allow }) => ({ name, country_code: 'jp', allow }));
      return { body: { network_operator_config: carriers } };
    },

    'PUT /commonserviceitem/:id/sim/network_operator_config'(request) {
      const sim = readySim(request);
      const wanted = parseBody(carriersBody, request.body).network_operator_config;
      sim.carriers = carrierNames.flatMap((name) => {
        const carrier = wanted.find((one) => one.name === name) ?? sim.carriers.find((one) => one.name === name);
        return carrier ? [{ name, allow: wanted.some((one) => one.name === name && one.allow) }] : [];
      });
      changed(request, sim);
      return {};
    },

    'PUT /commonserviceitem/:id/sim/ip'(request) {
      const sim = readySim(request);
      const { ip } = parseBody(ipBody, request.body).sim;
      const gateway = gatewayOf(request.world, sim);
      if (!gateway) throw conflict(`SIM ${sim.id} is not registered to a mobile gateway: register it first`);
      checkAddress(request.simulation, gateway, sim, ip);
      setAddress(request.world, sim, ip, request.now);
      changed(request, sim);
      return {};
    },

    'DELETE /commonserviceitem/:id/sim/ip'(request) {
      const sim = readySim(request);
      if (sim.gatewayID === null) throw conflict(`SIM ${sim.id} is not registered to a mobile gateway`);
      setAddress(request.world, sim, null, request.now);
      changed(request, sim);
      return {};
    },

    'PUT /commonserviceitem/:id/sim/imeilock'(request) {
      const sim = readySim(request);
      sim.imeiLock = parseBody(imeiBody, request.body).sim.imei;
      refreshSession(request.world, sim, request.now);
      changed(request, sim);
      return {};
    },

    'DELETE /commonserviceitem/:id/sim/imeilock'(request) {
      const sim = readySim(request);
      if (sim.imeiLock === null) throw badRequest(`SIM ${sim.id} is not locked to an IMEI`);
      sim.imeiLock = null;
      refreshSession(request.world, sim, request.now);
      changed(request, sim);
      return {};
    },

    'GET /commonserviceitem/:id/sim/sessionlog'(request) {
      const sim = readySim(request);
      const { Count } = parseBody(countQuery, queryObject(request.query));
      const count = Math.min(Count || DEFAULT_LOG_ENTRIES, request.simulation.settings.pageLimit);
      const logs = sessionEvents(sim, request.now, count).map(sessionLogEntry);
      return { body: { logs, Count: logs.length } };
    },

    'GET /commonserviceitem/:id/sim/metrics': metrics,
    'GET /commonserviceitem/:id/sim/metrics/monitor': metrics,
  };
}

/** Five-minute points, the first and the last of the span included; the last day unless told. */
function metrics(request: ApiRequest) {
  const sim = readySim(request);
  const span = parseBody(spanQuery, queryObject(request.query));
  const end = span.End ?? request.now;
  const start = span.Start ?? end - 24 * 60 * MINUTE_MILLISECONDS;
  if (start > end) throw badRequest('Start: write a datetime before End');
  if (end - start > LONGEST_SPAN_MILLISECONDS) throw badRequest('Start: ask for at most 31 days');
  const data: Record<string, unknown> = {};
  for (let at = Math.ceil(start / STEP_MILLISECONDS) * STEP_MILLISECONDS; at <= end; at += STEP_MILLISECONDS) {
    data[cloudDate(at)] = ratesAt(sim, at, request.now);
  }
  return { body: { Data: data } };
}
