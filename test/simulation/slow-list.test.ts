import { expect, it } from 'vitest';
import { atFirst } from './at-first.ts';
import { createVirtualFleet, iccidOf } from './fleet.ts';

const SECOND = 1000;
const GROUP = '/apis/edgeline.dev/v1alpha1/namespaces/fleet';
const passCodeSecretRef = { name: 'pass-codes', key: 'code' };

it.each([
  { plural: 'sims', route: 'GET /commonserviceitem', skip: 1 },
  { plural: 'mobilegateways', route: 'GET /appliance', skip: 0 },
])(
  'a process that begins, and waits long for its first list, takes nothing away from what statuses say: $plural',
  async ({ plural, route, skip }) => {
    const fleet = createVirtualFleet({ seeds: { fleet: {} } });
    const { world } = fleet;
    const first = world.start('first');
    for (let number = 0; number < 20; number++) {
      fleet.createSim('fleet', `sim-${number}`, number, { passCodeSecretRef });
    }
    fleet.create(`${GROUP}/mobilegateways`, {
      apiVersion: 'edgeline.dev/v1alpha1',
      kind: 'MobileGateway',
      metadata: { name: 'one', namespace: 'fleet' },
      spec: { zone: 'is1b', planID: 2, internetConnection: true },
    });
    await world.run(600 * SECOND);
    expect(fleet.waiting('fleet', plural)).toEqual(new Set());
    first.stop('never');
    await world.run(world.now() + 60 * SECOND);

    if (plural === 'sims') fleet.patch(`${GROUP}/sims/sim-0/status`, { status: { uid: 'of-another' } });
    const written: string[] = [];
    const answered: number[] = [];
    world.apiserver.onChange(({ resource, new: object }) => {
      const { name } = object?.metadata ?? {};
      // What a backup brought is of another resource, and nobody has looked at it for this one.
      if (resource === plural && name !== 'sim-0') written.push(`${name} ${JSON.stringify(object?.['status'])}`);
    });
    world.onMessage((moment, message) => {
      if (moment === 'answered' && message.route === route) answered.push(world.now());
    });
    // The account's own try of its credentials is of SIMs, and goes first.
    world.arm({
      to: 'service',
      fits: (message) => message.route === route,
      count: 2,
      skip,
      fault: 'slow',
      milliseconds: 24_000,
    });
    const startedAt = world.now();
    world.start('second');
    await world.run(startedAt + 12 * SECOND);
    expect([...fleet.waiting('fleet', plural)]).toEqual(plural === 'sims' ? ['sim-0'] : []);
    await world.run(startedAt + 45 * SECOND);
    expect([...fleet.waiting('fleet', plural)]).toEqual([]);
    expect((answered[skip] ?? 0) - startedAt).toBeGreaterThan(15 * SECOND);
    expect(written).toEqual([]);
  },
);

it('what was put right and not seen since is not told as Synced while the first list with another token is awaited', async () => {
  const fleet = createVirtualFleet({ seeds: { fleet: {} } });
  const { world } = fleet;
  fleet.createSim('fleet', 'one', 1, { passCodeSecretRef, activated: true });
  world.start('first');
  await world.run(600 * SECOND);
  const secretOf = (token: string) => ({
    data: Object.fromEntries(
      Object.entries({ accessToken: `token-${token}`, accessTokenSecret: `secret-${token}` }).map(([key, text]) => [
        key,
        Buffer.from(text).toString('base64'),
      ]),
    ),
  });
  const exchange = (token: string) => fleet.patch('/api/v1/namespaces/fleet/secrets/credentials', secretOf(token));
  const lists = (count: number) =>
    world.arm({
      to: 'service',
      fits: ({ route }) => route === 'GET /commonserviceitem',
      count,
      skip: 0,
      fault: 'slow',
      milliseconds: 24_000,
    });
  // Nothing was sent since it was seen: another token takes nothing away from that.
  exchange('fleet-2');
  lists(2);
  await world.run(world.now() + 12 * SECOND);
  expect([...fleet.waiting('fleet')]).toEqual([]);
  await world.run(world.now() + 120 * SECOND);

  const isPutRight = atFirst(
    world,
    'arrived',
    ({ route }) => route.endsWith('/sim/activate'),
    () => {
      exchange('fleet');
      lists(2);
    },
  );
  world.service.edit({ sims: { [iccidOf(1)]: { activated: false } } });
  await world.run(world.now() + 300 * SECOND, isPutRight);
  expect(isPutRight()).toBe(true);
  await world.run(world.now() + 12 * SECOND);
  expect([...fleet.waiting('fleet')]).toEqual(['one']);
  await world.run(world.now() + 60 * SECOND);
  expect([...fleet.waiting('fleet')]).toEqual([]);
});
