import type { Gateway } from '../../../../src/cloud/gateway/types.ts';
import type { GatewayFacts } from '../../../../src/kinds/mobile-gateway/facts.ts';
import { findGateway } from '../../../../src/kinds/mobile-gateway/find.ts';
import { holdNotShownYet } from '../../../../src/kinds/mobile-gateway/gather.ts';
import { holdMayBeAnothers } from '../../../../src/kinds/mobile-gateway/makers.ts';
import { planGateway, planGatewayDeletion } from '../../../../src/kinds/mobile-gateway/plan.ts';
import {
  type GatewaySpec,
  gatewayDefinition,
  type MobileGateway,
} from '../../../../src/kinds/mobile-gateway/schema.ts';
import {
  gatewayImpairment,
  gatewayReadyMessage,
  observedGatewayStatus,
} from '../../../../src/kinds/mobile-gateway/status.ts';
import type { Shown } from '../../../../src/reconcile/write-outcome.ts';
import { heldByBrake } from '../braked.ts';
import { concluded, ended, type HealthCase, holdIn, leaving, metadataOf, now } from '../case.ts';

const shown: Shown<MobileGateway, GatewayFacts> = {
  definition: gatewayDefinition,
  observed: observedGatewayStatus,
  marks: [],
  impairment: gatewayImpairment,
  readyMessage: gatewayReadyMessage,
};

const atService: Gateway = {
  id: '113300000101',
  name: 'depot',
  planID: 2,
  availability: 'available',
  instanceStatus: 'up',
  settings: {},
  interfaces: [],
  tags: [],
};

function gatewayOf(spec: Partial<GatewaySpec> = {}): MobileGateway {
  return {
    apiVersion: 'edgeline.dev/v1alpha1',
    kind: 'MobileGateway',
    metadata: metadataOf('depot'),
    spec: { zone: 'is1b', ...spec },
  };
}

function factsOf(gateway: MobileGateway, observed: Partial<Gateway>, more: Partial<GatewayFacts> = {}): GatewayFacts {
  return {
    desired: {
      name: 'depot',
      spec: gateway.spec,
      chatWebhook: undefined,
      simRoutes: { resolved: [], waiting: [] },
      releasesSims: false,
      namedBy: [],
    },
    applied: {},
    pending: [],
    marks: {},
    observed: { ...atService, ...observed },
    details: {},
    ownership: 'Created',
    dialect: 'Documented',
    now,
    ...more,
  };
}

function planned(observed: Partial<Gateway>, more: Partial<GatewayFacts> = {}): MobileGateway {
  const gateway = gatewayOf();
  return concluded(shown, gateway, ended(factsOf(gateway, observed, more), planGateway));
}

const renamed = gatewayOf({ displayName: 'another' });
const misnamed = gatewayOf({ resourceID: '113399999999' });
const cleaning = factsOf(gatewayOf(), { instanceStatus: 'cleaning' }, { dialect: 'Extended' });
const twice = new Map(['1', '2'].map((id) => [id, { ...atService, id }]));
const interrupted = { name: 'depot', requestedAt: new Date(now).toISOString() };

/** What only MobileGateways have. */
export const gatewayCases: readonly HealthCase[] = [
  { title: 'a gateway that works', object: planned({}) },
  { title: 'a gateway that is being made', object: planned({ availability: 'migrating' }) },
  { title: 'a gateway that could not be made', object: planned({ availability: 'failed' }) },
  {
    title: 'a gateway with another name',
    object: concluded(shown, renamed, ended(factsOf(renamed, {}), planGateway)),
  },
  {
    title: 'a gateway whose spec names another',
    object: concluded(shown, misnamed, ended(factsOf(misnamed, {}), planGateway)),
  },
  { title: 'a gateway that somebody stopped', object: planned({ instanceStatus: 'down' }, { wasUp: true }) },
  {
    title: 'a gateway that is being started',
    object: planned({ instanceStatus: 'cleaning' }, { dialect: 'Extended', marks: { booted: true } }),
  },
  {
    title: 'a gateway that is being stopped to be deleted',
    object: concluded(shown, leaving(gatewayOf()), ended(cleaning, planGatewayDeletion)),
  },
  {
    title: 'a gateway without the resolvers it once had in its spec',
    object: planned({}, { applied: { dns: { primary: '192.0.2.1', secondary: '192.0.2.2' } } }),
  },
  {
    title: 'a gateway whose creation was interrupted, and of which there are two',
    object: concluded(shown, gatewayOf(), {
      hold: holdIn(
        findGateway(
          gatewayOf(),
          {
            creation: interrupted,
            until: Infinity,
            forgotten: undefined,
            claimed: new Set(),
            doubtful: new Set(),
            rivals: [],
          },
          twice,
        ),
      ),
    }),
  },
  {
    title: 'a gateway whose creation is held with many others',
    object: concluded(shown, gatewayOf(), { hold: heldByBrake('Creation') }),
  },
  {
    title: 'a gateway that another may have made',
    object: concluded(shown, gatewayOf(), {
      hold: holdMayBeAnothers(gatewayOf(), atService, gatewayOf()),
    }),
  },
  {
    title: 'a gateway just created',
    object: concluded(shown, gatewayOf(), { hold: holdNotShownYet('113300000101') }),
  },
];
