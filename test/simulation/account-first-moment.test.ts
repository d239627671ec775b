import { expect, it } from 'vitest';
import { createVirtualFleet } from './fleet.ts';
import { GROUP, gateway, letPass, MGW } from './gateway-fleet.ts';

it('nothing is made in an account before its status says which account of the service it is, and all of it then', async () => {
  const fleet = createVirtualFleet({ seeds: { fleet: {} } });
  const { world } = fleet;
  fleet.patch(`${GROUP}/cloudaccounts/default`, { spec: { brakes: { gatewayCreations: { policy: 'Allow' } } } });
  gateway(fleet, 'new', { planID: 2 });
  fleet.createSim('fleet', 'one', 1, { passCodeSecretRef: { name: 'pass-codes', key: 'code' } });
  const made = () => {
    const { sims, gateways } = world.service.world('fleet');
    return { sims: sims.size, gateways: gateways.size };
  };
  const toldOf = (path: string) => {
    const synced = fleet.read(path).status.conditions.find(({ type }) => type === 'Synced');
    return `${synced?.reason}: ${String(synced?.['message'])}`;
  };
  const before = made();
  const fits = ({ route }: { readonly route: string }) => route === 'patch cloudaccounts/status';
  world.arm({ to: 'kubernetes', fits, count: 1e9, fault: 'lost-request' });
  world.start('operator');
  await letPass(fleet, 60);
  const waits =
    'AccountNotReady: The status of the CloudAccount default does not say yet which account of the service it opens, and nothing is made before.';
  expect({ made: made(), gateway: toldOf(`${MGW}/new`), sim: toldOf(`${GROUP}/sims/one`) }).toEqual({
    made: before,
    gateway: waits,
    sim: waits,
  });
  world.calm();
  await letPass(fleet, 120);
  expect({ made: made(), waiting: [...fleet.waiting('fleet'), ...fleet.waiting('fleet', 'mobilegateways')] }).toEqual({
    made: { sims: before.sims + 1, gateways: before.gateways + 1 },
    waiting: [],
  });
});
