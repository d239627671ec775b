import { badRequest, conflict, notFound } from '../api-error.ts';
import { monthStart } from '../dates.ts';
import { queryObject } from '../list-query.ts';
import type { Gateway, Sim, World } from '../model.ts';
import { parseBody } from '../parse.ts';
import type { ApiRequest, Routes } from '../router.ts';
import { countQuery } from '../sim/schema.ts';
import { type SessionEvent, sessionEvents, sessionLogEntry, trafficBetween } from '../sim/session.ts';
import { simStatus } from '../sim/view.ts';
import { find } from '../simulation.ts';
import { touch } from '../touch.ts';
import { registerSim, unregisterSim } from '../world.ts';
import { availableGateway, gatewayOf } from './lookup.ts';
import { dnsBody, monitoringBody, pageQuery, registerSimBody, simRoutesBody } from './schema.ts';

const DEFAULT_LOG_ENTRIES = 100;
const MEGABYTE_BYTES = 1_000_000;

/** What a gateway does for its SIMs: DNS, routes, traffic, registration (`api.md`, Mobile gateway operations). */
export const mobileGatewayRoutes: Routes = {
  'GET /appliance/:id/mobilegateway/dnsresolver'(request) {
    const { dns } = gatewayOf(request);
    return { body: { sim_group: dns ? { dns_1: dns.primary, dns_2: dns.secondary } : [] } };
  },

  'PUT /appliance/:id/mobilegateway/dnsresolver'(request) {
    const gateway = availableGateway(request);
    const { dns_1, dns_2 } = parseBody(dnsBody, request.body).sim_group;
    gateway.dns = { primary: dns_1, secondary: dns_2 };
    touch(request.world, 'gateways', gateway.id);
    return {};
  },

  'GET /appliance/:id/mobilegateway/simroutes'(request) {
    const gateway = gatewayOf(request);
    const routes = gateway.simRoutes.map(({ simID, prefix }) => ({
      iccid: request.world.sims.get(simID)?.iccid ?? '',
      prefix,
      resource_id: simID,
    }));
    return { body: { sim_routes: routes } };
  },

  'PUT /appliance/:id/mobilegateway/simroutes'(request) {
    const gateway = availableGateway(request);
    const routes = parseBody(simRoutesBody, request.body).sim_routes;
    if (gateway.configuredAt === null) {
      throw conflict(`mobile gateway ${gateway.id} has never had its config updated: do that first`);
    }
    const prefixes = new Set<string>();
    for (const [index, { resource_id, prefix }] of routes.entries()) {
      if (!gateway.sims.has(resource_id)) {
        throw badRequest(`sim_routes[${index}].resource_id: SIM ${resource_id} is not registered to this gateway`);
      }
      if (prefixes.has(prefix)) throw badRequest(`sim_routes[${index}].prefix: ${prefix} has a route already`);
      prefixes.add(prefix);
    }
    gateway.simRoutes = routes.map(({ resource_id, prefix }) => ({ simID: resource_id, prefix }));
    touch(request.world, 'gateways', gateway.id);
    return {};
  },

  'GET /appliance/:id/mobilegateway/traffic_monitoring'(request) {
    const { trafficMonitoring: monitoring, id } = gatewayOf(request);
    if (!monitoring) throw notFound(`traffic monitoring of mobile gateway ${id}`);
    return {
      body: {
        traffic_monitoring_config: {
          traffic_quota_in_mb: monitoring.quotaMB,
          auto_traffic_shaping: monitoring.autoTrafficShaping,
          ...(monitoring.bandwidthLimitKbps !== null && { bandwidth_limit_in_kbps: monitoring.bandwidthLimitKbps }),
          email_config: { enabled: monitoring.email },
          ...(request.extended
            ? { slack_config: { enabled: monitoring.chat, slack_url: monitoring.chatURL } }
            : { chat_config: { enabled: monitoring.chat, chat_url: monitoring.chatURL } }),
        },
      },
    };
  },

  'PUT /appliance/:id/mobilegateway/traffic_monitoring'(request) {
    const gateway = availableGateway(request);
    const monitoring = parseBody(monitoringBody(request.extended), request.body);
    const member = request.extended ? 'slack_config.slack_url' : 'chat_config.chat_url';
    if (monitoring.chat && !URL.canParse(monitoring.chatURL)) {
      throw badRequest(`traffic_monitoring_config.${member}: write the URL to notify`);
    }
    gateway.trafficMonitoring = monitoring;
    touch(request.world, 'gateways', gateway.id);
    return {};
  },

  'DELETE /appliance/:id/mobilegateway/traffic_monitoring'(request) {
    const gateway = availableGateway(request);
    if (!gateway.trafficMonitoring) throw notFound(`traffic monitoring of mobile gateway ${gateway.id}`);
    gateway.trafficMonitoring = null;
    touch(request.world, 'gateways', gateway.id);
    return {};
  },

  'GET /appliance/:id/mobilegateway/traffic_status'(request) {
    const gateway = gatewayOf(request);
    let [up, down] = [0, 0];
    for (const sim of simsOf(request.world, gateway)) {
      const { uplinkBytes, downlinkBytes } = trafficBetween(sim, monthStart(request.now), request.now);
      up += uplinkBytes;
      down += downlinkBytes;
    }
    const { trafficMonitoring: monitoring } = gateway;
    const over = monitoring?.autoTrafficShaping === true && up + down > monitoring.quotaMB * MEGABYTE_BYTES;
    return {
      body: { traffic_status: { uplink_bytes: String(up), downlink_bytes: String(down), traffic_shaping: over } },
    };
  },

  'GET /appliance/:id/mobilegateway/sims'(request) {
    const gateway = gatewayOf(request);
    const { From, Count } = parseBody(pageQuery, queryObject(request.query));
    const { pageLimit } = request.simulation.settings;
    const end = From + Math.min(Count || pageLimit, pageLimit);
    const page = simsOf(request.world, gateway).slice(From, end);
    const sim = page.map((one) => simStatus(one, request.now, { list: true, extended: request.extended }));
    return { body: { sim, Total: gateway.sims.size, From, Count: sim.length } };
  },

  'POST /appliance/:id/mobilegateway/sims'(request) {
    const gateway = availableGateway(request);
    const { resource_id } = parseBody(registerSimBody, request.body).sim;
    const sim = find(request.simulation, request.world, 'sims', resource_id);
    if (request.now < sim.createdAt + request.simulation.settings.stillCreatingMs) {
      throw conflict(`SIM ${sim.id} is still being created`, 'still_creating');
    }
    if (sim.gatewayID !== null) {
      throw conflict(`SIM ${sim.id} is registered to mobile gateway ${sim.gatewayID}`, 'res_already_connected');
    }
    registerSim(request.world, sim, gateway, request.now);
    return {};
  },

  'DELETE /appliance/:id/mobilegateway/sims/:id'(request) {
    const gateway = gatewayOf(request);
    const sim = registeredSim(request, gateway);
    if (sim.ip !== null) throw conflict(`SIM ${sim.id} has the address ${sim.ip}: IP must be deleted first`);
    unregisterSim(request.world, sim, request.now);
    return {};
  },

  'GET /appliance/:id/mobilegateway/sessionlog'(request) {
    const gateway = gatewayOf(request);
    const { Count } = parseBody(countQuery, queryObject(request.query));
    const count = Math.min(Count || DEFAULT_LOG_ENTRIES, request.simulation.settings.pageLimit);
    const logs = newestEvents(simsOf(request.world, gateway), request.now, count).map(sessionLogEntry);
    return { body: { logs, Count: logs.length } };
  },
};

function simsOf(world: World, gateway: Gateway): Sim[] {
  return [...gateway.sims].flatMap((id) => world.sims.get(id) ?? []);
}

/** The newest of all, however many SIMs there are: what is older than those already found is not made in the first place. */
function newestEvents(sims: readonly Sim[], now: number, count: number): SessionEvent[] {
  let events: SessionEvent[] = [];
  let since = Number.NEGATIVE_INFINITY;
  const cut = () => {
    events = events.sort((one, other) => other.at - one.at).slice(0, count);
    if (events.length === count) since = events.at(-1)?.at ?? since;
  };
  for (const sim of sims) {
    events.push(...sessionEvents(sim, now, count, since));
    if (events.length > 4 * count) cut();
  }
  cut();
  return events;
}

function registeredSim(request: ApiRequest, gateway: Gateway): Sim {
  const id = request.ids[1] ?? '';
  if (!gateway.sims.has(id)) throw notFound(`SIM ${id} on mobile gateway ${gateway.id}`);
  return find(request.simulation, request.world, 'sims', id);
}
