import { expect, it } from 'vitest';
import type { Moment } from '../../src/shadow/world/messages.ts';
import { atFirst } from './at-first.ts';
import { createVirtualFleet } from './fleet.ts';

const SECOND = 1000;
/** More than clocks may differ by; the second ends the Lease that says whose the namespace is. */
const STEPS = [600 * SECOND, 3600 * SECOND];
const GROUP = '/apis/edgeline.dev/v1alpha1';
const passCodeSecretRef = { name: 'pass-codes', key: 'code' };

const kinds = [
  { plural: 'mobilegateways', creation: 'POST /appliance', made: 'gateways' },
  { plural: 'sims', creation: 'POST /commonserviceitem', made: 'sims' },
] as const;
const endings = [
  { ending: 'the process is killed as its request arrives', moment: 'arrived' },
  { ending: 'the process is killed as it has the answer', moment: 'answered' },
] as const satisfies readonly { readonly ending: string; readonly moment: Moment }[];

it.each(kinds.flatMap((kind) => endings.flatMap((ending) => STEPS.map((step) => ({ ...kind, ...ending, step })))))(
  'a clock that is set $step ms forward right before something is asked for makes nobody ask twice: $plural, $ending',
  async ({ plural, creation, made, moment, step }) => {
    const fleet = createVirtualFleet({ seeds: { fleet: {} } });
    const { world } = fleet;
    const operator = world.start('operator');
    await world.run(60 * SECOND);
    const before = world.service.world('fleet')[made].size;
    const isKilled = atFirst(
      world,
      moment,
      ({ to, route }) => to === 'service' && route === creation,
      () => operator.kill(5000),
    );
    operator.stepClock(step);
    if (plural === 'sims') fleet.createSim('fleet', 'new', 7, { passCodeSecretRef });
    else {
      fleet.create(`${GROUP}/namespaces/fleet/mobilegateways`, {
        apiVersion: 'edgeline.dev/v1alpha1',
        kind: 'MobileGateway',
        metadata: { name: 'new' },
        spec: { zone: 'is1b', planID: 2 },
      });
    }
    await world.run(world.now() + 1800 * SECOND);
    expect({
      isKilled: isKilled(),
      made: world.service.world('fleet')[made].size - before,
      waiting: [...fleet.waiting('fleet', plural)],
    }).toEqual({ isKilled: true, made: 1, waiting: [] });
  },
);
