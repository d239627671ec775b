import { isDeepStrictEqual } from 'node:util';
import { expect, it } from 'vitest';
import type { Message } from '../../src/shadow/world/messages.ts';
import { atFirst } from './at-first.ts';
import { createVirtualFleet, iccidOf, type VirtualFleet } from './fleet.ts';
import { GROUP, GW, gateway, letPass, MGW, OTHER, on, SECOND, SIM, theGateway } from './gateway-fleet.ts';

/** What becomes of a write that nobody answered when its field, or a part of it, leaves the spec. */

const SITE = { id: '113300001001', name: 'www', domain: 'a.example.jp', settings: { Origin: 'o.example.jp' } };
const TRUCK = `${GROUP}/sims/truck`;
const DEPOT = `${MGW}/depot`;
const WWW = `${GROUP}/webaccelsites/www`;
const IMEI = '490154203237518';

const simOf = (fleet: VirtualFleet) => fleet.world.service.world('fleet').sims.get(SIM.id);
const siteOf = (fleet: VirtualFleet) => fleet.world.service.world('fleet').sites.get(SITE.id);
const isACL = ({ to, verb, route }: Message) => to === 'service' && verb === 'PUT' && route.includes('acl');
const rules = (count: number) => Array.from({ length: count }, (_, index) => `deny 192.0.${index}.0/24`);

/** A Sim on no gateway, two MobileGateways and a WebAccelSite, all settled. */
async function createSettled(
  { sim = {}, spec = {}, site = {} }: { sim?: object; spec?: object; site?: object } = {},
  options: { shownSeconds?: number } = {},
) {
  const { internetConnection: _, privateInterface: __, ...bare } = GW;
  const two = { id: '113300003002', iccid: iccidOf(2), name: 'two', activated: true };
  const fleet = createVirtualFleet({
    seeds: { fleet: { gateways: [bare, OTHER], sims: [{ ...SIM, ...sim }, two], sites: [SITE] } },
  });
  fleet.world.service.edit({ sims: { [two.id]: { gatewayID: GW.id, ip: '10.0.0.22' } } });
  const operator = fleet.world.start('operator', options);
  gateway(fleet, 'depot', { resourceID: GW.id, ...spec });
  gateway(fleet, 'other', { resourceID: OTHER.id });
  fleet.createSim('fleet', 'truck', 1, {});
  fleet.create(`${GROUP}/webaccelsites`, {
    apiVersion: 'edgeline.dev/v1alpha1',
    kind: 'WebAccelSite',
    metadata: { name: 'www' },
    spec: { siteID: SITE.id, managementPolicy: 'Manage', origin: { webServer: { host: 'o.example.jp' } }, ...site },
  });
  await letPass(fleet, 600);
  return { fleet, operator };
}

/** Edits a spec; the first request that fits gets no answer, and arrives so many seconds later, or never. */
async function send(
  fleet: VirtualFleet,
  fits: (message: Message) => boolean,
  path: string,
  spec: object,
  late?: number,
) {
  const { world } = fleet;
  if (late === undefined) world.arm({ to: 'service', fits, count: 1, fault: { service: 'cut before' } });
  else world.arm({ to: 'service', fits, count: 1, fault: 'delayed-arrival', milliseconds: late * SECOND });
  const isSent = atFirst(world, 'written', fits);
  fleet.patch(path, { spec });
  await letPass(fleet, 60, isSent);
  expect(isSent()).toBe(true);
}

const isMonitoring = ({ to, route }: Message) => to === 'service' && /^(PUT|POST) .*traffic_monitoring$/.test(route);
const isRegistration = ({ to, verb, route }: Message) => to === 'service' && verb === 'POST' && route.includes('sims');
const headerOf = (hostHeader: string | null) => ({ origin: { webServer: { host: 'o.example.jp', hostHeader } } });

type Case = [
  what: string,
  fits: (message: Message) => boolean,
  path: string,
  spec: object,
  without: object,
  edit: object,
  read: (fleet: VirtualFleet) => unknown,
  kept: unknown,
];

/** What others set of a field that left the spec. */
const setByOthers: readonly Case[] = [
  [
    'the traffic monitoring',
    isMonitoring,
    DEPOT,
    { trafficMonitoring: { quotaMB: 100, email: true } },
    { trafficMonitoring: null },
    { gateways: { depot: { trafficMonitoring: { quotaMB: 777, email: true } } } },
    (fleet) => theGateway(fleet)?.trafficMonitoring?.quotaMB,
    777,
  ],
  [
    'the registration',
    isRegistration,
    TRUCK,
    { gatewayRef: { name: 'depot' } },
    { gatewayRef: null },
    { sims: { [SIM.id]: { gatewayID: OTHER.id } } },
    (fleet) => simOf(fleet)?.gatewayID,
    OTHER.id,
  ],
  [
    'the host header',
    on('PUT webaccel/site/:id'),
    WWW,
    headerOf('h.example.jp'),
    headerOf(null),
    { sites: { [SITE.domain]: { settings: { HostHeader: 'other.example.jp' } } } },
    (fleet) => siteOf(fleet)?.settings['HostHeader'],
    'other.example.jp',
  ],
];

