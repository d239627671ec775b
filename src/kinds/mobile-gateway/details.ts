import { isDeepStrictEqual } from 'node:util';
import type { Clock } from '../../clock.ts';
import type { CallOptions } from '../../cloud/client.ts';
import { NotFoundError } from '../../cloud/errors.ts';
import type { DNSResolvers, Gateway, SimRoute, TrafficMonitoring } from '../../cloud/gateway/types.ts';
import { fetchWhole } from '../../cloud/list/fetch.ts';
import { hasSession } from '../../cloud/sim/session.ts';
import type { Pass } from '../../reconcile/kind.ts';
import { createKnowledge, type Known } from '../../reconcile/knowledge.ts';
import { lookLane } from '../../reconcile/object-state.ts';
import { digestOfSecret, type Sealer } from '../../reconcile/seal.ts';
import { isDecidedBy, leaveOut } from '../common/told.ts';
import type { SettingsInEffect } from './effect.ts';
import type { GatewayDetails, Monitoring, RegisteredSim, ResolvedRoute } from './facts.ts';
import type { MobileGateway } from './schema.ts';
import type { GatewayApplied } from './status-schema.ts';

const PAGE_SIZE = 1000;
/** Traffic is read again after this long. Milliseconds. */
const TRAFFIC_FRESH_MILLISECONDS = 15 * 60_000;

interface Reading {
  readonly details: GatewayDetails;
  /** Monotonic milliseconds. */
  readonly trafficAt: number;
}

/** Resolvers that the service does not show are sent again after so long. Milliseconds. */
export const RESEND_DNS_MILLISECONDS = 3_600_000;

/** What was read of a gateway is good for settings that are sent so soon after. Milliseconds. */
const READ_MILLISECONDS = 5000;

/** How many requests a reading takes, with up to a thousand SIMs on the gateway. */
export const gatewayDetailRequests = { Documented: 3, Extended: 4 } as const;

/**
 * Reads what the list of gateways doesn't show, and keeps it until its turn comes again or something was written. Of
 * resolvers, which the Documented dialect only takes, it keeps when they were sent, or first heard of.
 */
