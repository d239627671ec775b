import { expect, it } from 'vitest';
import * as z from 'zod';
import { createVirtualFleet, iccidOf, type VirtualFleet } from './fleet.ts';

const SECOND = 1000;
const GROUP = '/apis/edgeline.dev/v1alpha1';
const SIMS = `${GROUP}/namespaces/fleet/sims`;
const EXISTING = { id: '113300500001', iccid: iccidOf(1), name: 'one', activated: true };
const passCodeSecretRef = { name: 'pass-codes', key: 'code' };

const simSchema = z.object({
  status: z
    .object({
      id: z.string().optional(),
      conditions: z.array(z.looseObject({ reason: z.string(), message: z.string() })),
    })
    .loose(),
});

function simOf({ world }: VirtualFleet, name: string) {
  const answer = world.apiserver.handle({ method: 'GET', path: `${SIMS}/${name}`, user: 'user' });
  return 'body' in answer && answer.status < 300 ? simSchema.parse(JSON.parse(answer.body)) : undefined;
}

it('Sims restored with a status from before they had a SIM, and in another account than by now, are made without an end to try', async () => {
  const fleet = createVirtualFleet({ seeds: { fleet: {}, shared: {} } });
  const { world } = fleet;
  fleet.create(`${GROUP}/clustercloudaccounts`, {
    apiVersion: 'edgeline.dev/v1alpha1',
    kind: 'ClusterCloudAccount',
    metadata: { name: 'default' },
    spec: {
      baseURL: 'https://service.example',
      secretNamespace: 'shared',
      credentialsSecretRef: { name: 'credentials' },
    },
  });
  world.start('operator');
  await world.run(60 * SECOND);
  const count = 20;
  let posts = 0;
  world.onMessage((moment, { to, verb }) => {
    if (to === 'service' && verb === 'POST' && moment === 'begun') posts++;
  });
  for (let number = 1; number <= count; number++) {
    fleet.createSim('fleet', `restored-${number}`, number, { passCodeSecretRef });
    fleet.patch(`${SIMS}/restored-${number}/status`, {
      status: {
        uid: 'of-before',
        observedGeneration: 1,
        accountRef: { kind: 'ClusterCloudAccount', name: 'default' },
        conditions: [
          {
            type: 'Ready',
            status: 'False',
            reason: 'Queued',
            message: 'Waiting for its turn.',
            observedGeneration: 1,
            lastTransitionTime: '2026-01-01T00:00:00Z',
          },
        ],
      },
    });
  }
  const began = world.now();
  await world.run(began + 60 * SECOND, () => fleet.waiting('fleet').size === 0);
  expect({ waiting: [...fleet.waiting('fleet')], posts }).toEqual({ waiting: [], posts: count });
});

it('a Sim with the status of another says whose it is, and is no obstacle to its own deletion', async () => {
  const fleet = createVirtualFleet({ seeds: { fleet: { sims: [EXISTING] } } });
  const { world } = fleet;
  fleet.createSim('fleet', 'one', 1);
  world.start('operator');
  await world.run(60 * SECOND);
  fleet.createSim('fleet', 'two', 2, { passCodeSecretRef, deletionPolicy: 'Delete' });
  fleet.patch(`${SIMS}/two/status`, { status: simOf(fleet, 'one')?.status ?? {} });
  const written: string[] = [];
  world.service.onChange(({ route }) => written.push(route));
  await world.run(world.now() + 300 * SECOND);
  expect(simOf(fleet, 'two')?.status.conditions[0]).toMatchObject({
    reason: 'NotTheSame',
    message: expect.stringContaining(
      `names SIM ${EXISTING.id}, which has another ICCID; the account has none with ICCID ${iccidOf(2)}.`,
    ),
  });
  world.apiserver.handle({ method: 'DELETE', path: `${SIMS}/two`, user: 'user' });
  await world.run(world.now() + 300 * SECOND);
  expect([simOf(fleet, 'two'), written, [...fleet.waiting('fleet')]]).toEqual([undefined, [], []]);
});

it('a Sim restored without its status makes no SIM in an account that is being deleted, and does not keep that account', async () => {
  const fleet = createVirtualFleet({ seeds: { fleet: {} } });
  const { world } = fleet;
  const account = `${GROUP}/namespaces/fleet/cloudaccounts/default`;
  world.start('operator');
  fleet.createSim('fleet', 'one', 1, { passCodeSecretRef });
  fleet.createSim('fleet', 'two', 2, { passCodeSecretRef });
  await world.run(300 * SECOND);
  world.apiserver.handle({ method: 'DELETE', path: account, user: 'user' });
  await world.run(world.now() + 30 * SECOND);
  fleet.patch(`${SIMS}/one`, { metadata: { finalizers: [] } });
  world.apiserver.handle({ method: 'DELETE', path: `${SIMS}/one`, user: 'user' });
  world.service.remove('sims', iccidOf(1));
  fleet.create(SIMS, {
    apiVersion: 'edgeline.dev/v1alpha1',
    kind: 'Sim',
    metadata: { name: 'one', finalizers: ['edgeline.dev/create'] },
    spec: { iccid: iccidOf(1), passCodeSecretRef },
  });
  await world.run(world.now() + 900 * SECOND);
  expect([...world.service.world('fleet').sims.values()].map(({ iccid }) => iccid)).toEqual([iccidOf(2)]);
  expect(simOf(fleet, 'one')?.status.conditions).toMatchObject([
    { reason: 'AccountNotReady', message: expect.stringContaining('is being deleted and takes on nothing new') },
    { reason: 'AccountNotReady' },
    { reason: 'AccountNotReady' },
  ]);
  world.apiserver.handle({ method: 'DELETE', path: `${SIMS}/two`, user: 'user' });
  await world.run(world.now() + 300 * SECOND);
  expect(world.apiserver.get('cloudaccounts', 'fleet', 'default')).toBeUndefined();
});
