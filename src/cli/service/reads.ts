import type { CloudClient } from '../../cloud/client.ts';
import type { DialectName } from '../../cloud/dialect.ts';
import { NotFoundError, ThrottledError } from '../../cloud/errors.ts';
import type { DNSResolvers, Gateway, SimRoute, TrafficMonitoring } from '../../cloud/gateway/types.ts';
import type { CallOptions } from '../../cloud/limiter/lanes.ts';
import { fetchWhole } from '../../cloud/list/fetch.ts';
import type { Carrier, SimItem, SimStatus } from '../../cloud/sim/types.ts';
import type { Certificates, LogUpload, Site, SiteDetail } from '../../cloud/site/types.ts';
import { zones } from '../../cloud/zones.ts';
import { isUnknownZone } from '../../kinds/mobile-gateway/unknown-zone.ts';

/** What no list shows of a gateway. */
export interface GatewayReading {
  readonly simRoutes: readonly SimRoute[];
  /** Undefined: there is none. Its webhook is a secret. */
  readonly trafficMonitoring: TrafficMonitoring | undefined;
  readonly sims: readonly SimStatus[];
  /** Extended only. */
  readonly dns: DNSResolvers | undefined;
}

/** A gateway and where it is. */
export interface ZonedGateway {
  readonly zone: string;
  readonly gateway: Gateway;
}

/** What an account has, read whole; each may throw any CloudError, HourRefused and ServicePaused. */
export interface ServiceReads {
  sims(): Promise<SimItem[]>;
  carriers(simID: string): Promise<Carrier[]>;
  /** Of these zones, or of all that there are; a zone that the service does not know has none. */
  gateways(zones?: readonly string[]): Promise<ZonedGateway[]>;
  /** Three requests, and one more in the Extended dialect. */
  gateway(zone: string, id: string, dialect: DialectName): Promise<GatewayReading>;
  /** One request of web acceleration's hour. `missing`: so many sites the service does not list. */
  sites(): Promise<{ readonly sites: Site[]; readonly missing: number }>;
  /** The same; undefined where there is no such site. */
  site(id: string): Promise<SiteDetail | undefined>;
  /** The same. */
  acl(id: string): Promise<string[]>;
  /** The same. */
  certificates(id: string): Promise<Certificates>;
  /** The same; Extended only. */
  logUpload(id: string): Promise<LogUpload | undefined>;
}

const PAGE_SIZE = 1000;
/** So many times a read is sent that the service had no time for. */
const TRIES = 3;

export function createReads({ sims, gateways, sites }: CloudClient): ServiceReads {
  const call: CallOptions = { lane: 'list' };

  return {
    sims: () =>
      fetchWhole({
        route: 'GET /commonserviceitem',
        fetchPage: (from) => patiently(() => sims.list({ from, count: PAGE_SIZE }, call)),
        idOf: ({ id }) => id,
      }),
    carriers: (simID) => patiently(() => sims.carriers(simID, call)),

    async gateways(wanted = zones) {
      const found: ZonedGateway[] = [];
      for (const zone of wanted) {
        const all = await fetchWhole({
          route: 'GET /appliance',
          fetchPage: (from) => patiently(() => gateways.list(zone, { from, count: PAGE_SIZE }, call)),
          idOf: ({ id }) => id,
        }).catch((error: unknown) => {
          if (isUnknownZone(error, zone)) return [];
          throw error;
        });
        found.push(...all.map((gateway) => ({ zone, gateway })));
      }
      return found;
    },

    async gateway(zone, id, dialect) {
      const simRoutes = await patiently(() => gateways.simRoutes(zone, id, call));
      const trafficMonitoring = await patiently(() => gateways.trafficMonitoring(zone, id, call));
      const registered = await fetchWhole({
        route: 'GET /appliance/:id/mobilegateway/sims',
        fetchPage: (from) => patiently(() => gateways.sims(zone, id, { from, count: PAGE_SIZE }, call)),
        idOf: ({ resourceID }) => resourceID,
      });
      const dns = dialect === 'Extended' ? await patiently(() => gateways.dns(zone, id, call)) : undefined;
      return { simRoutes, trafficMonitoring, sims: registered, dns };
    },

    async sites() {
      const { items, total } = await sites.list(call);
      return { sites: items, missing: Math.max(0, (total ?? 0) - items.length) };
    },
    site: (id) => sites.read(id, call).catch(undefinedIfMissing),
    acl: (id) => sites.acl(id, call),
    certificates: (id) => sites.certificate(id, {}, call),
    logUpload: (id) => sites.logUpload(id, call),
  };
}

/** The limiter keeps the next try waiting for as long as the service asked for, or refuses it. */
async function patiently<T>(read: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await read();
    } catch (error) {
      if (!(error instanceof ThrottledError) || tries === TRIES) throw error;
    }
  }
}

function undefinedIfMissing(error: unknown): undefined {
  if (error instanceof NotFoundError) return undefined;
  throw error;
}
