import type { Gateway, GatewaySettings } from '../../cloud/gateway/types.ts';
import { defined } from '../../cloud/list/page.ts';
import type { Impairment } from '../../reconcile/kind.ts';
import { CommonReason } from '../../reconcile/verdict.ts';
import { trafficToShow } from '../common/traffic.ts';
import type { GatewayFacts } from './facts.ts';
import { GatewayReason } from './reasons.ts';
import type { GatewayApplied, MobileGateway } from './schema.ts';

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

/** Why the gateway, as last seen, does not connect its SIMs as its spec says. */
export function gatewayImpairment(
  { observed, desired, wasUp }: GatewayFacts,
  isDue: (field: keyof GatewayApplied) => boolean,
): Impairment | undefined {
  if (!observed) return { reason: CommonReason.DriftObserved, message: '' };
  const { id, availability, settings } = observed;
  if (availability.toLowerCase() !== 'available') {
    return { reason: GatewayReason.Migrating, message: `Gateway ${id} is ${availability}.` };
  }
  if (wasUp && observed.instanceStatus?.toLowerCase() === 'down') {
    const message = `Somebody has stopped the gateway ${id}, which takes its SIMs offline. It is not started from here: start it in the control panel.`;
    return { reason: GatewayReason.Stopped, message };
  }
  const { privateInterface, internetConnection } = desired.spec;
  const lacks = [
    isDue('privateInterface') && privateInterface && !settings?.privateInterface && 'no private interface',
    isDue('internetConnection') && internetConnection && !settings?.internetConnection && 'no Internet connection',
  ].filter((one) => typeof one === 'string');
  if (lacks.length === 0) return undefined;
  // Nothing is left to do about it only where nothing is written.
  return { reason: CommonReason.DriftObserved, message: `Gateway ${id} has ${lacks.join(' and ')}.` };
}

/** The sentence of Ready=True. */
export function gatewayReadyMessage({ observed }: GatewayFacts): string {
  return observed ? `Gateway ${observed.id} is ${observed.availability}.` : '';
}