it.each(setByOthers)(
  '%s that others set after a write that was not answered stays',
  async (_, fits, path, spec, without, edit, read, kept) => {
    const { fleet } = await createSettled();
    await send(fleet, fits, path, spec);
    fleet.patch(path, { spec: without });
    await letPass(fleet, 100);
    fleet.world.service.edit(edit);
    await letPass(fleet, 1800);
    expect(read(fleet)).toBe(kept);
  },
);

it.each(setByOthers.flatMap((one) => [['was not answered', ...one] as const, ['was refused', ...one] as const]))(
  'before a restart a write %s: %s that others set since stays',
  async (how, _what, fits, path, spec, without, edit, read, kept) => {
    const { fleet, operator } = await createSettled();
    const { world } = fleet;
    if (how === 'was not answered') await send(fleet, fits, path, spec);
    else {
      world.arm({ to: 'service', fits, count: 100, fault: { service: 'conflict' } });
      fleet.patch(path, { spec });
      await letPass(fleet, 60);
    }
    operator.kill(5 * SECOND);
    await letPass(fleet, 4);
    fleet.patch(path, { spec: without });
    fleet.world.service.edit(edit);
    world.calm();
    await letPass(fleet, 1800);
    expect([read(fleet), [...fleet.waiting('fleet')]]).toEqual([kept, []]);
  },
);

it.each([
  ['one was sent', [IMEI]],
  ['two were sent', [IMEI, '356938035643809']],
])('what arrives after a restart is unset when it was sent before: %s', async (_, sent) => {
  const { fleet, operator } = await createSettled();
  const isLock = on('PUT /commonserviceitem/:id/sim/imeilock');
  const [first, ...others] = sent;
  await send(fleet, isLock, TRUCK, { imeiLock: first }, 100);
  for (const imeiLock of others) await send(fleet, isLock, TRUCK, { imeiLock });
  operator.kill(5 * SECOND);
  fleet.patch(TRUCK, { spec: { imeiLock: null } });
  await letPass(fleet, 1800);
  expect([simOf(fleet)?.imeiLock, [...fleet.waiting('fleet')]]).toEqual([null, []]);
});

it('what was looked for and is not there is not unset later, though another field is refused all the time', async () => {
  const { fleet } = await createSettled();
  fleet.patch(TRUCK, { spec: { gatewayRef: { name: 'depot' } } });
  await letPass(fleet, 300);
  await send(fleet, on('PUT /commonserviceitem/:id/sim/imeilock'), TRUCK, { imeiLock: IMEI });
  fleet.patch(TRUCK, { spec: { imeiLock: null, ipAddress: '10.0.0.22' } });
  await letPass(fleet, 1800);
  fleet.world.service.edit({ sims: { [SIM.id]: { imeiLock: '356938035643809' } } });
  await letPass(fleet, 1800);
  expect(simOf(fleet)?.imeiLock).toBe('356938035643809');
});

it('an address that was not answered, and then refused for an hour, is not what others set meanwhile', async () => {
  const { fleet } = await createSettled();
  fleet.patch(TRUCK, { spec: { gatewayRef: { name: 'depot' } } });
  await letPass(fleet, 300);
  await send(fleet, on('PUT /commonserviceitem/:id/sim/ip'), TRUCK, { ipAddress: '10.0.0.22' });
  await letPass(fleet, 3600);
  fleet.patch(TRUCK, { metadata: { annotations: { 'edgeline.dev/paused': 'true' } } });
  fleet.world.service.edit({ sims: { [SIM.id]: { ip: '10.0.0.77' } } });
  await letPass(fleet, 60);
  fleet.patch(TRUCK, { spec: { ipAddress: null }, metadata: { annotations: { 'edgeline.dev/paused': null } } });
  await letPass(fleet, 900);
  expect(simOf(fleet)?.ip).toBe('10.0.0.77');
});

const CARRIERS = [
  { name: 'KDDI', allow: true },
  { name: 'SoftBank', allow: false },
  { name: 'NTT DOCOMO', allow: true },
];
const WANTED = [
  { name: 'KDDI', allow: false },
  { name: 'NTT DOCOMO', allow: true },
];
const isCarriers = ({ to, verb, route }: Message) =>
  to === 'service' && verb === 'PUT' && route.includes('network_operator');

