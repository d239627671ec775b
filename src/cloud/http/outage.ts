import type { Api } from '../limiter/lanes.ts';

/**
 * Tells a service that is unavailable, as during maintenance, from one operation or one object that is broken. Both answer
 * 503 with the time to come back; what is broken alone says nothing of all the rest of the account, or of other tenants in it.
 */
export interface Outage {
  /** One was refused until later. Gives whether the whole API is taken for unavailable until then. */
  refused(api: Api, route: string): boolean;
  /** The service did what was asked, or said why it does not. */
  answered(api: Api): void;
}

/** So many in a row, of so many operations at least. */
const IN_A_ROW = 3;
const ROUTES = 2;

export function createOutage(): Outage {
  /** What was refused since the last answer. */
  const byAPI = { cloud: { count: 0, routes: new Set<string>() }, webaccel: { count: 0, routes: new Set<string>() } };
  return {
    refused(api, route) {
      const since = byAPI[api];
      since.count++;
      if (since.routes.size < ROUTES) since.routes.add(route);
      return since.count >= IN_A_ROW && since.routes.size === ROUTES;
    },
    answered(api) {
      const since = byAPI[api];
      since.count = 0;
      since.routes.clear();
    },
  };
}
