import type { SimItem, SimStatus } from '../../../src/cloud/sim/types.ts';
import type { SiteDetail } from '../../../src/cloud/site/types.ts';
import type { SeenGateway, SeenSim, SeenSite } from '../../../src/export/picture.ts';

/** A SIM that is active and on no gateway. */
export function sim(id: string, item: Partial<SimItem> = {}, status: Partial<SimStatus> = {}): SeenSim {
  return {
    item: {
      id,
      name: `truck-${id}`,
      iccid: `8981040000000${id}`,
      availability: 'available',
      tags: [],
      status: {
        iccid: `8981040000000${id}`,
        imsi: [],
        imeiLock: false,
        registered: false,
        activated: true,
        resourceID: id,
        ...status,
      },
      ...item,
    },
  };
}

/** A gateway with nothing set, and these SIMs on it. */
export function gateway(
  id: string,
  more: Partial<SeenGateway['gateway']> = {},
  reading: Partial<NonNullable<SeenGateway['reading']>> = {},
): SeenGateway {
  return {
    zone: 'is1b',
    gateway: { id, name: `depot-${id}`, availability: 'available', interfaces: [], tags: [], ...more },
    reading: { simRoutes: [], trafficMonitoring: undefined, sims: [], dns: undefined, ...reading },
  };
}

/** What a gateway says of a SIM on it. */
export function onGateway({ item }: SeenSim): SimStatus {
  if (!item.status) throw new Error('the SIM has no status');
  return item.status;
}

/** A site with a web server as origin, and all else as it is at first. */
export function site(id: string, detail: Partial<SiteDetail> = {}, accessControl: readonly string[] = []): SeenSite {
  const whole: SiteDetail = {
    id,
    name: `www-${id}`,
    domainType: 'own_domain',
    domain: `www${id}.example.jp`,
    asciiDomain: `www${id}.example.jp`,
    subdomain: `${id}.user.example.jp`,
    status: 'enabled',
    hasCertificate: false,
    hasOldCertificate: false,
    requestProtocol: 0,
    originType: 0,
    originProtocol: 'http',
    origin: 'origin.example.jp',
    normalizeAE: 1,
    corsRules: [],
    defaultCacheTTL: 0,
    varySupport: false,
    hasOneTimeURLSecret: false,
    hasOriginGuardToken: false,
    hasNextOriginGuardToken: false,
    ...detail,
  };
  return { site: whole, detail: whole, accessControl };
}
