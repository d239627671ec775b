import { expect, it } from 'vitest';
import type { Message, Moment } from '../../src/shadow/world/messages.ts';
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

it.each([0, ...STEPS])(
  'a clock that is set %d ms forward right after a write got no answer makes nobody forget that this may still arrive',
  async (step) => {
    const site = { id: '113300001001', name: 'www', domain: 'a.example.jp' };
    const fleet = createVirtualFleet({ seeds: { fleet: { sites: [site] } } });
    const { world } = fleet;
    const operator = world.start('operator');
    const path = `${GROUP}/namespaces/fleet/webaccelsites`;
    fleet.create(path, {
      apiVersion: 'edgeline.dev/v1alpha1',
      kind: 'WebAccelSite',
      metadata: { name: 'www' },
      spec: { siteID: site.id, accessControl: ['deny 192.0.2.1', 'allow all'] },
    });
    await world.run(600 * SECOND);
    const isWrite = ({ to, verb }: Message) => to === 'service' && verb !== 'GET';
    world.arm({
      to: 'service',
      fits: isWrite,
      count: 1,
      skip: 0,
      fault: 'delayed-arrival',
      milliseconds: 100 * SECOND,
    });
    const isSent = atFirst(world, 'written', isWrite);
    fleet.patch(`${path}/www`, { spec: { accessControl: ['deny 192.0.2.2', 'allow all'] } });
    await world.run(world.now() + 60 * SECOND, isSent);
    await world.run(world.now() + 2 * SECOND);
    fleet.patch(`${path}/www`, { spec: { accessControl: null } });
    if (step > 0) operator.stepClock(step);
    const seen = () => ({
      acl: world.service.world('fleet').sites.get(site.id)?.acl,
      synced: fleet.read(`${path}/www`).status.conditions.find(({ type }) => type === 'Synced')?.status,
    });
    await world.run(world.now() + 60 * SECOND);
    expect(seen().synced).toBe('False');
    await world.run(world.now() + 600 * SECOND);
    expect(seen()).toEqual({ acl: '', synced: 'True' });
  },
);
