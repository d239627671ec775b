import type { GatewayReading, ZonedGateway } from '../cli/service/reads.ts';
import type { Carrier, SimItem } from '../cloud/sim/types.ts';
import type { Site, SiteDetail } from '../cloud/site/types.ts';

/** A SIM as the list shows it, with its carriers where they were read. */
export interface SeenSim {
  readonly item: SimItem;
  readonly carriers?: readonly Carrier[] | undefined;
}

/** A gateway as the list of its zone shows it, with what no list shows where that was read. */
export interface SeenGateway extends ZonedGateway {
  readonly reading?: GatewayReading | undefined;
}

/** A site as the list shows it, with its settings and rules where they were read. */
export interface SeenSite {
  readonly site: Site;
  readonly detail?: SiteDetail | undefined;
  readonly accessControl?: readonly string[] | undefined;
}

/** What an account has at one time, as far as it was looked at. */
export interface Picture {
  readonly sims: readonly SeenSim[];
  readonly gateways: readonly SeenGateway[];
  readonly sites: readonly SeenSite[];
}
