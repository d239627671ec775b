import { expect, it } from 'vitest';
import type { Message } from '../../src/shadow/world/messages.ts';
import { atFirst } from './at-first.ts';
import { createVirtualFleet } from './fleet.ts';

const SECOND = 1000;
const GATEWAYS = '/apis/edgeline.dev/v1alpha1/namespaces/fleet/mobilegateways';

/** The status that says what was made. */
const saysMade = ({ route, body = '' }: Message) =>
  route === 'patch mobilegateways/status' && body.includes('"ownership":"Created"');

it.each([0.5, 1, 2])(
  'what a process had made is on record though that arrives %d seconds after the next one began to look, and somebody renamed it',
  async (seconds) => {
    const fleet = createVirtualFleet({ seeds: { fleet: {} } });
    const { world } = fleet;
    const operator = world.start('operator');
    await world.run(60 * SECOND);
    const milliseconds = (seconds + 0.5) * SECOND;
    world.arm({ to: 'kubernetes', fits: saysMade, count: 1, skip: 0, fault: 'delayed-arrival', milliseconds });
    const isKilled = atFirst(world, 'written', saysMade, () => {
      world.service.edit({ gateways: { one: { name: 'renamed' } } });
      operator.kill(0.5 * SECOND);
      // Before it has seen a list the next one writes nothing.
      const isList = ({ route }: Message) => route === 'GET /appliance';
      world.arm({ to: 'service', fits: isList, count: 3, skip: 0, fault: 'slow', milliseconds: 6 * SECOND });
    });
    fleet.create(GATEWAYS, {
      apiVersion: 'edgeline.dev/v1alpha1',
      kind: 'MobileGateway',
      metadata: { name: 'one', namespace: 'fleet' },
      spec: { zone: 'is1b', planID: 2, internetConnection: true },
    });
    await world.run(world.now() + 600 * SECOND);
    const { id, ownership, conditions } = fleet.read(`${GATEWAYS}/one`).status;
    const made = [...world.service.world('fleet').gateways.keys()];
    const ready = conditions.find(({ type }) => type === 'Ready');
    expect({ isKilled: isKilled(), made, ownership, ready }).toMatchObject({
      isKilled: true,
      made: [id],
      ownership: 'Created',
      ready: { status: 'True' },
    });
  },
);
