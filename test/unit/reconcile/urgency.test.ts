import { expect, it } from 'vitest';
import type { Sim } from '../../../src/kinds/sim/schema.ts';
import { isToBeDeactivated } from '../../../src/kinds/sim/status.ts';
import { urgencyOf } from '../../../src/reconcile/urgency.ts';

function sim(spec: Partial<Sim['spec']>, status?: Sim['status'], deletionTimestamp?: string): Sim {
  return {
    apiVersion: 'edgeline.dev/v1alpha1',
    kind: 'Sim',
    metadata: {
      name: 'a',
      namespace: 'b',
      uid: 'c',
      resourceVersion: '1',
      ...(deletionTimestamp && { deletionTimestamp }),
    },
    spec: { iccid: '1', ...spec },
    ...(status && { status }),
  };
}

const active = { id: '1', activated: true };

it.each([
  ['is to be deleted', sim({}, active, '2026-01-01T00:00:00Z'), 'urgent'],
  ['is new and to be deleted', sim({}, undefined, '2026-01-01T00:00:00Z'), 'urgent'],
  ['is active and is not to be', sim({ activated: false }, active), 'urgent'],
  [
    'was activated by this resource, which no longer says so',
    sim({}, { ...active, applied: { activated: true } }),
    'urgent',
  ],
  ['is active, of which the spec never said anything', sim({}, active), 'change'],
  ['is active, as it should be', sim({ activated: true }, active), 'change'],
  [
    'is active and is not to be, but only observed',
    sim({ activated: false, managementPolicy: 'Observe' }, active),
    'change',
  ],
  ['is still to be made, as inactive', sim({ activated: false }), 'creation'],
  ['has only been told to wait', sim({}, { observedGeneration: 1, conditions: [] }), 'creation'],
] as const)('the work on a SIM that %s', (_, object, urgency) => {
  expect(urgencyOf({ isUrgent: isToBeDeactivated }, object)).toBe(urgency);
});
