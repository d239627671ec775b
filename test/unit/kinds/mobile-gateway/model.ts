import type { DNSResolvers, Gateway, GatewaySettings } from '../../../../src/cloud/gateway/types.ts';
import type {
  DesiredGateway,
  GatewayFacts,
  GatewayMarks,
  Monitoring,
  ResolvedRoute,
} from '../../../../src/kinds/mobile-gateway/facts.ts';
import type { GatewaySpec } from '../../../../src/kinds/mobile-gateway/schema.ts';
import type { GatewayStep } from '../../../../src/kinds/mobile-gateway/steps.ts';
import type { StepOutcome } from '../../../../src/reconcile/carry-out.ts';
import type { Progress } from '../../../../src/reconcile/managed-object.ts';
import { SecretValue } from '../../../../src/reconcile/secret-value.ts';

export type Dialect = GatewayFacts['dialect'];

/** A gateway as a strict service keeps it. */
export interface Stored {
  readonly id: string;
  readonly name: string;
  readonly availability: 'available' | 'failed';
  readonly instance: 'up' | 'cleaning' | 'down';
  /** As sent last. */
  readonly settings: Required<GatewaySettings> | undefined;
  /** As applied by `config`. */
  readonly effective: Required<GatewaySettings> | undefined;
  readonly isConfigured: boolean;
  readonly dns: DNSResolvers | undefined;
  readonly monitoring: Monitoring | undefined;
  readonly routes: readonly ResolvedRoute[];
  /** Addresses of the SIMs registered, by ID. */
  readonly sims: Readonly<Record<string, string | undefined>>;
}

/** The service says no: an answer the operator should never provoke. */
export class Refusal extends Error {}

function demand(condition: boolean, why: string): void {
  if (!condition) throw new Refusal(why);
}

/** What the service does with one call. It throws where a strict service would refuse. */
export function serve(stored: Stored | undefined, step: GatewayStep, dialect: Dialect): Stored | undefined {
  if (step.do === 'create') {
    demand(stored === undefined, 'a second gateway');
    return newborn(step.name);
  }
  if (!stored) throw new Refusal(`${step.do} without a gateway`);
  demand(stored.availability === 'available' || step.do === 'delete', 'it is not available');
  switch (step.do) {
    case 'recognise':
    case 'noteStarted':
      return stored;
    case 'updateSettings': {
      const { staticRoutes = [], privateInterface = null } = step.settings;
      const needsInterface = staticRoutes.length > 0;
      demand(!needsInterface || privateInterface !== null, 'static routes without an interface');
      demand(!needsInterface || stored.effective?.privateInterface != null, 'the interface is not in effect yet');
      return { ...stored, settings: { ...UNSET, ...step.settings } };
    }
    case 'config':
      return { ...stored, effective: stored.settings, isConfigured: true };
    case 'setTrafficMonitoring':
      return { ...stored, monitoring: step.monitoring };
    case 'deleteTrafficMonitoring':
      demand(stored.monitoring !== undefined, 'there is no traffic monitoring');
      return { ...stored, monitoring: undefined };
    case 'setDNS':
      return { ...stored, dns: step.dns };
    case 'setSimRoutes':
      demand(stored.isConfigured, 'routes before the first config');
      for (const { resourceID } of step.routes) demand(resourceID in stored.sims, 'a route to a SIM of elsewhere');
      return { ...stored, routes: step.routes };
    case 'boot':
    case 'stop':
      demand(dialect === 'Extended', 'not in this dialect');
      demand(step.do === 'stop' || stored.instance !== 'up', 'it is up');
      return { ...stored, instance: step.do === 'boot' ? 'up' : 'down' };
    case 'clearIP':
      demand(stored.sims[step.simID] !== undefined, 'the SIM has no address');
      return { ...stored, sims: { ...stored.sims, [step.simID]: undefined } };
    case 'unregister': {
      const { [step.simID]: address, ...others } = stored.sims;
      demand(step.simID in stored.sims && address === undefined, 'the SIM is elsewhere, or has an address');
      return { ...stored, sims: others, routes: stored.routes.filter((route) => route.resourceID !== step.simID) };
    }
    case 'delete':
      demand(Object.keys(stored.sims).length === 0, 'it has SIMs');
      demand(dialect !== 'Extended' || stored.instance === 'down' || stored.availability !== 'available', 'it is up');
      return undefined;
  }
}

const UNSET: Required<GatewaySettings> = {
  internetConnection: false,
  interDeviceCommunication: false,
  privateInterface: null,
  staticRoutes: [],
};

function newborn(name: string): Stored {
  return {
    id: '113300000001',
    name,
    availability: 'available',
    instance: 'down',
    settings: undefined,
    effective: undefined,
    isConfigured: false,
    dns: undefined,
    monitoring: undefined,
    routes: [],
    sims: {},
  };
}

/** What `act` reports of a step, as far as the engine keeps it. Kept in step with act.ts by the integration tests. */
export function resultOf(step: GatewayStep): StepOutcome {
  if (step.do === 'create') return { id: '113300000001', ownership: 'Created', marks: { creation: undefined } };
  if (step.do === 'recognise') return { marks: { creation: undefined } };
  if (step.do === 'config' && !step.isInterim) return { marks: { configPending: undefined } };
  return step.do === 'boot' || step.do === 'noteStarted' ? { marks: { booted: true } } : {};
}

/** What gathering makes of the service, the spec and what is known of the own work. */
export function factsOf(
  spec: GatewaySpec,
  stored: Stored | undefined,
  progress: Progress,
  dialect: Dialect,
): GatewayFacts {
  const marks: GatewayMarks = progress.marks;
  const routes = spec.simRoutes ?? [];
  const isHere = (name: string) => stored !== undefined && name in stored.sims;
  const desired: DesiredGateway = {
    name: spec.displayName ?? 'depot',
    spec,
    chatWebhook: spec.trafficMonitoring?.chatWebhookSecretRef && { value: new SecretValue('url'), digest: 'digest' },
    simRoutes: {
      resolved: routes.flatMap(({ prefix, simRef: { name } }) => (isHere(name) ? [{ prefix, resourceID: name }] : [])),
      waiting: routes.flatMap(({ prefix, simRef: { name } }) =>
        isHere(name) ? [] : [{ prefix, sim: name, iccid: name }],
      ),
    },
    releasesSims: true,
    namedBy: [],
  };
  return {
    desired,
    applied: progress.applied,
    pending: progress.pending,
    marks,
    observed: stored && observe(stored),
    ...(!stored && { intent: { name: 'depot', requestedAt: '2026-01-01T00:00:00Z' } }),
    details:
      stored?.availability === 'available'
        ? {
            simRoutes: stored.routes,
            trafficMonitoring: stored.monitoring ?? 'unset',
            dns: dialect === 'Extended' ? (stored.dns ?? 'unset') : undefined,
            sims: Object.entries(stored.sims).map(([id, ip]) => ({ id, iccid: id, ip, isUp: false })),
          }
        : {},
    ownership: progress.ownership ?? (marks.creation === undefined ? 'Adopted' : 'Created'),
    dialect,
    now: 0,
  };
}

function observe({ id, name, availability, instance, settings }: Stored): Gateway {
  return {
    id,
    name,
    planID: 2,
    availability,
    instanceStatus: instance,
    ...(settings && { settings }),
    interfaces: [],
    tags: [],
  };
}
