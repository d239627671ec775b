import { expect, it } from 'vitest';
import type { SimItem } from '../../../../src/cloud/sim/types.ts';
import type { Sim } from '../../../../src/kinds/sim/schema.ts';
import { simFigures } from '../../../../src/operator/metrics/figures.ts';
import { fleetSource } from '../../../../src/operator/metrics/fleet.ts';
import type { Wiring } from '../../../../src/operator/wiring.ts';
import { ManualClock } from '../../../support/manual-clock.ts';
import { partial } from '../../../support/partial.ts';

const ITEM = partial<SimItem>({ id: '1', iccid: '8981040000000000001', status: { sessionStatus: 'UP' } });

const simOf = (namespace: string): Sim =>
  partial({ metadata: { namespace, name: 'one', uid: namespace }, spec: { iccid: ITEM.iccid }, status: { id: '1' } });

it('a SIM counts for whose it is, and shows what it does to nobody else who names it', () => {
  const clock = new ManualClock();
  const session = { verified: true };
  const sims = {
    snapshot: () => ({ startedAt: clock.monotonic(), items: new Map([[ITEM.id, ITEM]]) }),
    lastSeconds: () => 0,
  };
  const account = 'ClusterCloudAccount//default';
  const polled = [{ list: 'sims', informer: sims, intervalSeconds: 60 }];
  const accountRef = { kind: 'ClusterCloudAccount', name: 'default' };
  const source = fleetSource<'sim', Sim, 'sims'>(
    partial<Wiring>({
      clock,
      resourceMetrics: 'name',
      registry: { sessions: () => [{ account, session, polled }] },
      engine: { accounts: { resolve: () => ({ accountRef, session }) } },
    }),
    'sim',
    { list: () => [simOf('victim'), simOf('evil')] },
    {
      list: 'sims',
      holders: { has: ({ metadata }) => metadata.namespace === 'victim' },
      figuresOf: simFigures,
      more: (show, { metadata: { namespace = '', name } }) =>
        show('edgeline_sim_uplink_bytes_per_second', { namespace, name }, 1),
    },
  );
  const shown: [name: string, labels: object, value: number][] = [];
  source((name, labels, value) => void shown.push([name, labels, value]));
  const victim = { namespace: 'victim', name: 'one' };
  expect(shown.filter(([, labels]) => 'namespace' in labels)).toEqual([
    ['edgeline_sim_session_up', victim, 1],
    ['edgeline_sim_imei_mismatch', victim, 0],
    ['edgeline_sim_uplink_bytes_per_second', victim, 1],
  ]);
  expect(shown.find(([name]) => name === 'edgeline_account_sims')?.[2]).toBe(1);
});
