import { expect, it } from 'vitest';
import type { Message } from '../../src/shadow/world/messages.ts';
import { createVirtualFleet } from './fleet.ts';

const HOUR = 3_600_000;
const SITES = `/apis/edgeline.dev/v1alpha1/namespaces/fleet/webaccelsites`;
const seeds = Array.from({ length: 70 }, (_, index) => ({
  id: String(113_300_010_001 + index),
  name: `s${index}`,
  domain: `s${index}.example.jp`,
}));
const refused = seeds.slice(0, 60);

/** Seventy sites, all as their specs say. */
async function createSettled() {
  const fleet = createVirtualFleet({ seeds: { fleet: { sites: seeds } } });
  const { world } = fleet;
  const letPass = (milliseconds: number) => world.run(world.now() + milliseconds);
  world.start('operator');
  for (const { id, name } of seeds) {
    const spec = { siteID: id, managementPolicy: 'Manage', defaultCacheTTL: 0 };
    fleet.create(SITES, { apiVersion: 'edgeline.dev/v1alpha1', kind: 'WebAccelSite', metadata: { name }, spec });
  }
  await letPass(HOUR);
  return { fleet, world, letPass };
}

it('sites whose change is refused again and again leave the others of the account their part of the hour', async () => {
  const { fleet, world, letPass } = await createSettled();
  const idOf = ({ target }: Message) => /site\/(\d+)/.exec(target)?.[1] ?? '';
  const isPut = ({ to, route }: Message) => to === 'service' && route === 'PUT webaccel/site/:id';
  const fits = (message: Message) => isPut(message) && refused.some(({ id }) => id === idOf(message));
  world.arm({ to: 'service', fits, count: 1e9, fault: { service: 'conflict' } });
  for (const { name } of refused) fleet.patch(`${SITES}/${name}`, { spec: { defaultCacheTTL: 60 } });
  await letPass(HOUR);
  let tries = 0;
  let statuses = 0;
  const reads = new Map<string, number>();
  world.onMessage((moment, message) => {
    if (moment !== 'written') return;
    if (isPut(message)) tries++;
    if (message.route === 'patch webaccelsites/status') statuses++;
    if (message.route === 'GET webaccel/site/:id') reads.set(idOf(message), (reads.get(idOf(message)) ?? 0) + 1);
  });
  await letPass(4 * HOUR);
  // A fifth of 500 an hour, and what was in the middle of it.
  expect(tries).toBeLessThanOrEqual(4 * 100 + 60);
  expect(statuses).toBeLessThanOrEqual(4 * tries);
  expect(Math.min(...seeds.map(({ id }) => reads.get(id) ?? 0))).toBeGreaterThanOrEqual(2);
  world.calm();
  await letPass(HOUR);
  expect([...fleet.waiting('fleet', 'webaccelsites')]).toEqual([]);
});

it('sites that were refused once, long ago, delay nothing', async () => {
  const { fleet, world, letPass } = await createSettled();
  const fits = ({ to, route }: Message) => to === 'service' && route === 'PUT webaccel/site/:id';
  world.arm({ to: 'service', fits, count: 60, fault: { service: 'conflict' } });
  for (const { name } of refused) fleet.patch(`${SITES}/${name}`, { spec: { defaultCacheTTL: 60 } });
  await letPass(HOUR);
  expect([...fleet.waiting('fleet', 'webaccelsites')]).toEqual([]);
  world.arm({ to: 'service', fits, count: 4, fault: { service: 'conflict' } });
  fleet.patch(`${SITES}/s65`, { spec: { defaultCacheTTL: 60 } });
  await letPass(HOUR / 20);
  expect([...fleet.waiting('fleet', 'webaccelsites')]).toEqual([]);
});

/** Sites in namespaces, by how many each has, which use one account; all as their specs say. */
async function createShared(counts: Readonly<Record<string, number>>) {
  const sites = Object.entries(counts).flatMap(([namespace, count]) =>
    Array.from({ length: count }, (_, index) => ({ namespace, name: `${namespace}-${index}` })),
  );
  const all = sites.map((site, index) => ({ ...site, id: String(113_300_010_001 + index), path: pathOf(site) }));
  const own = all.map(({ id, name }) => ({ id, name, domain: `${name}.example.jp` }));
  const others = Object.fromEntries(Object.keys(counts).map((namespace) => [namespace, {}]));
  const fleet = createVirtualFleet({ seeds: { ...others, fleet: { sites: own } }, shared: 'fleet' });
  const { world } = fleet;
  const operator = world.start('operator');
  for (const { id, name, namespace } of all) {
    const spec = { siteID: id, managementPolicy: 'Manage', defaultCacheTTL: 0 };
    const path = `/apis/edgeline.dev/v1alpha1/namespaces/${namespace}/webaccelsites`;
    fleet.create(path, { apiVersion: 'edgeline.dev/v1alpha1', kind: 'WebAccelSite', metadata: { name }, spec });
  }
  await world.run(2 * HOUR);
  const waiting = () => Object.keys(counts).reduce((sum, one) => sum + fleet.waiting(one, 'webaccelsites').size, 0);
  return {
    fleet,
    world,
    operator,
    all,
    waiting,
    change: (some: readonly { readonly path: string }[]) => {
      for (const { path } of some) fleet.patch(path, { spec: { defaultCacheTTL: 60 } });
    },
    /** Those whose settings the service does not take, for so many times. */
    fail(some: readonly { readonly id: string }[], fault: 'conflict' | 'internal error', count = 1e9) {
      const ids = new Set(some.map(({ id }) => id));
      const fits = (message: Message) => isSettings(message) && ids.has(siteOf(message));
      world.arm({ to: 'service', fits, count, fault: { service: fault } });
    },
    letPass: (milliseconds: number) => world.run(world.now() + milliseconds),
  };
}

