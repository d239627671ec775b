import type { DNSResolvers, Gateway, SimRoute, TrafficMonitoring } from '../../cloud/gateway/types.ts';
import type { Carrier, SimItem } from '../../cloud/sim/types.ts';
import type { Certificates, Site, SiteDetail } from '../../cloud/site/types.ts';

/** What is known of one account at the service; what no list shows only of what was asked for. All by ID. */
export interface Picture {
  readonly sims: Map<string, SimItem>;
  readonly carriers: Map<string, readonly Carrier[]>;
  readonly gateways: Map<string, Gateway & { readonly zone: string }>;
  readonly simRoutes: Map<string, readonly SimRoute[]>;
  /** Null: none is set. */
  readonly trafficMonitoring: Map<string, TrafficMonitoring | null>;
  readonly dns: Map<string, DNSResolvers | null>;
  readonly sites: Map<string, Site>;
  readonly siteDetails: Map<string, SiteDetail>;
  readonly accessControl: Map<string, readonly string[]>;
  readonly certificates: Map<string, Certificates>;
  /** IMEIs to which SIMs are locked, where a resource wrote them and the service does not show them. */
  readonly imeiLocks: Map<string, string>;
  /** Sites for which a resource wrote a secret of one-time URLs, and the service does not show whether there is one. */
  readonly oneTimeURLSecrets: Set<string>;
}

export function emptyPicture(): Picture {
  return {
    sims: new Map(),
    carriers: new Map(),
    gateways: new Map(),
    simRoutes: new Map(),
    trafficMonitoring: new Map(),
    dns: new Map(),
    sites: new Map(),
    siteDetails: new Map(),
    accessControl: new Map(),
    certificates: new Map(),
    imeiLocks: new Map(),
    oneTimeURLSecrets: new Set(),
  };
}

/** What of an account was listed: of that, what a list does not show is not there. */
export interface Listed {
  readonly sims: boolean;
  readonly sites: boolean;
  /** The zones of which all gateways were listed. */
  readonly zones: ReadonlySet<string>;
}

/** Two pictures of the same account in one; where both know something, what `newer` has. Pure. */
export function merged(older: Picture, newer: Picture, listed: Listed): Picture {
  const unlisted = [...older.gateways].filter(([, { zone }]) => !listed.zones.has(zone));
  return {
    sims: listed.sims ? newer.sims : both(older.sims, newer.sims),
    carriers: both(older.carriers, newer.carriers),
    gateways: both(new Map(unlisted), newer.gateways),
    simRoutes: both(older.simRoutes, newer.simRoutes),
    trafficMonitoring: both(older.trafficMonitoring, newer.trafficMonitoring),
    dns: both(older.dns, newer.dns),
    sites: listed.sites ? newer.sites : both(older.sites, newer.sites),
    siteDetails: bothDetails(older.siteDetails, newer.siteDetails),
    accessControl: both(older.accessControl, newer.accessControl),
    certificates: both(older.certificates, newer.certificates),
    imeiLocks: both(older.imeiLocks, newer.imeiLocks),
    oneTimeURLSecrets: new Set([...older.oneTimeURLSecrets, ...newer.oneTimeURLSecrets]),
  };
}

/** What an account of the one dialect does not show, one of the other may have shown to the resource. */
function bothDetails(older: Picture['siteDetails'], newer: Picture['siteDetails']): Picture['siteDetails'] {
  const kept = [...newer].map(([id, detail]): [string, SiteDetail] => {
    const hasOneTimeURLSecret = detail.hasOneTimeURLSecret ?? older.get(id)?.hasOneTimeURLSecret;
    return [id, { ...detail, ...(hasOneTimeURLSecret !== undefined && { hasOneTimeURLSecret }) }];
  });
  return both(older, new Map(kept));
}

function both<T>(older: ReadonlyMap<string, T>, newer: ReadonlyMap<string, T>): Map<string, T> {
  return new Map([...older, ...newer]);
}
