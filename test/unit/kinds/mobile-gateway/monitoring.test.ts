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

function stepsFor(trafficMonitoring: NonNullable<GatewaySpec['trafficMonitoring']>, bandwidthLimitKbps?: number) {
  const dialect: Dialect = 'Documented';
  const monitoring = {
    quotaMB: 512,
    autoTrafficShaping: false,
    email: false,
    chat: false,
    ...(bandwidthLimitKbps !== undefined && { bandwidthLimitKbps }),
  };
  const progress = { applied: {}, pending: [], marks: {} };
  const { steps = [] } = planMonitoring(
    factsOf({ zone: 'is1b', trafficMonitoring }, { ...gateway, monitoring }, progress, dialect),
  );
  return steps.map(({ do: does }) => does);
}

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