it.each([
  ['all of them', 'late', null],
  ['all of them', 'never', null],
  ['one', 'late', WANTED.slice(1)],
])('carriers are as they were when %s left the spec and the write arrives %s', async (_, arrival, carriers) => {
  const { fleet } = await createSettled({ sim: { carriers: CARRIERS } });
  await send(fleet, isCarriers, TRUCK, { carriers: WANTED }, arrival === 'late' ? 120 : undefined);
  fleet.patch(TRUCK, { spec: { carriers } });
  await letPass(fleet, 900);
  expect([simOf(fleet)?.carriers, [...fleet.waiting('fleet')]]).toEqual([CARRIERS, []]);
});

it('what may arrive stays on record while the rest of the spec waits, also over a restart', async () => {
  const { fleet, operator } = await createSettled();
  await send(fleet, on('PUT /commonserviceitem/:id/sim/imeilock'), TRUCK, { imeiLock: IMEI }, 150);
  fleet.patch(TRUCK, { spec: { imeiLock: null, gatewayRef: { name: 'nope' } } });
  await letPass(fleet, 20);
  operator.kill(5 * SECOND);
  await letPass(fleet, 900);
  fleet.patch(TRUCK, { spec: { gatewayRef: null } });
  await letPass(fleet, 900);
  expect([simOf(fleet)?.imeiLock, [...fleet.waiting('fleet')]]).toEqual([null, []]);
});

it.each([
  [100, 120],
  [2, 3],
])('an access control list goes that arrives late: %i rules, then %i', async (first, second) => {
  const { fleet } = await createSettled({ site: { accessControl: rules(first) } });
  await send(fleet, isACL, WWW, { accessControl: rules(second) }, 120);
  fleet.patch(WWW, { spec: { accessControl: null } });
  await letPass(fleet, 3600);
  expect([siteOf(fleet)?.acl ?? '', [...fleet.waiting('fleet', 'webaccelsites')]]).toEqual(['', []]);
});

it('settings that were only sent along do not come back with a late write', async () => {
  const { fleet } = await createSettled({ spec: { internetConnection: true } });
  await send(fleet, on('PUT /appliance/:id'), DEPOT, { interDeviceCommunication: true }, 100);
  fleet.patch(DEPOT, { spec: { internetConnection: null } });
  await letPass(fleet, 1800);
  fleet.patch(DEPOT, { spec: { interDeviceCommunication: false } });
  await letPass(fleet, 900);
  expect(theGateway(fleet)?.applied?.internetConnection).toBe(false);
});

it('what arrives moments after a restart is unset, though the operator looks first when a shorter wait would be over', async () => {
  const { fleet, operator } = await createSettled({}, { shownSeconds: 1 });
  const { world } = fleet;
  await send(fleet, on('PUT /commonserviceitem/:id/sim/imeilock'), TRUCK, { imeiLock: IMEI }, 3.5);
  fleet.patch(TRUCK, { spec: { imeiLock: null } });
  operator.kill(SECOND);
  // The first list shows that the account can be used.
  world.arm({
    to: 'service',
    fits: on('GET /commonserviceitem'),
    skip: 1,
    count: 1,
    fault: 'slow',
    milliseconds: 1500,
  });
  await letPass(fleet, 600);
  expect([simOf(fleet)?.imeiLock, [...fleet.waiting('fleet')]]).toEqual([null, []]);
});

const isRoute =
  (route: RegExp) =>
  ({ to, verb, route: of }: Message) =>
    to === 'service' && verb !== 'GET' && route.test(of);

/** Fields with two values each, and how the service has them. */
const values: readonly [
  what: string,
  fits: (message: Message) => boolean,
  path: string,
  field: string,
  of: readonly [unknown, unknown],
  read: (fleet: VirtualFleet) => unknown,
][] = [
  ['a TTL', isRoute(/webaccel.site.:id$/), WWW, 'defaultCacheTTL', [60, 30], (fleet) => siteOf(fleet)?.settings],
  ['rules', isRoute(/acl/), WWW, 'accessControl', [rules(1), rules(2)], (fleet) => siteOf(fleet)?.acl],
  [
    'monitoring',
    isRoute(/traffic_monitoring/),
    DEPOT,
    'trafficMonitoring',
    [{ quotaMB: 100 }, { quotaMB: 200 }],
    (fleet) => theGateway(fleet)?.trafficMonitoring,
  ],
  [
    'resolvers',
    isRoute(/dnsresolver/),
    DEPOT,
    'dns',
    [
      { primary: '192.0.2.1', secondary: '192.0.2.2' },
      { primary: '192.0.2.3', secondary: '192.0.2.4' },
    ],
    (fleet) => theGateway(fleet)?.dns,
  ],
  ['a lock', isRoute(/imeilock/), TRUCK, 'imeiLock', [IMEI, '356938035643809'], (fleet) => simOf(fleet)?.imeiLock],
];