export function createDetailsReader(
  clock: Clock,
  inEffect: SettingsInEffect,
  resendMilliseconds = RESEND_DNS_MILLISECONDS,
) {
  const readings = createKnowledge<MobileGateway, Reading>(clock, () => undefined);
  const resolvers = createKnowledge<MobileGateway, 'sent'>(clock, () => undefined);

  /** What is to be read right before its settings are sent, and when that was done, in monotonic milliseconds. By UID. */
  const wanted = new Set<string>();
  const readAt = new Map<string, number>();

  async function read(pass: Pass<MobileGateway>, id: string, known: Known<Reading> | undefined): Promise<Reading> {
    const { session, object } = pass;
    const { zone } = object.spec;
    const { gateways } = session.client;
    const now = clock.monotonic();
    const call = pass.call(known && known.at > pass.notBefore ? lookLane(object) : 'verify');
    const unless = (field: Detail) => (error: unknown) => {
      if (isNeeded(pass, field)) throw error;
      return leaveOut(error);
    };
    const readRoutes = () => gateways.simRoutes(zone, id, call);
    const simRoutes = await readRoutes().catch(unless('simRoutes'));
    const monitoring = await readMonitoring(pass, id, call).catch(unless('trafficMonitoring'));
    const dns = session.dialect === 'Extended' ? await readDNS(pass, id, call).catch(unless('dns')) : undefined;
    const sims = await simsOn(pass, id, call).catch(unless('sims'));
    const routes =
      simRoutes && sims ? await withoutLeft(simRoutes, sims, readRoutes).catch(unless('simRoutes')) : simRoutes;
    const isOld = !known || now - known.value.trafficAt > TRAFFIC_FRESH_MILLISECONDS;
    const traffic = isOld
      ? await gateways.trafficStatus(zone, id, pass.call(lookLane(object))).catch(leaveOut)
      : known.value.details.traffic;
    return {
      trafficAt: isOld ? now : known.value.trafficAt,
      details: {
        simRoutes: routes && eachOnce(routes),
        trafficMonitoring: monitoring,
        dns,
        sims,
        traffic,
      },
    };
  }

  return {
    inEffect,
    /** The details as they were at some moment after the last write, read anew where those known are `isOutdated`. */
    async details(
      pass: Pass<MobileGateway>,
      id: string,
      isOutdated: (details: GatewayDetails) => boolean,
    ): Promise<GatewayDetails> {
      const known = readings.known(pass.object, id);
      const isRecent = known !== undefined && known.at > pass.notBefore && known.at >= pass.takenAt;
      const isEnough = isRecent && !pass.thorough && !pass.deleting && !isOutdated(known.value.details);
      if (isEnough && !isLacking(pass, known.value.details)) return known.value.details;
      const at = clock.monotonic();
      const value = await read(pass, id, known);
      readings.learn(pass.object, id, { source: 'read', value, at });
      return value.details;
    },
    /** What was read last, and when, in monotonic milliseconds; undefined before the first reading, or when something was written since. */
    last(gateway: MobileGateway, id: string): { details: GatewayDetails; at: number; trafficAt: number } | undefined {
      const known = readings.known(gateway, id);
      return known && { ...known.value, at: known.at };
    },
    /** Whether the resolvers were sent so long ago that they may be others by now. */
    isDNSOld(gateway: MobileGateway, id: string): boolean {
      const known = resolvers.known(gateway, id);
      if (!known) resolvers.learn(gateway, id, { source: 'read', value: 'sent' });
      return known !== undefined && clock.monotonic() - known.at >= resendMilliseconds;
    },
    /** Others may have arrived since: they are sent again. */
    doubtDNS: (gateway: MobileGateway, id: string): void =>
      resolvers.learn(gateway, id, { source: 'read', value: 'sent', at: Number.NEGATIVE_INFINITY }),
    sentDNS: (gateway: MobileGateway, id: string): void =>
      resolvers.learn(gateway, id, { source: 'answered', value: 'sent' }),
    /**
     * Whether the gateway is to be read before its settings are sent. They are sent whole, those with them that no spec names:
     * what somebody has changed of these since the last list would be put back.
     */
    isListOld({ metadata: { uid } }: MobileGateway): boolean {
      const at = readAt.get(uid);
      if (at !== undefined && clock.monotonic() - at <= READ_MILLISECONDS) return false;
      wanted.add(uid);
      return true;
    },
    /** The gateway as it is, where that was asked for; else as the list has it. */
    async current(pass: Pass<MobileGateway>, listed: Gateway): Promise<Gateway> {
      const { uid } = pass.object.metadata;
      if (!wanted.delete(uid)) return listed;
      readAt.set(uid, clock.monotonic());
      const { gateways } = pass.session.client;
      return gateways.read(pass.object.spec.zone, listed.id, pass.call('verify')).catch((error: unknown) => {
        // What the list still shows is dealt with when that does not.
        if (error instanceof NotFoundError) return listed;
        throw error;
      });
    },
    drop(uid: string): void {
      wanted.delete(uid);
      readAt.delete(uid);
      readings.drop(uid);
      resolvers.drop(uid);
    },
  };
}

/** What no list shows, and something may be decided by. */
type Detail = keyof Omit<GatewayDetails, 'traffic'>;

/** Whether the gateway can't go on without it. A deletion takes SIMs and routes off, and nothing else; routes lead to SIMs. */
function isNeeded(pass: Pass<MobileGateway>, detail: Detail): boolean {
  const field = (detail === 'sims' ? 'simRoutes' : detail) satisfies keyof GatewayApplied;
  return pass.deleting ? field === 'simRoutes' : isDecidedBy(field, pass);
}

