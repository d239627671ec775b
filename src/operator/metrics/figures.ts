import type { Gateway } from '../../cloud/gateway/types.ts';
import { isSameDevice } from '../../cloud/sim/same.ts';
import { hasSession } from '../../cloud/sim/session.ts';
import type { SimItem } from '../../cloud/sim/types.ts';
import type { Site, SiteUsage } from '../../cloud/site/types.ts';
import type { GatewayDetails } from '../../kinds/mobile-gateway/facts.ts';
import { isUp } from '../../kinds/mobile-gateway/status.ts';
import type { Sim } from '../../kinds/sim/schema.ts';
import { amount } from './amount.ts';
import type { FiguresOf } from './fleet.ts';

/** `quotaMB` in bytes: the service does not say which megabyte it means, and with the smaller one the alert comes sooner. */
const MEGABYTE_BYTES = 1_000_000;

/** What the list shows of a SIM; undefined: another SIM has the ID. Pure. */
export function simFigures({ spec }: Sim, { iccid, status }: SimItem): FiguresOf<'sim'> | undefined {
  if ((iccid || (status?.iccid ?? '')) !== spec.iccid) return undefined;
  const locked = status?.imeiLock ? (spec.imeiLock ?? status.imei) : undefined;
  const connected = status?.connectedIMEI;
  const isOther = Boolean(locked && connected && !isSameDevice(locked, connected));
  return {
    session_up: flag(status && hasSession(status) === true),
    activated: flag(status?.activated),
    imei_mismatch: flag(status && isOther),
    month_uplink_bytes: amount(status?.traffic?.uplinkBytes),
    month_downlink_bytes: amount(status?.traffic?.downlinkBytes),
  };
}

/** What the list shows of a gateway, and what was read of it of late. Pure. */
export function gatewayFigures(gateway: Gateway, details: GatewayDetails | undefined): FiguresOf<'gateway'> {
  const { traffic, sims, trafficMonitoring: monitoring } = details ?? {};
  const quota = (monitoring && monitoring !== 'unset' && amount(monitoring.quotaMB * MEGABYTE_BYTES)) || 0;
  const uplink = amount(traffic?.uplinkBytes);
  const downlink = amount(traffic?.downlinkBytes);
  return {
    up: flag(isUp(gateway)),
    registered_sims: sims?.length,
    month_uplink_bytes: uplink,
    month_downlink_bytes: downlink,
    shaping: flag(traffic?.trafficShaping),
    month_quota_ratio:
      uplink !== undefined && downlink !== undefined && quota > 0 ? (uplink + downlink) / quota : undefined,
  };
}

/** What the list shows of a site, and its usage; without an entry nobody visited it. Pure. */
export function siteFigures(site: Site, usage: ReadonlyMap<string, SiteUsage> | undefined): FiguresOf<'site'> {
  const own = usage?.get(site.id);
  const used = (of: (usage: SiteUsage) => number) => usage && (own ? amount(of(own)) : 0);
  return {
    enabled: flag(site.status === 'enabled'),
    month_accesses: used(({ accessCount }) => accessCount),
    month_sent_bytes: used(({ bytesSent }) => bytesSent),
    month_cache_miss_sent_bytes: used(({ cacheMissBytesSent }) => cacheMissBytesSent),
    // Of no requests there is no part.
    month_cache_hit_ratio:
      own && own.accessCount > 0 && own.cacheHitRatioPercent <= 100
        ? amount(own.cacheHitRatioPercent / 100)
        : undefined,
    month_price: used(({ price }) => price),
  };
}

function flag(value: boolean | undefined): number | undefined {
  return value === undefined ? undefined : Number(value);
}