type Values = (typeof values)[number];

/** What is there once the field has this, and nothing went wrong. */
async function asWith([, , path, field, , read]: Values, value: unknown): Promise<unknown> {
  const { fleet } = await createSettled();
  fleet.patch(path, { spec: { [field]: value } });
  await letPass(fleet, 900);
  return read(fleet);
}

/** When, in the next quarter of an hour, it is told Synced, and there is something else; and what waits then. */
async function wrongWhileSynced(fleet: VirtualFleet, [, , path, , , read]: Values, expected: unknown) {
  const [plural = '', name = ''] = path.split('/').slice(-2);
  const wrong: unknown[] = [];
  for (let passed = 0; passed < 900; passed += 10) {
    await letPass(fleet, 10);
    const isSynced = !fleet.waiting('fleet', plural).has(name);
    if (isSynced && !isDeepStrictEqual(read(fleet), expected)) wrong.push([passed, read(fleet)]);
  }
  return [wrong, [...fleet.waiting('fleet', plural)]];
}

// The service has no way to remove resolvers.
const removable = values.filter(([, , , field]) => field !== 'dns');

it.each([
  ...values.map((row) => ({ row, what: row[0], before: undefined, late: row[4][0], last: row[4][1] })),
  ...values.map((row) => ({ row, what: row[0], before: row[4][1], late: row[4][0], last: row[4][1] })),
  ...removable.map((row) => ({ row, what: row[0], before: row[4][0], late: null, last: row[4][0] })),
])(
  '$what that were $before, then $late without an answer, then $last are never Synced as anything else',
  async ({ row, before, late, last }) => {
    const [, fits, path, field] = row;
    const expected = await asWith(row, last);
    const { fleet } = await createSettled();
    if (before !== undefined) {
      fleet.patch(path, { spec: { [field]: before } });
      await letPass(fleet, 900);
    }
    await send(fleet, fits, path, { [field]: late }, 120);
    fleet.patch(path, { spec: { [field]: last } });
    expect(await wrongWhileSynced(fleet, row, expected)).toEqual([[], []]);
  },
);

it('a registration that was not answered, was repeated and is there is Synced at once: nothing else can arrive', async () => {
  const { fleet } = await createSettled();
  fleet.world.arm({ to: 'service', fits: isRegistration, count: 1, fault: 'lost-answer' });
  fleet.patch(TRUCK, { spec: { gatewayRef: { name: 'depot' } } });
  await letPass(fleet, 90);
  expect([simOf(fleet)?.gatewayID, [...fleet.waiting('fleet')]]).toEqual([GW.id, []]);
});

it.each(values)('nor are %s after a restart, though two values were sent without an answer', async (...row) => {
  const [, fits, path, field, [one, other]] = row;
  const expected = await asWith(row, one);
  const { fleet, operator } = await createSettled();
  await send(fleet, fits, path, { [field]: one }, 120);
  await send(fleet, fits, path, { [field]: other });
  fleet.patch(path, { spec: { [field]: one } });
  await letPass(fleet, 20);
  operator.kill(5 * SECOND);
  expect(await wrongWhileSynced(fleet, row, expected)).toEqual([[], []]);
});

it.each(removable)('nor are %s after a restart, though what unsets them was sent without an answer', async (...row) => {
  const [, fits, path, field, [one]] = row;
  const expected = await asWith(row, one);
  const { fleet, operator } = await createSettled();
  fleet.patch(path, { spec: { [field]: one } });
  await letPass(fleet, 900);
  await send(fleet, fits, path, { [field]: null }, 120);
  fleet.patch(path, { spec: { [field]: one } });
  await letPass(fleet, 20);
  operator.kill(5 * SECOND);
  expect(await wrongWhileSynced(fleet, row, expected)).toEqual([[], []]);
});

it.each(removable)('nor do %s stay that came and went, came otherwise and went, around a restart', async (...row) => {
  const [, fits, path, field, [one, other]] = row;
  const expected = await asWith(row, null);
  const { fleet, operator } = await createSettled();
  await send(fleet, fits, path, { [field]: one }, 120);
  fleet.patch(path, { spec: { [field]: null } });
  await letPass(fleet, 20);
  await send(fleet, fits, path, { [field]: other });
  operator.kill(5 * SECOND);
  fleet.patch(path, { spec: { [field]: null } });
  expect(await wrongWhileSynced(fleet, row, expected)).toEqual([[], []]);
});
