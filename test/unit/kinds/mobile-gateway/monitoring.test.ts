import { describe, expect, it } from 'vitest';
import { planMonitoring } from '../../../../src/kinds/mobile-gateway/monitoring.ts';
import type { GatewaySpec } from '../../../../src/kinds/mobile-gateway/schema.ts';
import { type Dialect, factsOf } from './model.ts';

const gateway = {
  id: '113300000001',
  name: 'depot',
  availability: 'available',
  instance: 'up',
  settings: undefined,
  effective: undefined,
  isConfigured: true,
  dns: undefined,
  routes: [],
  sims: {},
} as const;

type Spec = NonNullable<GatewaySpec['trafficMonitoring']>;

function planFor(trafficMonitoring: Spec, bandwidthLimitKbps?: number) {
  const dialect: Dialect = 'Documented';
  const monitoring = {
    quotaMB: 512,
    autoTrafficShaping: false,
    email: false,
    chat: false,
    ...(bandwidthLimitKbps !== undefined && { bandwidthLimitKbps }),
  };
  const progress = { applied: {}, pending: [], marks: {} };
  return planMonitoring(factsOf({ zone: 'is1b', trafficMonitoring }, { ...gateway, monitoring }, progress, dialect));
}

const stepsFor = (spec: Spec, bandwidthLimitKbps?: number) =>
  (planFor(spec, bandwidthLimitKbps).steps ?? []).map(({ do: does }) => does);

describe('a bandwidth of 0 at the service, which clients send where they want none', () => {
  it('is none', () => {
    expect(stepsFor({ quotaMB: 512 }, 0)).toEqual([]);
  });

  it('is not one of the spec', () => {
    expect(stepsFor({ quotaMB: 512, bandwidthLimitKbps: 64 }, 0)).toEqual(['setTrafficMonitoring']);
  });

  it('is taken away where there is one', () => {
    expect(stepsFor({ quotaMB: 512 }, 64)).toEqual(['setTrafficMonitoring']);
  });
});

describe('what is asked for and has no effect is warned of', () => {
  const chatWebhookSecretRef = { name: 'chat', key: 'url' };

  it.each<[string, Spec]>([
    ['a quota alone, as it is at the service', { quotaMB: 512 }],
    ['a quota alone, which is still to be written', { quotaMB: 600, email: false, autoTrafficShaping: false }],
  ])('%s', (_, spec) => {
    expect(planFor(spec).warnings).toEqual([
      'trafficMonitoring does nothing when the quota is reached: set email, chatWebhookSecretRef or autoTrafficShaping, or remove it.',
    ]);
  });

  it.each<[string, Spec]>([
    ['a bandwidth', { quotaMB: 512, bandwidthLimitKbps: 128 }],
    ['a bandwidth beside a notice', { quotaMB: 512, bandwidthLimitKbps: 128, email: true }],
  ])('%s without autoTrafficShaping', (_, spec) => {
    expect(planFor(spec).warnings).toEqual([
      'trafficMonitoring.bandwidthLimitKbps does nothing without autoTrafficShaping: set autoTrafficShaping: true, or remove the limit.',
    ]);
  });

  it.each<Spec>([
    { quotaMB: 512, email: true },
    { quotaMB: 512, chatWebhookSecretRef },
    { quotaMB: 512, autoTrafficShaping: true, bandwidthLimitKbps: 128 },
  ])('and nothing else: %o', (spec) => {
    expect(planFor(spec).warnings).toEqual([]);
  });
});
