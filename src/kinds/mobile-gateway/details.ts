import type { Clock } from '../../clock.ts';
import type { CallOptions } from '../../cloud/client.ts';
import type { TrafficMonitoring } from '../../cloud/gateway/types.ts';
import { fetchWhole } from '../../cloud/list/fetch.ts';
import type { Pass } from '../../reconcile/kind.ts';
import type { GatewayDetails, Monitoring, RegisteredSim } from './facts.ts';
import type { MobileGateway } from './schema.ts';

const PAGE = 1000;
/** Traffic is read again after this long. Milliseconds. */
const TRAFFIC_FRESH = 15 * 60_000;

interface Known {
  readonly details: GatewayDetails;
  readonly readAt: number;
  readonly trafficAt: number;
}

/** Resolvers that the service does not show are sent again after so long. Milliseconds. */
export const RESEND_DNS = 3_600_000;

/** How many requests a reading takes, with up to a thousand SIMs on the gateway. */
export const gatewayDetailRequests = { Documented: 3, Extended: 4 } as const;

/**
 * Reads what the list of gateways doesn't show, and keeps it until its turn comes again or something was written. Of
 * resolvers, which the Documented dialect only takes, it keeps when they were sent, or first heard of.
 */
export function createDetailsReader(clock: Clock, resendMilliseconds = RESEND_DNS) {
  const byUID = new Map<string, Known>();
  const dnsAt = new Map<string, number>();

  async function read(pass: Pass<MobileGateway>, id: string, known: Known | undefined): Promise<Known> {
    const { session, object } = pass;
    const { zone } = object.spec;
    const { gateways } = session.client;
    const readAt = clock.monotonic();
    const call = pass.call(known && known.readAt > pass.notBefore ? 'audit' : 'verify');
    const simRoutes = await gateways.simRoutes(zone, id, call);
    const monitoring = await gateways.trafficMonitoring(zone, id, call);
    const dns = session.dialect === 'Extended' ? ((await gateways.dns(zone, id, call)) ?? 'unset') : undefined;
    const sims = await registeredSims(pass, id, call);
    const isOld = !known || readAt - known.trafficAt > TRAFFIC_FRESH;
    const traffic = isOld ? await gateways.trafficStatus(zone, id, pass.call('audit')) : known.details.traffic;
    return {
      readAt,
      trafficAt: isOld ? readAt : known.trafficAt,
      details: {
        simRoutes: simRoutes.map(({ prefix, resourceID }) => ({ prefix, resourceID })),
        trafficMonitoring: monitoring ? withoutSecret(monitoring, session.digest) : 'unset',
        dns,
        sims,
        traffic,
      },
    };
  }

  return {
    /** The details as they were at some moment after the last write. */
    async details(pass: Pass<MobileGateway>, id: string): Promise<GatewayDetails> {
      const { uid } = pass.object.metadata;
      const known = byUID.get(uid);
      if (known && known.readAt > pass.notBefore && !pass.thorough && !pass.deleting) return known.details;
      const current = await read(pass, id, known);
      byUID.set(uid, current);
      return current.details;
    },
    /** Whether the resolvers were sent so long ago that they may be others by now. */
    isDNSOld({ metadata: { uid } }: MobileGateway): boolean {
      const at = dnsAt.get(uid);
      if (at === undefined) dnsAt.set(uid, clock.monotonic());
      return at !== undefined && clock.monotonic() - at >= resendMilliseconds;
    },
    sentDNS: ({ metadata: { uid } }: MobileGateway): void => void dnsAt.set(uid, clock.monotonic()),
    drop(uid: string): void {
      byUID.delete(uid);
      dnsAt.delete(uid);
    },
  };
}

/** See {@link createDetailsReader}. */
export type DetailsReader = ReturnType<typeof createDetailsReader>;

/** The SIMs registered with the gateway now. */
export async function registeredSims(
  pass: Pass<MobileGateway>,
  id: string,
  call: CallOptions,
): Promise<RegisteredSim[]> {
  const { zone } = pass.object.spec;
  const found = await fetchWhole({
    route: 'GET /appliance/:id/mobilegateway/sims',
    fetchPage: (from) => pass.session.client.gateways.sims(zone, id, { from, count: PAGE }, call),
    idOf: ({ resourceID }) => resourceID,
  });
  return found.map(({ resourceID, iccid, ip, sessionStatus }) => ({
    id: resourceID,
    iccid: iccid || undefined,
    ip: ip || undefined,
    isUp: sessionStatus?.toUpperCase() === 'UP',
  }));
}

/** The webhook's URL lets anybody write into the chat: from here on there is only its digest. */
function withoutSecret(monitoring: TrafficMonitoring, digest: (value: string) => string): Monitoring {
  const { chatWebhookURL, bandwidthLimitKbps, ...rest } = monitoring;
  return {
    ...rest,
    ...(bandwidthLimitKbps !== undefined && { bandwidthLimitKbps }),
    ...(rest.chat && chatWebhookURL !== undefined && { chatWebhookDigest: digest(chatWebhookURL) }),
  };
}
