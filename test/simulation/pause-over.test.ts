import { expect, it } from 'vitest';
import { createVirtualFleet } from './fleet.ts';
import { PASS_CODE } from './tenants.ts';

const MINUTE = 60_000;
const GROUP = '/apis/edgeline.dev/v1alpha1/namespaces/fleet';
const ACCOUNT = `${GROUP}/cloudaccounts/default`;
const PAUSED = 'edgeline.dev/paused';

it.each([
  [ACCOUNT, 'while the operator runs', false],
  [ACCOUNT, 'over a restart', true],
  ['/api/v1/namespaces/fleet', 'while the operator runs', false],
  ['/api/v1/namespaces/fleet', 'over a restart', true],
])(
  'nobody says that it is paused any more when the pause of %s ends %s and the service fails',
  async (on, _, isKilled) => {
    const fleet = createVirtualFleet({ seeds: { fleet: {} } });
    const { world } = fleet;
    const letPass = (minutes: number) => world.run(world.now() + minutes * MINUTE);
    const reasons = () =>
      [ACCOUNT, `${GROUP}/sims/truck-1`].map(
        (path) => fleet.read(path).status.conditions.find(({ type }) => type === 'Ready')?.reason,
      );
    fleet.patch(on, { metadata: { annotations: { [PAUSED]: 'true' } } });
    const operator = world.start('operator');
    fleet.createSim('fleet', 'truck-1', 1, PASS_CODE);
    await letPass(2);
    expect(reasons()).toEqual(['Paused', 'Paused']);
    world.arm({ to: 'service', fits: () => true, count: 1000, fault: { service: 'internal error' } });
    if (isKilled) operator.kill(5000);
    fleet.patch(on, { metadata: { annotations: { [PAUSED]: null } } });
    await letPass(3);
    expect(reasons()).toEqual(['ServiceUnavailable', 'AccountNotReady']);
    world.calm();
    await letPass(12);
    expect(reasons()).toEqual(['Verified', 'Available']);
  },
);
