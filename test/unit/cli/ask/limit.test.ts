import { expect, it } from 'vitest';
import { refuseOwned } from '../../../../src/cli/ask/api/owners.ts';
import { parseApiPath } from '../../../../src/cli/ask/api/path.ts';
import { refuseStopped } from '../../../../src/cli/ask/limit.ts';
import type { Session } from '../../../../src/cli/session.ts';
import { partial } from '../../../support/partial.ts';
import { sim } from '../objects.ts';

const dataLimit = { monthly: '1Gi', action: 'Deactivate' };
const over = { dataLimit: { month: '2026-11', exceededAt: '2026-11-20T00:00:00Z', bytes: 2 ** 31 } };

it('a SIM that its limit stops is not to be activated', () => {
  expect(() => refuseStopped({ ...sim('truck-17', over), spec: { dataLimit } })).toThrow(
    'the Sim fleet/truck-17 is over its dataLimit, so the operator would undo this',
  );
});

it('and by api, too, it is told of that limit, not of what its spec wants', async () => {
  const id = '113300000017';
  const truck = { ...sim('truck-17', { ...over, id }), spec: { dataLimit, activated: true } };
  const path = parseApiPath(`/commonserviceitem/${id}/sim/activate`, undefined);
  const session = partial<Session>({ list: async () => [truck] });
  await expect(refuseOwned(session, { method: 'PUT', path, body: undefined })).rejects.toThrow('is over its dataLimit');
});

it.each<[string, Record<string, unknown>, Record<string, unknown>]>([
  ['within its limit', { dataLimit }, {}],
  ['that is only warned of', { dataLimit: { ...dataLimit, action: 'Warn' } }, over],
  ['whose limit has left the spec', {}, over],
  ['that is only observed', { dataLimit, managementPolicy: 'Observe' }, over],
])('a SIM %s may be activated', (_, spec, status) => {
  expect(() => refuseStopped({ ...sim('truck-17', status), spec })).not.toThrow();
});
