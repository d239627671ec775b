import { isDeepStrictEqual } from 'node:util';
import type { Gateway } from '../../cloud/gateway/types.ts';
import { Annotation } from '../../reconcile/annotations.ts';
import { changeOf, mending } from '../../reconcile/change.ts';
import type { Plan } from '../../reconcile/plan.ts';
import { combine, type Planners, partsOf } from '../common/combine.ts';
import { isUnusable, networkOf, type Place, placeIn } from '../common/network.ts';
import { planResourceID } from '../common/other-id.ts';
import type { GatewayFacts, RegisteredSim } from './facts.ts';
import { planMonitoring } from './monitoring.ts';
import { type GatewayHold, GatewayReason } from './reasons.ts';
import { planSimRoutes, showRoutes } from './routes.ts';
import type { MobileGateway } from './schema.ts';
import { planLateRoutes, planSettings } from './settings.ts';
import type { GatewayApplied } from './status-schema.ts';
import type { GatewayPart, GatewayStep } from './steps.ts';

type PlannerInput = [facts: GatewayFacts, gateway: Gateway];
type GatewayPlan = Plan<GatewayStep, GatewayApplied, GatewayHold['reason']>;

/** How often a gateway that is on its way somewhere is looked at. Seconds. */
export const ON_ITS_WAY_RETRY_SECONDS = 5;

/**
 * Who plans what, in the order that works: settings and config, traffic monitoring, DNS, static routes into a network that
 * is new and config, SIM routes.
 */
export const gatewayPlanners: Planners<GatewayApplied, PlannerInput, GatewayPart> = {
  internetConnection: planSettings,
  interDeviceCommunication: planSettings,
  privateInterface: planSettings,
  trafficMonitoring: planMonitoring,
  dns: planDNS,
  staticRoutes: planLateRoutes,
  simRoutes: planRoutes,
};

/** The calls that bring the gateway to its spec: create, then, once it is available, all its fields, and at last the start. */
export function planGateway(facts: GatewayFacts): GatewayPlan {
  const { observed } = facts;
  if (!observed) return planCreation(facts);
  const arrival = holdUntilAvailable(observed);
  if (arrival) return only(facts, arrival);
  return combine(
    // An intent that stayed would have a gateway of that name taken for the own one, should this one ever vanish.
    {
      steps: facts.marks.creation
        ? [{ do: 'recognise', isOwn: facts.ownership === 'Created', changes: [], silent: true }]
        : [],
    },
    ...partsOf<GatewayPart, PlannerInput>(gatewayPlanners, facts, observed),
    planBoot(facts, observed),
    planPlan(facts, observed),
    planName(facts, observed),
    planResourceID('gateway', observed.id, facts.desired.spec.resourceID, GatewayReason.ResourceIDMismatch),
    { warnings: warningsOf(facts) },
  );
}

/** SIMs that have addresses where the private network no longer is, or never was, or that no SIM can have: nobody in it reaches them. */
function warningsOf({ desired, details }: GatewayFacts): string[] {
  const inner = desired.spec.privateInterface;
  if (!inner) return [];
  const network = networkOf(inner);
  const shownAt = (isThere: (place: Place) => boolean): string | undefined => {
    const sims = (details.sims ?? []).filter(({ ip }) => ip !== undefined && isThere(placeIn(ip, inner)));
    const shown = sims.slice(0, 3).map(({ id, ip }) => `${id} (${ip})`);
    if (sims.length === 0) return undefined;
    return `${shown.join(', ')}${sims.length > 3 ? `, … (${sims.length} in all)` : ''}`;
  };
  const outside = shownAt((place) => place === 'outside');
  const unusable = shownAt(isUnusable);
  const warnings = [
    outside &&
      `SIMs have addresses outside the private network ${network}: ${outside}. Give their Sims addresses in it, or put privateInterface back.`,
    unusable &&
      `SIMs have addresses that no SIM can have in the private network ${network}, where the gateway is ${inner.ipAddress}: ${unusable}. Give their Sims other addresses in it, or put privateInterface back.`,
  ];
  return warnings.filter((warning) => warning !== undefined);
}

