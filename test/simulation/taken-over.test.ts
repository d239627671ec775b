import { expect, it } from 'vitest';
import type { Message } from '../../src/shadow/world/messages.ts';
import { createVirtualFleet, iccidOf } from './fleet.ts';

/** Another process takes over whose watches have been silent, or that finds no Lease. */

const SECOND = 1000;
const SIM = '/apis/edgeline.dev/v1alpha1/namespaces/fleet/sims/one';
const LEASE = '/apis/coordination.k8s.io/v1/namespaces/edgeline-system/leases/edgeline-operator';
const passCodeSecretRef = { name: 'pass-codes', key: 'code' };

/** A Sim that is Ready, a leader, a standby, and what is written to the service from then on. */
async function createPair() {
  const fleet = createVirtualFleet({ seeds: { fleet: {} } });
  const { world } = fleet;
  const letPass = (seconds: number) => world.run(world.now() + seconds * SECOND);
  const leader = world.start('leader', { leaderElect: true });
  await letPass(30);
  const standby = world.start('standby', { leaderElect: true });
  fleet.createSim('fleet', 'one', 1, { passCodeSecretRef, activated: true });
  await letPass(600);
  expect([...fleet.waiting('fleet')]).toEqual([]);
  const written: Message[] = [];
  world.onMessage((moment, message) => {
    if (moment === 'written' && message.to === 'service') written.push(message);
  });
  const writes = () => written.filter(({ route }) => !route.startsWith('GET ')).map(({ route }) => route);
  return { fleet, world, leader, standby, letPass, written, writes };
}

it.each([0, 60, 110])(
  'what was orphaned is not deleted by a standby whose watches were silent: %s s',
  async (frozen) => {
    const { fleet, world, leader, standby, letPass } = await createPair();
    world.partition('service', 20 * SECOND, 'leader');
    world.apiserver.handle({ method: 'DELETE', path: SIM, user: 'user' });
    await letPass(1);
    if (frozen > 0) standby.watches.freeze(frozen * SECOND);
    await letPass(1);
    fleet.patch(SIM, { spec: { deletionPolicy: 'Orphan' } });
    await letPass(10);
    expect(world.apiserver.get('sims', 'fleet', 'one')).toBeUndefined();
    leader.stop('never');
    await letPass(300);
    expect(world.service.world('fleet').sims.size).toBe(1);
  },
);

it('what was orphaned is not deleted by the process that leads, whose watches are silent', async () => {
  const { fleet, world, leader, standby, letPass } = await createPair();
  standby.stop('never');
  world.partition('service', 20 * SECOND, 'leader');
  world.apiserver.handle({ method: 'DELETE', path: SIM, user: 'user' });
  await letPass(18);
  leader.watches.freeze(110 * SECOND);
  fleet.patch(SIM, { spec: { deletionPolicy: 'Orphan' } });
  await letPass(300);
  expect([world.apiserver.get('sims', 'fleet', 'one'), world.service.world('fleet').sims.size]).toEqual([undefined, 1]);
});

it.each([
  ['deactivated', { spec: { activated: false } }, { route: 'PUT /commonserviceitem/:id/sim/deactivate' }],
  ['paused', { metadata: { annotations: { 'edgeline.dev/paused': 'true' } } }, undefined],
] as const)('what was %s is left so by a standby whose watches were silent', async (_, patch, expected) => {
  const { fleet, world, leader, standby, letPass, writes } = await createPair();
  standby.watches.freeze(110 * SECOND);
  await letPass(1);
  fleet.patch(SIM, patch);
  await letPass(10);
  // Somebody deactivates at the service what is paused.
  if (!expected) world.service.edit({ sims: { [iccidOf(1)]: { activated: false } } });
  leader.stop('never');
  await letPass(90);
  expect(writes()).toEqual(expected ? [expected.route] : []);
});

it.each([0, 9])('the Lease is deleted while its holder can’t be reached for %s s: no two send at once', async (cut) => {
  const { fleet, world, letPass, written } = await createPair();
  for (let number = 2; number < 200; number++) {
    world.at(world.now() + number * 300, () =>
      fleet.createSim('fleet', `sim-${number}`, number, { passCodeSecretRef, activated: true }),
    );
  }
  await letPass(10);
  if (cut > 0) world.partition('kubernetes', cut * SECOND, 'leader');
  world.apiserver.handle({ method: 'DELETE', path: LEASE, user: 'user' });
  await letPass(120);
  const senders = written.map(({ process }) => process);
  const first = senders.indexOf('standby');
  expect(first === -1 ? [] : senders.slice(first).filter((process) => process === 'leader')).toEqual([]);
  await letPass(600);
  expect(fleet.waiting('fleet').size).toBe(0);
});
