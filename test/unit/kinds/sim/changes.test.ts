import { describe, expect, it } from 'vitest';
import type { DesiredSim, ObservedSim, SimFacts } from '../../../../src/kinds/sim/facts.ts';
import { planSim, planSimDeletion } from '../../../../src/kinds/sim/plan.ts';
import type { SimSpec } from '../../../../src/kinds/sim/schema.ts';
import type { SimStep } from '../../../../src/kinds/sim/steps.ts';
import { SecretValue } from '../../../../src/reconcile/secret-value.ts';
import { bareSim } from './bare-sim.ts';

const depot = { id: '1', zone: 'is1a' };
const there: ObservedSim = {
  ...bareSim,
  registered: true,
  gateway: depot,
  ip: '10.0.0.5',
  imeiLocked: true,
  imei: '356938035643809',
  carriers: [
    { name: 'KDDI', allow: true },
    { name: 'SoftBank', allow: true },
  ],
};

interface Situation {
  readonly spec?: Partial<SimSpec>;
  readonly desired?: Partial<DesiredSim>;
  readonly observed?: ObservedSim | undefined;
  readonly facts?: Partial<SimFacts>;
}

function factsOf({ spec, desired, facts, ...rest }: Situation): SimFacts {
  return {
    desired: {
      defaultName: 'truck',
      spec: { iccid: there.iccid, ...spec },
      gateway: undefined,
      passCode: { value: new SecretValue('canary') },
      ...desired,
    },
    applied: {},
    pending: [],
    observed: 'observed' in rest ? rest.observed : there,
    ownership: 'Adopted',
    dialect: 'Extended',
    now: 0,
    ...facts,
  };
}

/** What each step says that it changes, a line each. */
const told = (steps: readonly SimStep[]) =>
  steps.map(
    (step) =>
      `${step.do}: ${step.changes.map(({ field, before, after }) => `${field} ${before} → ${after}`).join(', ')}`,
  );

describe('what the calls about a SIM change', () => {
  it.each<[string, Situation, readonly string[]]>([
    [
      'a creation',
      { observed: undefined, spec: { activated: true }, desired: { gateway: depot } },
      [
        'create: displayName none → truck, iccid none → 8981040000000000017, passCodeSecretRef none → (secret)',
        'activate: activated false → true',
        'register: gatewayRef none → 1',
      ],
    ],
    ['a name', { spec: { displayName: 'van' } }, ['rename: displayName truck → van']],
    [
      'carriers, told whole as they are sent whole',
      { spec: { carriers: [{ name: 'SoftBank', allow: false }] } },
      ['setCarriers: carriers KDDI allowed, SoftBank allowed → KDDI allowed, SoftBank not allowed'],
    ],
    [
      'a deactivation for the limit',
      {
        spec: { activated: true, dataLimit: { monthly: '1k', action: 'Deactivate' } },
        facts: {
          dataLimit: {
            state: 'Exceeded',
            excess: { month: '2026-11', exceededAt: '2026-11-20T00:00:00Z', bytes: 1500 },
            stops: true,
          },
        },
      },
      ['deactivate: activated true → false'],
    ],
    [
      'the way back from a limit',
      { observed: { ...there, activated: false }, facts: { applied: { dataLimit: 'Deactivated' } } },
      ['activate: activated false → true'],
    ],
    ['a deactivation', { spec: { activated: false } }, ['deactivate: activated true → false']],
    [
      'another gateway',
      { spec: { ipAddress: '10.0.0.5' }, desired: { gateway: { id: '2', zone: 'is1b' } } },
      [
        'clearIP: ipAddress 10.0.0.5 → none',
        'unregister: gatewayRef 1 → none',
        'register: gatewayRef none → 2',
        'setIP: ipAddress none → 10.0.0.5',
      ],
    ],
    [
      'another address',
      { spec: { ipAddress: '10.0.0.6' }, desired: { gateway: depot } },
      ['setIP: ipAddress 10.0.0.5 → 10.0.0.6'],
    ],
    [
      'an address given up for others',
      {
        spec: { ipAddress: '10.0.0.6' },
        desired: { gateway: depot },
        facts: { address: { do: 'clear', holder: 'the Sim fleet/b' } },
      },
      ['clearIP: ipAddress 10.0.0.5 → none'],
    ],
    [
      'another lock',
      { spec: { imeiLock: '490154203237518' } },
      ['lockIMEI: imeiLock 356938035643809 → 490154203237518'],
    ],
    [
      'a lock that is no more wanted',
      { facts: { applied: { imeiLock: '356938035643809' } } },
      ['unlockIMEI: imeiLock 356938035643809 → not locked'],
    ],
    ['a reconnect', { desired: { reconnectAt: 'now' } }, ['reconnect: ']],
    ['nothing', {}, []],
  ])('%s', (_, situation, expected) => {
    expect(told(planSim(factsOf(situation)).steps)).toEqual(expected);
  });

  it('a deletion', () => {
    expect(told(planSimDeletion(factsOf({})).steps)).toEqual([
      'clearIP: ipAddress 10.0.0.5 → none',
      'unregister: gatewayRef 1 → none',
      'deactivate: activated true → false',
      'delete: ',
    ]);
  });
});

it('a SIM is locked to its device before it comes into the network of a gateway', () => {
  const spec = { activated: true, gatewayRef: { name: 'depot' }, ipAddress: '10.0.0.5', imeiLock: '356938035643809' };
  const { steps } = planSim(factsOf({ spec, desired: { gateway: depot }, observed: undefined }));
  expect(steps.map((step) => step.do)).toEqual(['create', 'activate', 'lockIMEI', 'register', 'setIP']);
});

describe('a SIM is activated because its limit holds it no longer', () => {
  const pending = ['carriers', 'activated', 'dataLimit', 'imeiLock', 'gateway', 'ipAddress'];

  it.each<[string, Partial<SimFacts>, string | undefined]>([
    ['where that is on record', { applied: { dataLimit: 'Deactivated' } }, 'DataLimitEnded'],
    ['where a process ended while it was stopped', { pending: ['dataLimit'] }, 'DataLimitEnded'],
    ['but not where it was made and not finished', { pending }, undefined],
  ])('%s', (_, facts, cause) => {
    const { steps } = planSim(factsOf({ spec: { activated: true }, observed: { ...there, activated: false }, facts }));
    expect(steps.filter((step) => step.do === 'activate').map((step) => step.cause)).toEqual([cause]);
  });
});
