import { describe, expect, it } from 'vitest';
import type { Gateway } from '../../../../src/cloud/gateway/types.ts';
import type { DesiredGateway, GatewayFacts } from '../../../../src/kinds/mobile-gateway/facts.ts';
import { planGateway, planGatewayDeletion } from '../../../../src/kinds/mobile-gateway/plan.ts';
import type { GatewaySpec } from '../../../../src/kinds/mobile-gateway/schema.ts';
import type { GatewayStep } from '../../../../src/kinds/mobile-gateway/steps.ts';
import { SecretValue } from '../../../../src/reconcile/secret-value.ts';

const depot: Gateway = {
  id: '1',
  name: 'depot',
  planID: 2,
  availability: 'available',
  instanceStatus: 'up',
  settings: { internetConnection: false },
  interfaces: [],
  tags: [],
};

interface Situation {
  readonly spec?: Partial<GatewaySpec>;
  readonly desired?: Partial<DesiredGateway>;
  readonly observed?: Gateway | undefined;
  readonly facts?: Partial<GatewayFacts>;
}

function factsOf({ spec, desired, facts, ...rest }: Situation): GatewayFacts {
  return {
    desired: {
      name: 'depot',
      spec: { zone: 'is1b', planID: 2, ...spec },
      chatWebhook: undefined,
      simRoutes: { resolved: [], waiting: [] },
      releasesSims: true,
      namedBy: [],
      ...desired,
    },
    applied: {},
    pending: [],
    marks: {},
    observed: 'observed' in rest ? rest.observed : depot,
    details: {},
    ownership: 'Created',
    dialect: 'Extended',
    now: 0,
    ...facts,
  };
}

const told = (steps: readonly GatewayStep[]) =>
  steps.map(
    (step) =>
      `${step.do}: ${step.changes.map(({ field, before, after }) => `${field} ${before} → ${after}`).join(', ')}`,
  );

const webhook = { value: new SecretValue('canary'), digest: 'new' };
const monitored = { quotaMB: 512, autoTrafficShaping: false, email: false, chat: true, chatWebhookDigest: 'old' };
const tellChat = { trafficMonitoring: { quotaMB: 512, chatWebhookSecretRef: { name: 's', key: 'k' } } };

describe('what the calls about a gateway change', () => {
  it.each<[string, Situation, readonly string[]]>([
    ['a creation', { observed: undefined }, ['create: displayName none → depot, planID none → 2']],
    [
      'settings, which take effect with a call of its own',
      {
        spec: {
          internetConnection: true,
          privateInterface: { ipAddress: '10.0.0.1', networkMaskLength: 24 },
          staticRoutes: [{ prefix: '10.1.0.0/16', nextHop: '10.0.0.2' }],
        },
      },
      [
        'updateSettings: internetConnection off → on, privateInterface none → 10.0.0.1/24',
        'config: ',
        'updateSettings: staticRoutes none → 10.1.0.0/16 via 10.0.0.2',
        'config: ',
      ],
    ],
    [
      'traffic monitoring, member by member, and a webhook that nobody is told',
      { spec: tellChat, desired: { chatWebhook: webhook }, facts: { details: { trafficMonitoring: 'unset' } } },
      [
        'setTrafficMonitoring: trafficMonitoring.quotaMB none → 512, trafficMonitoring.autoTrafficShaping none → false, trafficMonitoring.email none → false, trafficMonitoring.chatWebhookSecretRef none → (secret)',
      ],
    ],
    [
      'another webhook',
      { spec: tellChat, desired: { chatWebhook: webhook }, facts: { details: { trafficMonitoring: monitored } } },
      ['setTrafficMonitoring: trafficMonitoring.chatWebhookSecretRef (secret) → (secret)'],
    ],
    [
      'resolvers',
      { spec: { dns: { primary: '8.8.8.8', secondary: '8.8.4.4' } }, facts: { details: { dns: 'unset' } } },
      ['setDNS: dns none → 8.8.8.8, 8.8.4.4'],
    ],
    [
      'routes to SIMs',
      {
        spec: { simRoutes: [{ prefix: '10.9.0.0/24', simRef: { name: 'a' } }] },
        desired: { simRoutes: { resolved: [{ prefix: '10.9.0.0/24', resourceID: '7' }], waiting: [] } },
      },
      ['setSimRoutes: simRoutes none → 10.9.0.0/24 behind 7'],
    ],
    [
      'the first start',
      { observed: { ...depot, instanceStatus: 'down' }, facts: { marks: { booted: false } } },
      ['boot: instanceStatus down → up'],
    ],
    ['nothing', {}, []],
  ])('%s', (_, situation, expected) => {
    expect(told(planGateway(factsOf(situation)).steps)).toEqual(expected);
  });

  it('a deletion', () => {
    const sims = [{ id: '7', ip: '10.0.0.5', isUp: true }];
    const simRoutes = [{ prefix: '10.9.0.0/24', resourceID: '7' }];
    expect(told(planGatewayDeletion(factsOf({ facts: { details: { sims, simRoutes } } })).steps)).toEqual([
      'stop: instanceStatus up → down',
      'setSimRoutes: simRoutes 10.9.0.0/24 behind 7 → none',
      'clearIP: sims.ipAddress 10.0.0.5 → none',
      'unregister: sims 7 → none',
      'delete: ',
    ]);
  });
});

const inNetwork = { privateInterface: { ipAddress: '10.5.0.6', networkMaskLength: 24 } };
const at = (...ips: readonly (string | undefined)[]) => ({
  details: { sims: ips.map((ip, index) => ({ id: String(index), ip, isUp: true })) },
});

describe('what a plan warns of', () => {
  it.each<[string, Situation, readonly string[]]>([
    ['nothing, where all addresses are of hosts', { spec: inNetwork, facts: at('10.5.0.7', undefined) }, []],
    ['nothing, without a private network of the spec', { facts: at('10.5.0.6') }, []],
    [
      'addresses outside of it, and those that no SIM can have',
      { spec: inNetwork, facts: at('10.6.0.1', '10.5.0.6', '10.5.0.0', '10.5.0.255', '10.5.0.7') },
      [
        'SIMs have addresses outside the private network 10.5.0.0/24: 0 (10.6.0.1). Give their Sims addresses in it, or put privateInterface back.',
        'SIMs have addresses that no SIM can have in the private network 10.5.0.0/24, where the gateway is 10.5.0.6: 1 (10.5.0.6), 2 (10.5.0.0), 3 (10.5.0.255). Give their Sims other addresses in it, or put privateInterface back.',
      ],
    ],
  ])('%s', (_, situation, warnings) => {
    expect(planGateway(factsOf(situation)).warnings ?? []).toEqual(warnings);
  });
});