/** The calls that remove the gateway: stop, clear routes, release its SIMs, delete. */
export function planGatewayDeletion(facts: GatewayFacts): GatewayPlan {
  const { observed, details, desired } = facts;
  if (!observed) return { steps: [], drift: [], applied: {} };
  const { sims = [] } = details;
  if (desired.namedBy.length > 0) return only(facts, holdForSims(desired.namedBy));
  if (!desired.releasesSims && sims.length > 0) return only(facts, holdForOtherSims(sims));
  const steps: GatewayStep[] = [];
  const isAvailable = observed.availability.toLowerCase() === 'available';
  const instance = observed.instanceStatus?.toLowerCase();
  if (facts.dialect === 'Extended' && isAvailable && instance === 'up') {
    steps.push({ do: 'stop', changes: [changeOf('instanceStatus', observed.instanceStatus, 'down')] });
  } else if (facts.dialect === 'Extended' && isAvailable && instance === 'cleaning') return only(facts, holdStopping);
  const { simRoutes = [] } = details;
  if (simRoutes.length > 0) {
    const changes = [changeOf('simRoutes', showRoutes(simRoutes), undefined)];
    steps.push({ do: 'setSimRoutes', routes: [], fields: ['simRoutes'], changes });
  }
  for (const sim of sims) {
    if (sim.ip !== undefined) {
      steps.push({ do: 'clearIP', simID: sim.id, changes: [changeOf('sims.ipAddress', sim.ip, undefined)] });
    }
    steps.push({ do: 'unregister', simID: sim.id, changes: [changeOf('sims', sim.id, undefined)] });
  }
  steps.push({ do: 'delete', changes: [] });
  return { steps, drift: [], applied: {} };
}

function only(facts: GatewayFacts, hold: GatewayHold): GatewayPlan {
  return { steps: [], drift: [], applied: facts.applied, hold, undecided: 'all' };
}

function planCreation(facts: GatewayFacts): GatewayPlan {
  const { spec, name } = facts.desired;
  if (spec.managementPolicy === 'Observe') {
    return nothing({
      state: 'Waiting',
      reason: GatewayReason.NothingToObserve,
      message: 'managementPolicy Observe creates nothing: name the gateway to observe in resourceID.',
    });
  }
  if (spec.adoption === 'Required') {
    return nothing({
      state: 'Stalled',
      reason: GatewayReason.ResourceIDRequired,
      message: 'adoption: Required needs resourceID: gateways are found by their ID only.',
    });
  }
  if (spec.planID === undefined) {
    return nothing({
      state: 'Stalled',
      reason: GatewayReason.PlanRequired,
      message: 'planID is needed to create a gateway (2 is the only known plan), or resourceID to take one over.',
    });
  }
  // The other marks may be those of a gateway that has vanished.
  const marks = {
    creation: facts.intent,
    booted: facts.dialect === 'Extended' ? false : undefined,
    configPending: undefined,
  };
  const changes = [changeOf('displayName', undefined, name), changeOf('planID', undefined, spec.planID)];
  return {
    steps: [{ do: 'create', name, planID: spec.planID, changes, marks }],
    drift: [],
    applied: {},
    continues: true,
  };
}

/** Whether a resource that has no gateway is to have one made, as far as its spec says. */
export function isGatewayToBeCreated({ spec }: Pick<MobileGateway, 'spec'>): boolean {
  const isTakenOver = spec.resourceID !== undefined || spec.adoption === 'Required';
  return spec.managementPolicy !== 'Observe' && !isTakenOver && spec.planID !== undefined;
}

/** There is no gateway: what was applied to one that has vanished is not applied to whatever comes in its place. */
function nothing(hold: GatewayHold): GatewayPlan {
  return { steps: [], drift: [], applied: {}, hold };
}

/** The service could not make it, and that is final. */
export const isFailed = ({ availability }: Gateway): boolean => availability.toLowerCase() === 'failed';

function holdUntilAvailable(gateway: Gateway): GatewayHold | undefined {
  switch (gateway.availability.toLowerCase()) {
    case 'available':
      return undefined;
    case 'failed':
      return {
        state: 'Stalled',
        reason: GatewayReason.CreationFailed,
        message: `The service could not make the gateway ${gateway.id}, and that is final. Delete this resource, which deletes it at the service, and apply it again.`,
      };
    default:
      return {
        state: 'Waiting',
        reason: GatewayReason.Migrating,
        message: `The service is preparing the gateway ${gateway.id} (${gateway.availability}); this takes minutes.`,
        isProgress: true,
        retryAfterSeconds: ON_ITS_WAY_RETRY_SECONDS,
      };
  }
}

/** SIM routes are refused before the first config. Settings tell that there was one, and so do routes. */
function planRoutes(facts: GatewayFacts, gateway: Gateway): GatewayPart<'simRoutes'> {
  const routes = planSimRoutes(facts);
  const hasRoutes = (facts.details.simRoutes ?? []).length > 0;
  const sendsSettings = (planSettings(facts, gateway).steps ?? []).length > 0;
  const isConfigured = hasRoutes || gateway.settings !== undefined || sendsSettings;
  if (!routes.steps || isConfigured) return routes;
  return { ...routes, steps: [{ do: 'config', follows: true, changes: [] }, ...routes.steps] };
}

