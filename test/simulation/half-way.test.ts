import { expect, it } from 'vitest';
import { atFirst } from './at-first.ts';
import { createVirtualFleet, type VirtualFleet } from './fleet.ts';

const SECOND = 1000;
const GROUP = '/apis/edgeline.dev/v1alpha1/namespaces/fleet';
const PATH = `${GROUP}/sims/one`;
const GATEWAYS = ['depot', 'other'].map((name, index) => ({
  id: `11330000090${index}`,
  name,
  zone: 'is1b' as const,
  instanceStatus: 'up' as const,
}));
const PAUSED = { metadata: { annotations: { 'edgeline.dev/paused': 'true' } } };
const CLEAR_IP = 'DELETE /commonserviceitem/:id/sim/ip';
const SET_IP = 'PUT /commonserviceitem/:id/sim/ip';
const UNREGISTER = 'DELETE /appliance/:id/mobilegateway/sims/:id';

const DEACTIVATE = 'PUT /commonserviceitem/:id/sim/deactivate';
const moved = { gatewayRef: { name: 'other' } };
const limited = { dataLimit: { monthly: '1M', action: 'Deactivate' } };

function createGateways(fleet: VirtualFleet): void {
  for (const { id: resourceID, name, zone } of GATEWAYS) {
    fleet.create(`${GROUP}/mobilegateways`, {
      apiVersion: 'edgeline.dev/v1alpha1',
      kind: 'MobileGateway',
      metadata: { name },
      spec: { zone, resourceID },
    });
  }
}

const taken = { gatewayRef: null, ipAddress: null };
/** What its spec now says, and that was seen. */
const done = { status: 'True', observedGeneration: 2 };
const gone = { status: 'False' };
/** The refusal may come before what was done is seen. */
const seenOrNot = { observedGeneration: 2 };
/** All was set again. */
const still = { status: 'True', observedGeneration: 1 };

it.each([
  { route: UNREGISTER, spec: taken, cannot: 'paused', lives: true, expected: done },
  { route: UNREGISTER, spec: taken, cannot: 'refused', lives: true, expected: seenOrNot },
  { route: DEACTIVATE, spec: { activated: false }, cannot: 'paused', lives: true, expected: done },
  { route: DEACTIVATE, spec: { activated: false }, cannot: 'refused', lives: true, expected: seenOrNot },
  { route: SET_IP, spec: moved, cannot: 'account paused', lives: true, expected: still },
  { route: DEACTIVATE, spec: { activated: false }, cannot: 'account paused', lives: true },
  { route: DEACTIVATE, spec: limited, cannot: 'paused', lives: true },
  { route: DEACTIVATE, spec: limited, cannot: 'refused', lives: true },
  { route: CLEAR_IP, spec: moved, cannot: 'paused' },
  { route: UNREGISTER, spec: moved, cannot: 'paused' },
  { route: UNREGISTER, spec: moved, cannot: 'refused' },
  { route: DEACTIVATE, spec: { activated: false }, cannot: 'refused' },
  { route: DEACTIVATE, spec: limited, cannot: 'paused' },
  { route: DEACTIVATE, spec: limited, cannot: 'refused' },
] as const)(
  'a SIM that was, or by a dead process may have been, taken out of service is not shown as Ready: $route for $spec, $cannot',
  async ({ route, spec, cannot, lives = false, expected = gone }) => {
    const fleet = createVirtualFleet({ seeds: { fleet: { gateways: GATEWAYS } } });
    const { world } = fleet;
    const operator = world.start('operator');
    createGateways(fleet);
    fleet.createSim('fleet', 'one', 1, {
      passCodeSecretRef: { name: 'pass-codes', key: 'code' },
      carriers: [{ name: 'KDDI', allow: true }],
      activated: true,
      gatewayRef: { name: 'depot' },
      ipAddress: '10.64.0.11',
    });
    await world.run(300 * SECOND);
    expect(ready()).toMatchObject({ status: 'True', observedGeneration: 1 });
    const [id = ''] = world.service.world('fleet').sims.keys();
    world.service.edit({ sims: { [id]: { traffic: { uplinkBytes: 2_000_000, downlinkBytes: 0 } } } });
    const isTaken = atFirst(
      world,
      lives ? 'answered' : 'arrived',
      (message) => message.to === 'service' && message.route === route,
      () => {
        if (!lives) operator.kill(10 * SECOND);
        if (cannot === 'paused') fleet.patch(PATH, PAUSED);
        else if (cannot === 'account paused') fleet.patch(`${GROUP}/cloudaccounts/default`, PAUSED);
        else fleet.patch('/api/v1/namespaces/fleet/secrets/credentials', { data: { accessToken: 'd3Jvbmc=' } });
      },
    );
    fleet.patch(PATH, { spec });
    await world.run(world.now() + 180 * SECOND, isTaken);
    expect(isTaken()).toBe(true);
    await world.run(world.now() + 120 * SECOND);
    expect(ready()).toMatchObject(expected);

    function ready() {
      return fleet.read(PATH).status.conditions.find(({ type }) => type === 'Ready');
    }
  },
);

it('a SIM that its spec takes off its gateway, and that is paused at any moment after that, is not Ready by the spec before', async () => {
  const told: unknown[] = [];
  for (let index = 0; index < 24; index++) {
    const fleet = createVirtualFleet({ seeds: { fleet: { gateways: GATEWAYS } } });
    const { world } = fleet;
    world.start('operator');
    createGateways(fleet);
    fleet.createSim('fleet', 'one', 1, {
      passCodeSecretRef: { name: 'pass-codes', key: 'code' },
      activated: true,
      carriers: [{ name: 'KDDI', allow: true }],
      gatewayRef: { name: 'depot' },
      ipAddress: '10.64.0.11',
    });
    await world.run(300 * SECOND);
    let seen = -1;
    world.onMessage((moment, { route }) => {
      if (seen < 0 && (route !== UNREGISTER || moment !== 'answered')) return;
      if (++seen === index) fleet.patch(`${GROUP}/cloudaccounts/default`, PAUSED);
    });
    // What leaves the spec and stays as it is, is nobody's once it was seen anew: the pass does not end with the last step.
    fleet.patch(PATH, { spec: { gatewayRef: null, ipAddress: null, carriers: null } });
    await world.run(world.now() + 120 * SECOND);
    expect(seen).toBeGreaterThan(index);
    const ready = fleet.read(PATH).status.conditions.find(({ type }) => type === 'Ready');
    if (ready?.status === 'True' && ready['observedGeneration'] === 1) told.push(index);
  }
  expect(told).toEqual([]);
});
