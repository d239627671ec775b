import type { GatewayFacts } from './facts.ts';
import type { MobileGateway } from './schema.ts';

const TRAFFIC_INTERVAL = 15 * 60_000;
const JST = 9 * 3_600_000;

/** What was observed of the gateway, for the status. Pure. */
export function observedGatewayStatus(facts: GatewayFacts, object: MobileGateway): Record<string, unknown> {
  const { observed, details } = facts;
  if (!observed) return {};
  const monitoring = details.trafficMonitoring;
  const { chatWebhookDigest: _digest, ...shown } = monitoring === undefined || monitoring === 'unset' ? {} : monitoring;
  return defined({
    availability: observed.availability,
    instanceStatus: observed.instanceStatus,
    publicIP: observed.interfaces[0]?.ipAddress,
    interfaces: observed.interfaces.flatMap((one) =>
      one
        ? [
            defined({
              ipAddress: one.ipAddress ?? one.userIPAddress,
              scope: one.switch?.scope,
              switchID: one.switch?.id,
            }),
          ]
        : [],
    ),
    sims: details.sims && { registered: details.sims.length, up: details.sims.filter((sim) => sim.isUp).length },
    simRoutes: details.simRoutes && details.simRoutes.length > 0 ? details.simRoutes : undefined,
    dns: details.dns === 'unset' ? undefined : details.dns,
    trafficMonitoring: Object.keys(shown).length > 0 ? shown : undefined,
    traffic: traffic(facts, object.status),
    settingsHash: observed.settingsHash,
  });
}

function traffic({ details, now }: GatewayFacts, previous: MobileGateway['status']): unknown {
  const before = previous?.traffic;
  const current = details.traffic;
  if (!current) return before;
  if (before && now - Date.parse(before.observedAt) < TRAFFIC_INTERVAL) return before;
  return {
    month: new Date(now + JST).toISOString().slice(0, 7),
    uplinkBytes: current.uplinkBytes,
    downlinkBytes: current.downlinkBytes,
    shaping: current.trafficShaping,
    observedAt: new Date(now).toISOString().replace(/\.\d{3}Z$/, 'Z'),
  };
}

/** The sentence of Ready=True. */
export function gatewayReadyMessage({ observed }: GatewayFacts): string {
  return observed ? `Gateway ${observed.id} is ${observed.availability}.` : '';
}

function defined(object: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined));
}
