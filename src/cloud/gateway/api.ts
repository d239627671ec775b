import { CloudError } from '../errors.ts';
import type { Caller } from '../http/caller.ts';
import type { CallOptions } from '../limiter/lanes.ts';
import { defined, type Page, pageOf } from '../list/page.ts';
import { toSimStatus } from '../sim/mapping.ts';
import { type SessionLogEntry, sessionLogOf } from '../sim/session-log.ts';
import type { SimStatus } from '../sim/types.ts';
import { sessionLogWire } from '../sim/wire.ts';
import { reader } from '../wire/read.ts';
import { fromSettings, fromTrafficMonitoring, toGateway, toTrafficMonitoring } from './mapping.ts';
import type { DNSResolvers, Gateway, GatewaySettings, SimRoute, TrafficMonitoring, TrafficStatus } from './types.ts';
import {
  dnsWire,
  gatewayAnswerWire,
  gatewayListWire,
  gatewaySimsWire,
  simRoutesWire,
  trafficMonitoringWire,
  trafficStatusWire,
} from './wire.ts';

/**
 * Mobile gateway operations (`api.md`, Mobile gateway operations), each in the gateway's own zone. All throw CloudError;
 * those marked Extended throw NotInDialectError in the Documented dialect.
 */
export interface GatewayApi {
  list(zone: string, query: { from: number; count: number }, o: CallOptions): Promise<Page<Gateway>>;
  read(zone: string, id: string, o: CallOptions): Promise<Gateway>;
  /** Answers at once, long before the gateway is `available`. */
  create(
    zone: string,
    gateway: { name: string; planID: number; description?: string | undefined; tags?: readonly string[] | undefined },
    o: CallOptions,
  ): Promise<Gateway>;
  /** Sends the members given. The service may replace all settings: give those that are to stay, too. */
  updateSettings(zone: string, id: string, settings: GatewaySettings, o: CallOptions): Promise<Gateway>;
  /** Applies the settings last sent. */
  config(zone: string, id: string, o: CallOptions): Promise<void>;
  delete(zone: string, id: string, o: CallOptions): Promise<void>;
  /** Extended. Undefined when unset. */
  dns(zone: string, id: string, o: CallOptions): Promise<DNSResolvers | undefined>;
  setDNS(zone: string, id: string, dns: DNSResolvers, o: CallOptions): Promise<void>;
  simRoutes(zone: string, id: string, o: CallOptions): Promise<SimRoute[]>;
  /** Replaces all routes. A Conflict before the gateway's first config. */
  setSimRoutes(
    zone: string,
    id: string,
    routes: readonly { resourceID: string; prefix: string }[],
    o: CallOptions,
  ): Promise<void>;
  /** Undefined when unset. */
  trafficMonitoring(zone: string, id: string, o: CallOptions): Promise<TrafficMonitoring | undefined>;
  setTrafficMonitoring(zone: string, id: string, monitoring: TrafficMonitoring, o: CallOptions): Promise<void>;
  deleteTrafficMonitoring(zone: string, id: string, o: CallOptions): Promise<void>;
  trafficStatus(zone: string, id: string, o: CallOptions): Promise<TrafficStatus>;
  /** The SIMs registered to the gateway, with their IPs. */
  sims(zone: string, id: string, query: { from: number; count: number }, o: CallOptions): Promise<Page<SimStatus>>;
  registerSim(zone: string, id: string, simID: string, o: CallOptions): Promise<void>;
  /** The SIM must not have an IP. */
  unregisterSim(zone: string, id: string, simID: string, o: CallOptions): Promise<void>;
  sessionLog(zone: string, id: string, q: { count?: number | undefined }, o: CallOptions): Promise<SessionLogEntry[]>;
  /** Extended. */
  boot(zone: string, id: string, o: CallOptions): Promise<void>;
  /** Extended. Gracefully unless forced. */
  stop(zone: string, id: string, q: { force?: boolean | undefined }, o: CallOptions): Promise<void>;
  /** Extended. */
  reset(zone: string, id: string, o: CallOptions): Promise<void>;
  /** Extended. Connects the private interface. */
  connectSwitch(zone: string, id: string, switchID: string, o: CallOptions): Promise<void>;
  /** Extended. */
  disconnectSwitch(zone: string, id: string, o: CallOptions): Promise<void>;
}

const gatewayAnswer = reader(gatewayAnswerWire, (wire) => toGateway(wire.Appliance));
const gatewayList = reader(gatewayListWire, (wire) => wire);
const dnsAnswer = reader(dnsWire, ({ sim_group: group }) =>
  group?.dns_1 === undefined ? undefined : { primary: group.dns_1, secondary: group.dns_2 ?? '' },
);
const routesAnswer = reader(simRoutesWire, (wire) =>
  wire.sim_routes.map((route) =>
    defined({ resourceID: route.resource_id, prefix: route.prefix ?? '', iccid: route.iccid }),
  ),
);
const monitoringAnswer = reader(trafficMonitoringWire, toTrafficMonitoring);
const trafficAnswer = reader(trafficStatusWire, ({ traffic_status: status }) => ({
  uplinkBytes: status?.uplink_bytes ?? 0,
  downlinkBytes: status?.downlink_bytes ?? 0,
  trafficShaping: status?.traffic_shaping ?? false,
}));
const simsAnswer = reader(gatewaySimsWire, (wire) => wire);
const logAnswer = reader(sessionLogWire, sessionLogOf);

