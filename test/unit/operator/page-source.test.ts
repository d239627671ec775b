import { expect, it } from 'vitest';
import { createPageSource } from '../../../src/operator/page-source.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { partial } from '../../support/partial.ts';

const SIM = {
  id: '113300500001',
  iccid: '8981040000000000001',
  createdAt: '2026-01-01T00:00:00Z',
  status: { ip: '10.64.0.7', connectedIMEI: '358114745202363' },
};

it.each([
  [true, { takenAt: 0, sim: SIM.status }],
  [false, undefined],
])('shows the session of a SIM to whose it is: %s', (isIts, expected) => {
  const object = {
    apiVersion: 'edgeline.dev/v1alpha1',
    kind: 'Sim',
    metadata: { namespace: 'fleet', name: 'one', uid: 'uid', resourceVersion: '1' },
    spec: { iccid: SIM.iccid },
    status: { uid: 'uid', id: SIM.id },
  };
  const sims = { snapshot: () => ({ startedAt: 0, items: new Map([[SIM.id, SIM]]) }) };
  const source = createPageSource(
    partial<Parameters<typeof createPageSource>[0]>({
      options: { clock: new ManualClock(0) },
      informers: { managed: new Map(), of: { Sim: { get: () => object } } },
      wiring: {
        registry: { get: () => ({ verified: true, sims }) },
        users: { accountOf: () => 'ClusterCloudAccount//default' },
        sims: { holders: { has: () => isIts } },
      },
    }),
  );
  expect(source.session(object)).toEqual(expected);
});
