import type { Gateway, GatewaySettings } from '../../cloud/gateway-types.ts';
import { defined } from '../../cloud/page.ts';
import { trafficToShow } from '../common/traffic.ts';
import type { GatewayFacts } from './facts.ts';
import type { MobileGateway } from './schema.ts';

/** What was observed of the gateway, for the status. Pure. */
export function observedGatewayStatus(facts: GatewayFacts, object: MobileGateway): Record<string, unknown> {
  const { observed, details } = facts;
  if (!observed) return {};
  const monitoring = details.trafficMonitoring;
  const { chatWebhookDigest: _digest, ...shown } = monitoring === undefined || monitoring === 'unset' ? {} : monitoring;
  const traffic = details.traffic && {
    uplinkBytes: details.traffic.uplinkBytes,
    downlinkBytes: details.traffic.downlinkBytes,
    shaping: details.traffic.trafficShaping,
  };
  return defined({
    ...shownStatus(observed),
    sims: details.sims && { registered: details.sims.length, up: details.sims.filter((sim) => sim.isUp).length },
    simRoutes: details.simRoutes && details.simRoutes.length > 0 ? details.simRoutes : undefined,
    dns: details.dns === 'unset' ? undefined : details.dns,
    trafficMonitoring: Object.keys(shown).length > 0 ? shown : undefined,
    traffic: trafficToShow(traffic, object.status?.traffic, facts.now),
  });
}

/** The part of the status that the list alone shows. Pure. */
export function shownStatus(observed: Gateway) {
  return {
    createdAt: observed.createdAt,
    name: observed.name || undefined,
    planID: observed.planID,
    settings: observed.settings && settingsShown(observed.settings),
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
    settingsHash: observed.settingsHash,
  };
}

function settingsShown({ privateInterface, ...settings }: GatewaySettings) {
  return defined({ ...settings, privateInterface: privateInterface ?? undefined });
}

/** The sentence of Ready=True. */
export function gatewayReadyMessage({ observed }: GatewayFacts): string {
  return observed ? `Gateway ${observed.id} is ${observed.availability}.` : '';
}
