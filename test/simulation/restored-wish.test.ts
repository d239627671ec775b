import { expect, it } from 'vitest';
import { createVirtualFleet, iccidOf } from './fleet.ts';

const SECOND = 1000;
const SIM = { id: '113300003001', iccid: iccidOf(1), name: 'truck', activated: true };
const SIMS = '/apis/edgeline.dev/v1alpha1/namespaces/fleet/sims';
const PATH = `${SIMS}/truck`;
const WISH = { annotations: { 'edgeline.dev/reconnect-at': 'now' } };

it.each(['with its status', 'without its status'])(
  'a wish to reconnect that comes back from a backup %s is not carried out a second time',
  async (what) => {
    const fleet = createVirtualFleet({ seeds: { fleet: { sims: [SIM] } } });
    const { world } = fleet;
    const letPass = (seconds: number) => world.run(world.now() + seconds * SECOND);
    let reconnects = 0;
    world.onMessage((moment, { to, route }) => {
      if (moment === 'arrived' && to === 'service' && route.endsWith('/reconnect')) reconnects++;
    });
    world.start('operator');
    fleet.createSim('fleet', 'truck', 1);
    await letPass(60);
    fleet.patch(PATH, { metadata: WISH });
    await letPass(60);
    const { status } = fleet.read(PATH);
    const before = reconnects;

    fleet.patch(PATH, { metadata: { finalizers: null } });
    world.apiserver.handle({ method: 'DELETE', path: PATH, user: 'user' });
    fleet.create(SIMS, {
      apiVersion: 'edgeline.dev/v1alpha1',
      kind: 'Sim',
      metadata: { name: 'truck', ...WISH },
      spec: { iccid: SIM.iccid },
    });
    if (what === 'with its status') fleet.patch(`${PATH}/status`, { status });
    await letPass(300);
    fleet.patch(PATH, { metadata: { annotations: { 'edgeline.dev/reconnect-at': 'again' } } });
    await letPass(60);
    expect({ before, after: reconnects, waiting: [...fleet.waiting('fleet')] }).toEqual({
      before: 1,
      after: 2,
      waiting: [],
    });
  },
);