const pathOf = ({ namespace, name }: { readonly namespace: string; readonly name: string }) =>
  `/apis/edgeline.dev/v1alpha1/namespaces/${namespace}/webaccelsites/${name}`;
const siteOf = ({ target }: Message) => /site\/(\d+)/.exec(target)?.[1] ?? '';
const isSettings = ({ to, route }: Message) => to === 'service' && route === 'PUT webaccel/site/:id';

it('a hundred and sixty sites that are refused at once delay no other of their namespace', async () => {
  const { all, world, change, fail, letPass, waiting } = await createShared({ fleet: 165 });
  let tries = 0;
  world.onMessage((moment, message) => {
    if (moment === 'written' && isSettings(message)) tries++;
  });
  fail(all.slice(0, 160), 'conflict');
  change(all.slice(0, 160));
  await letPass(HOUR / 4);
  change(all.slice(163, 164));
  await letPass(HOUR / 60);
  expect(waiting()).toBe(160);
  await letPass((3 * HOUR) / 4);
  // Each once, and a fifth of the hour, beside that of the hour before.
  expect(tries).toBeLessThanOrEqual(161 + 100 + 100);
});

it.each([
  { others: 1, times: 4, within: HOUR / 30 },
  { others: 12, times: 4, within: HOUR / 30 },
  { others: 12, times: 7, within: HOUR / 6 },
])(
  'a site that is refused $times times waits for none of $others other namespaces that have refused ones',
  async ({ others, times, within }) => {
    const tenants = Object.fromEntries(Array.from({ length: others }, (_, index) => [`t${index}`, 3]));
    const { all, change, fail, letPass, waiting } = await createShared({ fleet: 1, ...tenants });
    fail(all.slice(1), 'conflict');
    change(all.slice(1));
    await letPass(2 * HOUR);
    fail(all.slice(0, 1), 'conflict', times);
    change(all.slice(0, 1));
    await letPass(within);
    expect(waiting()).toBe(3 * others);
  },
);

it('sites that are gone delay none of their namespace', async () => {
  const { all, world, change, fail, letPass, waiting } = await createShared({ fleet: 61 });
  fail(all.slice(1), 'conflict');
  change(all.slice(1));
  await letPass(4 * HOUR);
  for (const { path } of all.slice(1)) world.apiserver.handle({ method: 'DELETE', path, user: 'user' });
  await letPass(HOUR / 10);
  fail(all.slice(0, 1), 'conflict', 4);
  change(all.slice(0, 1));
  await letPass(HOUR / 30);
  expect(waiting()).toBe(0);
});

it('sites that are refused are not all tried again by each process that is started anew', async () => {
  const { all, world, operator, change, fail, letPass } = await createShared({ fleet: 165 });
  fail(all.slice(0, 160), 'conflict');
  change(all.slice(0, 160));
  await letPass(2 * HOUR);
  let tries = 0;
  world.onMessage((moment, message) => {
    if (moment === 'written' && isSettings(message)) tries++;
  });
  for (let restarts = 0; restarts < 6; restarts++) {
    operator.kill(2000);
    await letPass(HOUR / 6);
  }
  expect(tries).toBeLessThanOrEqual(100);
});

it('a hundred and sixty sites that are refused leave an ordinary change its place in the hour, however often a process is started anew', async () => {
  const { all, operator, change, fail, letPass, waiting } = await createShared({ fleet: 165 });
  fail(all.slice(0, 160), 'conflict');
  change(all.slice(0, 160));
  await letPass(2 * HOUR);
  for (let restarts = 0; restarts < 5; restarts++) {
    operator.kill(2000);
    await letPass(HOUR / 12);
    change(all.slice(160 + restarts, 161 + restarts));
    await letPass(HOUR / 60);
    expect(waiting()).toBe(160);
  }
});

