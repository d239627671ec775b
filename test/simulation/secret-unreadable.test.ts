import { expect, it } from 'vitest';
import type { Message } from '../../src/shadow/world/messages.ts';
import { createVirtualFleet } from './fleet.ts';
import { GROUP, letPass, SIM } from './gateway-fleet.ts';

it('a Sim whose Secret the apiserver fails to give says so once that lasts, and goes on once it is given', async () => {
  const fleet = createVirtualFleet({ seeds: { fleet: { sims: [SIM] } } });
  const { world } = fleet;
  world.start('operator');
  const fits = ({ target }: Message) => target.includes('secrets/pass-codes');
  world.arm({ to: 'kubernetes', fits, count: 1e9, fault: { kubernetes: 500 } });
  const statusOf = () => fleet.read(`${GROUP}/sims/made`).status;
  const synced = () => statusOf().conditions.find(({ type }) => type === 'Synced');
  fleet.createSim('fleet', 'made', 2, { passCodeSecretRef: { name: 'pass-codes', key: 'code' } });
  await letPass(fleet, 25);
  expect(synced()).toBeUndefined();
  await letPass(fleet, 60);
  expect(synced()).toMatchObject({ status: 'False', reason: 'SecretUnreadable' });
  expect(synced()?.['message']).toMatch(
    /^The Secret pass-codes in namespace fleet can't be read: .+ See what keeps the apiserver from giving it \(kubectl get secret -n fleet pass-codes\)/,
  );
  world.calm();
  await letPass(fleet, 400);
  expect(synced()).toMatchObject({ status: 'True', reason: 'Available' });
  expect(world.service.world('fleet').sims.size).toBe(2);
});