/** Whether what could not be read, and was only told then, is needed by now. */
function isLacking(pass: Pass<MobileGateway>, details: GatewayDetails): boolean {
  const shown: readonly Detail[] = [
    'sims',
    'simRoutes',
    'trafficMonitoring',
    ...(pass.session.dialect === 'Extended' ? (['dns'] as const) : []),
  ];
  return shown.some((field) => details[field] === undefined && isNeeded(pass, field));
}

async function readMonitoring(
  { object, session }: Pass<MobileGateway>,
  id: string,
  call: CallOptions,
): Promise<Monitoring | 'unset'> {
  const monitoring = await session.client.gateways.trafficMonitoring(object.spec.zone, id, call);
  return monitoring ? withoutSecret(monitoring, session) : 'unset';
}

async function readDNS(
  { object, session }: Pass<MobileGateway>,
  id: string,
  call: CallOptions,
): Promise<DNSResolvers | 'unset'> {
  return (await session.client.gateways.dns(object.spec.zone, id, call)) ?? 'unset';
}

/** A list that shows one twice, as while it is moved, is no drift. */
function eachOnce(routes: readonly SimRoute[]): ResolvedRoute[] {
  const shown = routes.map(({ prefix, resourceID }) => [`${prefix} ${resourceID}`, { prefix, resourceID }] as const);
  return [...new Map(shown).values()];
}

/**
 * The routes, read before the SIMs, as they were when those were read. The service takes a SIM's routes away with the SIM,
 * so one that left in between would have routes that are there no more, and the gateway a call that changes nothing.
 */
async function withoutLeft(
  routes: readonly SimRoute[],
  sims: readonly RegisteredSim[],
  readAgain: () => Promise<readonly SimRoute[]>,
): Promise<readonly SimRoute[]> {
  const isHere = ({ resourceID }: SimRoute) => sims.some((sim) => sim.id === resourceID);
  if (routes.every(isHere)) return routes;
  const left = await readAgain();
  return routes.filter((route) => isHere(route) || left.some((one) => isDeepStrictEqual(one, route)));
}

/** See {@link createDetailsReader}. */
export type DetailsReader = ReturnType<typeof createDetailsReader>;

/**
 * The SIMs on the gateway, for the plan. Before it is taken out of service for good they are asked for twice: one list may
 * lack a SIM, which would go offline with it.
 */
export async function simsOn(pass: Pass<MobileGateway>, id: string, call: CallOptions): Promise<RegisteredSim[]> {
  const sims = await registeredSims(pass, id, call);
  // One that it shows is reason enough to wait.
  return pass.deleting && sims.length === 0 ? registeredSims(pass, id, call) : sims;
}

/** The SIMs registered with the gateway now. */
export async function registeredSims(
  pass: Pass<MobileGateway>,
  id: string,
  call: CallOptions,
): Promise<RegisteredSim[]> {
  const { zone } = pass.object.spec;
  const found = await fetchWhole({
    route: 'GET /appliance/:id/mobilegateway/sims',
    fetchPage: (from) => pass.session.client.gateways.sims(zone, id, { from, count: PAGE_SIZE }, call),
    idOf: ({ resourceID }) => resourceID,
  });
  return found.map(({ resourceID, iccid, ip, sessionStatus }) => ({
    id: resourceID,
    iccid: iccid || undefined,
    ip: ip || undefined,
    isUp: hasSession({ sessionStatus }) === true,
  }));
}

/** The webhook's URL lets anybody write into the chat: from here on there is only its digest. */
function withoutSecret(monitoring: TrafficMonitoring, sealer: Pick<Sealer, 'digest'>): Monitoring {
  const { chatWebhookURL, bandwidthLimitKbps, ...rest } = monitoring;
  return {
    ...rest,
    ...(bandwidthLimitKbps !== undefined && { bandwidthLimitKbps }),
    ...(rest.chat && chatWebhookURL !== undefined && { chatWebhookDigest: digestOfSecret(sealer, chatWebhookURL) }),
  };
}
