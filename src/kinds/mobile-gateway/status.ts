import type { Gateway, GatewaySettings } from '../../cloud/gateway/types.ts';
import { defined, type Each } from '../../cloud/list/page.ts';
import type { Observed, StatusOf } from '../../reconcile/managed-object.ts';
import type { Impairment } from '../../reconcile/plan.ts';
import { CommonReason } from '../../reconcile/verdict.ts';
import type { GatewayFacts, Monitoring } from './facts.ts';
import { type GatewayHold, GatewayReason } from './reasons.ts';
import type { GatewayMark, MobileGateway } from './schema.ts';
import type { GatewayApplied } from './status-schema.ts';

type Status = StatusOf<MobileGateway>;
type Shown = Observed<MobileGateway, GatewayMark>;

/** What was observed of the gateway, for the status: its traffic is in the metrics. Pure. */
export function observedGatewayStatus(facts: GatewayFacts): Shown | undefined {
  const { observed, details } = facts;
  if (!observed) return undefined;
  const monitoring = details.trafficMonitoring;
  return {
    ...shownStatus(observed),
    wasUp: facts.wasUp || isUp(observed) || undefined,
    sims: details.sims && { registered: details.sims.length, up: details.sims.filter((sim) => sim.isUp).length },
    simRoutes: details.simRoutes && details.simRoutes.length > 0 ? [...details.simRoutes] : undefined,
    dns: details.dns === 'unset' ? undefined : details.dns,
    trafficMonitoring: monitoring === undefined || monitoring === 'unset' ? undefined : withoutWebhook(monitoring),
  };
}

export function isUp({ instanceStatus }: Gateway): boolean {
  return instanceStatus?.toLowerCase() === 'up';
}

function withoutWebhook({ chatWebhookDigest: _digest, ...shown }: Monitoring): Shown['trafficMonitoring'] {
  return shown;
}

/** The part of the status that the list alone shows. Pure. */
export function shownStatus(
  observed: Gateway,
): Omit<Shown, 'wasUp' | 'sims' | 'simRoutes' | 'dns' | 'trafficMonitoring'> {
  return {
    createdAt: observed.createdAt,
    name: observed.name || undefined,
    planID: observed.planID,
    settings: observed.settings && settingsShown(observed.settings),
    availability: observed.availability,
    instanceStatus: observed.instanceStatus,
    instanceStatusChangedAt: observed.instanceStatusChangedAt,
    publicIP: observed.interfaces[0]?.ipAddress,
    interfaces: observed.interfaces.flatMap((one) =>
      one
        ? [
            defined({
              ipAddress: one.ipAddress ?? one.userIPAddress,
              scope: one.switch?.scope,
              switchID: one.switch?.id,
            } satisfies Each<NonNullable<Status['interfaces']>[number]>),
          ]
        : [],
    ),
    settingsHash: observed.settingsHash,
  };
}

function settingsShown(settings: GatewaySettings) {
  return defined({
    internetConnection: settings.internetConnection,
    interDeviceCommunication: settings.interDeviceCommunication,
    privateInterface: settings.privateInterface ?? undefined,
    staticRoutes: settings.staticRoutes,
  } satisfies Each<NonNullable<Status['settings']>>);
}

/** Why the gateway, as last seen, does not connect its SIMs as its spec says. */
export function gatewayImpairment(
  { observed, desired, wasUp }: GatewayFacts,
  isDue: (field: keyof GatewayApplied) => boolean,
): Impairment<GatewayHold['reason']> | undefined {
  if (!observed) return { reason: CommonReason.DriftObserved, message: '' };
  const { id, availability, settings } = observed;
  if (availability.toLowerCase() !== 'available') {
    return { reason: GatewayReason.Migrating, message: `Gateway ${id} is ${availability}.` };
  }
  if (wasUp && observed.instanceStatus?.toLowerCase() === 'down') {
    const message = `The gateway ${id} is stopped, which takes its SIMs offline. It is not started from here: start it in the control panel, unless it is to go.`;
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
