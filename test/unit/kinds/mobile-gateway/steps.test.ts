import { expect, test } from 'vitest';
import type { GatewayFacts } from '../../../../src/kinds/mobile-gateway/facts.ts';
import { type GatewayStep, goesOn } from '../../../../src/kinds/mobile-gateway/steps.ts';
import { partial } from '../../../support/partial.ts';

const steps: readonly GatewayStep[] = [
  { do: 'updateSettings', settings: {}, fields: [], carries: [], changes: [] },
  { do: 'config', follows: true, changes: [] },
  { do: 'deleteTrafficMonitoring', fields: ['trafficMonitoring'], changes: [] },
  { do: 'setDNS', dns: { primary: '8.8.8.8', secondary: '8.8.4.4' }, fields: ['dns'], changes: [] },
  { do: 'setSimRoutes', routes: [], fields: ['simRoutes'], changes: [] },
  { do: 'boot', changes: [] },
];

test.each<[GatewayStep['do'], boolean, readonly GatewayStep['do'][]]>([
  ['updateSettings', true, ['deleteTrafficMonitoring', 'setDNS', 'setSimRoutes']],
  ['updateSettings', false, ['deleteTrafficMonitoring', 'setDNS']],
  ['config', true, ['deleteTrafficMonitoring', 'setDNS', 'setSimRoutes']],
  ['deleteTrafficMonitoring', true, ['setDNS', 'setSimRoutes', 'boot']],
  ['setDNS', false, ['setSimRoutes', 'boot']],
])(
  'after a failed %s, on a gateway that has settings: %s, those are tried that need nothing of it',
  (...[what, hasSettings, expected]) => {
    const facts = partial<GatewayFacts>({ observed: hasSettings ? { settings: {} } : {}, details: {} });
    const at = steps.findIndex((step) => step.do === what);
    const failed = steps[at];
    const tried = steps.slice(at + 1).filter((next) => failed && goesOn(facts, failed, next));
    expect(tried.map((step) => step.do)).toEqual(expected);
  },
);
