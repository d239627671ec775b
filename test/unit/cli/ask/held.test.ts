import { expect, it } from 'vitest';
import { refuseHeld } from '../../../../src/cli/ask/held.ts';
import { sim } from '../objects.ts';

const dataLimit = { monthly: '1Gi', action: 'Deactivate' };
const over = { dataLimit: { month: '2026-11', exceededAt: '2026-11-20T00:00:00Z', bytes: 2 ** 31 } };

it('a SIM that its limit stops is not to be activated', () => {
  expect(() => refuseHeld({ ...sim('truck-17', over), spec: { dataLimit } })).toThrow(
    'the Sim fleet/truck-17 is over its dataLimit, so the operator would undo this',
  );
});

it.each<[string, Record<string, unknown>, Record<string, unknown>]>([
  ['within its limit', { dataLimit }, {}],
  ['that is only warned of', { dataLimit: { ...dataLimit, action: 'Warn' } }, over],
  ['whose limit has left the spec', {}, over],
  ['that is only observed', { dataLimit, managementPolicy: 'Observe' }, over],
])('a SIM %s may be activated', (_, spec, status) => {
  expect(() => refuseHeld({ ...sim('truck-17', status), spec })).not.toThrow();
});