it('sites that were refused for hours go on within minutes once the service takes them, though a process was started anew meanwhile', async () => {
  const { all, world, operator, change, fail, letPass, waiting } = await createShared({ fleet: 60 });
  fail(all, 'conflict');
  change(all);
  await letPass(2 * HOUR);
  operator.kill(2000);
  await letPass(HOUR / 30);
  world.calm();
  await letPass(HOUR / 6);
  expect(waiting()).toBe(0);
});

it('sites that were refused for hours go on within minutes once the service takes them', async () => {
  const tenants = Object.fromEntries(Array.from({ length: 9 }, (_, index) => [`t${index}`, 1]));
  const { all, world, change, fail, letPass, waiting } = await createShared({ fleet: 60, ...tenants });
  fail(all, 'conflict');
  change(all);
  await letPass(6 * HOUR);
  world.calm();
  await letPass(HOUR / 6);
  expect(waiting()).toBe(0);
});

it('sites that were edited again and again while they were refused go on within minutes once the service takes them', async () => {
  const { all, fleet, world, fail, letPass, waiting } = await createShared({ fleet: 40 });
  fail(all, 'conflict');
  for (const seconds of [60, 120, 180, 240]) {
    for (const { path } of all) fleet.patch(path, { spec: { defaultCacheTTL: seconds } });
    await letPass(HOUR / 30);
  }
  world.calm();
  await letPass(HOUR / 6);
  expect(waiting()).toBe(0);
});

it.each([{ broken: 1 }, { broken: 4 }, { broken: 60 }])(
  'an hour in which the service fails the settings of $broken sites is left to what it does not fail',
  async ({ broken }) => {
    const { all, world, change, fail, letPass, waiting } = await createShared({ fleet: 70 });
    const counts = { reads: 0, writes: 0 };
    world.onMessage((moment, { to, target, verb }) => {
      if (moment !== 'written' || to !== 'service' || !target.includes('/webaccel/')) return;
      counts[verb === 'GET' ? 'reads' : 'writes']++;
    });
    fail(all.slice(0, broken), 'internal error');
    change(all.slice(0, broken));
    await letPass(HOUR);
    expect(counts.writes).toBeLessThanOrEqual(40);
    // What is looked at now and then is among them.
    expect(counts.reads).toBeLessThanOrEqual(180);
    world.calm();
    await letPass(HOUR / 6);
    expect(waiting()).toBe(0);
  },
);

it.each([{ broken: 6 }, { broken: 20 }])(
  'a change of a site that the service takes waits for none of $broken others that it fails',
  async ({ broken }) => {
    const { all, change, fail, letPass, waiting } = await createShared({ fleet: broken + 6 });
    fail(all.slice(0, broken), 'internal error');
    change(all.slice(0, broken));
    // Until each of them was tried.
    await letPass((broken * HOUR) / 6);
    for (let edit = 0; edit < 6; edit++) {
      change(all.slice(broken + edit, broken + edit + 1));
      await letPass(HOUR / 60);
      expect(waiting()).toBe(broken);
      await letPass(HOUR / 6);
    }
  },
);

it.each([
  { settings: 'conflict', rules: 'conflict' },
  { settings: 'internal error', rules: 'conflict' },
  { settings: 'conflict', rules: 'internal error' },
] as const)(
  'sixty sites whose settings answer with a $settings and whose rules with a $rules take a fifth of the hour, and keep no other waiting',
  async ({ settings, rules }) => {
    const { fleet, world, all, change, letPass, waiting } = await createShared({ fleet: 66 });
    const broken = new Set(all.slice(0, 60).map(({ id }) => id));
    const isRules = ({ route }: Message) => route === 'PUT webaccel/site/:id/acl';
    const isOf = (message: Message) => broken.has(siteOf(message));
    world.arm({ to: 'service', fits: (one) => isSettings(one) && isOf(one), count: 1e9, fault: { service: settings } });
    world.arm({ to: 'service', fits: (one) => isRules(one) && isOf(one), count: 1e9, fault: { service: rules } });
    for (const { path } of all.slice(0, 60)) {
      fleet.patch(path, { spec: { defaultCacheTTL: 60, accessControl: ['deny 192.0.2.0/24'] } });
    }
    // Until the settings of each of them were tried.
    await letPass(8 * HOUR);
    let writes = 0;
    world.onMessage((moment, message) => {
      if (moment === 'written' && (isSettings(message) || isRules(message))) writes++;
    });
    for (let edit = 0; edit < 6; edit++) {
      change(all.slice(60 + edit, 61 + edit));
      await letPass(HOUR / 60);
      expect(waiting()).toBe(60);
      await letPass((9 * HOUR) / 60);
    }
    expect(writes).toBeLessThanOrEqual(100 + 20);
  },
);