/** Write-only in the Documented dialect: there the resolvers are compared with what was applied. */
function planDNS(facts: GatewayFacts): GatewayPart<'dns'> {
  const { dns } = facts.desired.spec;
  const { dns: read } = facts.details;
  const observed = read ?? (facts.pending.includes('dns') ? undefined : facts.applied.dns);
  if (!dns) {
    // Of an interrupted creation every field is pending; only a record says that there are resolvers.
    if (!facts.applied.dns || facts.found?.includes('dns')) return {};
    return {
      applied: { dns: facts.applied.dns },
      unsynced: {
        reason: GatewayReason.DNSNotRemovable,
        message:
          'dns was removed from the spec, but the service has no way to remove resolvers: those set before stay. Write the ones that are wanted.',
      },
    };
  }
  const applied = { dns };
  if (observed !== 'unset' && isDeepStrictEqual({ ...observed }, { ...dns })) {
    return facts.resendsDNS
      ? { applied, steps: [{ do: 'setDNS', dns, fields: [], repeats: true, changes: [], cause: 'Repetition' }] }
      : { applied };
  }
  const shown = observed === 'unset' || !observed ? 'none' : `${observed.primary}, ${observed.secondary}`;
  const drift = [{ field: 'dns', desired: `${dns.primary}, ${dns.secondary}`, observed: shown }];
  return {
    steps: [{ do: 'setDNS', dns, fields: ['dns'], pending: ['dns'], changes: mending(drift) }],
    drift,
    applied,
  };
}

/**
 * A gateway the operator made is started once; whether it runs later is nobody's wish in the spec. Only the mark says that
 * it is still to be started: without one, as after a restore, a gateway that stands still was stopped by somebody.
 */
function planBoot(facts: GatewayFacts, gateway: Gateway): GatewayPart {
  if (facts.dialect !== 'Extended' || facts.ownership !== 'Created') return {};
  const isUp = gateway.instanceStatus?.toLowerCase() === 'up';
  if (facts.marks.booted === false) {
    if (isUp) return { steps: [{ do: 'noteStarted', changes: [], cause: 'Creation', silent: true }] };
    const changes = [changeOf('instanceStatus', gateway.instanceStatus, 'up')];
    return { steps: [{ do: 'boot', changes, cause: 'Creation' }] };
  }
  if (facts.marks.booted === undefined || isUp || gateway.instanceStatus?.toLowerCase() === 'down') return {};
  return {
    hold: {
      state: 'Waiting',
      reason: GatewayReason.Booting,
      message: `The gateway ${gateway.id} is being started.`,
      isProgress: true,
      retryAfterSeconds: ON_ITS_WAY_RETRY_SECONDS,
    },
  };
}

function planPlan(facts: GatewayFacts, gateway: Gateway): GatewayPart {
  const { planID } = facts.desired.spec;
  if (planID === undefined || gateway.planID === undefined || gateway.planID === planID) return {};
  return {
    drift: [{ field: 'planID', desired: String(planID), observed: String(gateway.planID) }],
    unsynced: {
      reason: GatewayReason.PlanNotChangeable,
      message: `The gateway has plan ${gateway.planID} at the service, and plans can't be changed. Take planID out of the spec, or create another gateway.`,
    },
  };
}

/** `api.md` has a name on create only, and nothing is known of another way. */
function planName(facts: GatewayFacts, gateway: Gateway): GatewayPart {
  const { displayName } = facts.desired.spec;
  if (displayName === undefined || displayName === gateway.name) return {};
  return {
    drift: [{ field: 'displayName', desired: displayName, observed: gateway.name }],
    unsynced: {
      reason: GatewayReason.DisplayNameNotChangeable,
      message: `The gateway is named "${gateway.name}" at the service, and the name of a gateway can't be changed from here. Set displayName to "${gateway.name}", or rename the gateway in the control panel.`,
    },
  };
}

const holdStopping: GatewayHold = {
  state: 'Waiting',
  reason: GatewayReason.Stopping,
  message: 'The gateway is being stopped before it is deleted.',
  isProgress: true,
  retryAfterSeconds: ON_ITS_WAY_RETRY_SECONDS,
};

/** Nobody asked for what these SIMs would suffer: without the gateway they are offline. */
function holdForOtherSims(sims: readonly RegisteredSim[]): GatewayHold {
  const shown = sims.slice(0, 5).map(({ id, iccid }) => (iccid === undefined ? id : `${id} (ICCID ${iccid})`));
  const more = sims.length > shown.length ? `, … (${sims.length} in all)` : '';
  return {
    state: 'Waiting',
    reason: GatewayReason.SimsStillRegistered,
    message: `The gateway is deleted when no SIM is registered with it any more: these would be taken offline, and no Sim resource takes them off it: ${shown.join(', ')}${more}. Register them elsewhere, or annotate this resource with ${Annotation.releaseSims}: "true" to have them taken off.`,
    retryAfterSeconds: 60,
  };
}

function holdForSims(sims: readonly string[]): GatewayHold {
  const shown = sims.slice(0, 5).join(', ');
  return {
    state: 'Waiting',
    reason: GatewayReason.SimsStillRegistered,
    message: `The gateway is deleted when no Sim is registered with it any more. Remove gatewayRef and ipAddress from these Sims, or delete those whose SIMs were made for them: ${shown}${sims.length > 5 ? `, … (${sims.length} in all)` : ''}.`,
  };
}