export function createGatewayApi(caller: Caller): GatewayApi {
  const item = '/appliance/:id';
  const on = (zone: string, route: string, id: string) => ({ api: 'cloud', zone, route, params: { id } }) as const;

  return {
    async list(zone, { from, count }, o) {
      const query = {
        From: from,
        Count: count,
        Sort: ['ID'],
        Filter: { [caller.dialect.applianceClassFilter]: 'mobilegateway' },
      };
      const call = { api: 'cloud', zone, route: 'GET /appliance', query, answers: 'list' } as const;
      const wire = await caller.read(call, gatewayList, o);
      return pageOf(wire, from, wire.Appliances.map(toGateway));
    },
    read: (zone, id, o) => caller.read(on(zone, `GET ${item}`, id), gatewayAnswer, o),
    create(zone, { name, planID, description, tags }, o) {
      const appliance = {
        Name: name,
        Class: 'mobilegateway',
        ...defined({ Description: description, Tags: tags }),
        Plan: { ID: planID },
        Remark: { Servers: [{}], Switch: { Scope: 'shared' } },
      };
      return caller.read(
        { api: 'cloud', zone, route: 'POST /appliance', body: { Appliance: appliance } },
        gatewayAnswer,
        o,
      );
    },
    updateSettings(zone, id, settings, o) {
      const body = { Appliance: { Settings: { MobileGateway: fromSettings(settings) } } };
      return caller.read({ ...on(zone, `PUT ${item}`, id), body }, gatewayAnswer, o);
    },
    config: (zone, id, o) => caller.perform(on(zone, `PUT ${item}/config`, id), o),
    // What has the ID when it is sent again may be another.
    delete: (zone, id, o) => caller.perform({ ...on(zone, `DELETE ${item}`, id), idempotent: false }, o),
    dns: (zone, id, o) =>
      caller.read({ ...on(zone, `GET ${item}/mobilegateway/dnsresolver`, id), extension: true }, dnsAnswer, o),
    setDNS(zone, id, { primary, secondary }, o) {
      const body = { sim_group: { dns_1: primary, dns_2: secondary } };
      return caller.perform({ ...on(zone, `PUT ${item}/mobilegateway/dnsresolver`, id), body }, o);
    },
    simRoutes: (zone, id, o) =>
      caller.read({ ...on(zone, `GET ${item}/mobilegateway/simroutes`, id), answers: 'list' }, routesAnswer, o),
    setSimRoutes(zone, id, routes, o) {
      const body = { sim_routes: routes.map(({ resourceID, prefix }) => ({ resource_id: resourceID, prefix })) };
      return caller.perform({ ...on(zone, `PUT ${item}/mobilegateway/simroutes`, id), body }, o);
    },
    async trafficMonitoring(zone, id, o) {
      try {
        return await caller.read(on(zone, `GET ${item}/mobilegateway/traffic_monitoring`, id), monitoringAnswer, o);
      } catch (error) {
        // Unset is a 404 here, and so is a gateway that is gone: only a read of the gateway tells the two apart.
        if (error instanceof CloudError && error.class === 'NotFound') return undefined;
        throw error;
      }
    },
    setTrafficMonitoring(zone, id, monitoring, o) {
      const body = { traffic_monitoring_config: fromTrafficMonitoring(monitoring, caller.dialect) };
      const secrets = [monitoring.chatWebhookURL];
      return caller.perform({ ...on(zone, `PUT ${item}/mobilegateway/traffic_monitoring`, id), body, secrets }, o);
    },
    deleteTrafficMonitoring: (zone, id, o) =>
      caller.perform(on(zone, `DELETE ${item}/mobilegateway/traffic_monitoring`, id), o),
    trafficStatus: (zone, id, o) =>
      caller.read(on(zone, `GET ${item}/mobilegateway/traffic_status`, id), trafficAnswer, o),
    async sims(zone, id, { from, count }, o) {
      const query = { From: from, Count: count };
      const call = { ...on(zone, `GET ${item}/mobilegateway/sims`, id), query, answers: 'list' } as const;
      const wire = await caller.read(call, simsAnswer, o);
      return pageOf(
        wire,
        from,
        wire.sim.map((sim) => toSimStatus(sim)),
      );
    },
    registerSim(zone, id, simID, o) {
      const body = { sim: { resource_id: simID } };
      return caller.perform({ ...on(zone, `POST ${item}/mobilegateway/sims`, id), body }, o);
    },
    unregisterSim(zone, id, simID, o) {
      const route = `DELETE ${item}/mobilegateway/sims/:simID`;
      return caller.perform({ api: 'cloud', zone, route, params: { id, simID } }, o);
    },
    sessionLog(zone, id, { count }, o) {
      const query = count === undefined ? {} : { query: { Count: count } };
      return caller.read(
        { ...on(zone, `GET ${item}/mobilegateway/sessionlog`, id), ...query, answers: 'list' },
        logAnswer,
        o,
      );
    },
    boot: (zone, id, o) => caller.perform({ ...on(zone, `PUT ${item}/power`, id), extension: true }, o),
    stop(zone, id, { force }, o) {
      const body = force ? { Force: true } : {};
      return caller.perform({ ...on(zone, `DELETE ${item}/power`, id), body, extension: true }, o);
    },
    reset: (zone, id, o) =>
      caller.perform({ ...on(zone, `PUT ${item}/reset`, id), idempotent: false, extension: true }, o),
    connectSwitch(zone, id, switchID, o) {
      const route = `PUT ${item}/interface/1/to/switch/:switchID`;
      return caller.perform({ api: 'cloud', zone, route, params: { id, switchID }, extension: true }, o);
    },
    disconnectSwitch: (zone, id, o) =>
      caller.perform({ ...on(zone, `DELETE ${item}/interface/1/to/switch`, id), extension: true }, o),
  };
}
