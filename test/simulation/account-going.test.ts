import { expect, it } from 'vitest';
import * as z from 'zod';
import { createVirtualFleet, type VirtualFleet } from './fleet.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const API = '/apis/edgeline.dev/v1alpha1/namespaces';
const GROUP = `${API}/shop`;
const ACCOUNT = `${GROUP}/cloudaccounts/default`;
const SITE = { id: '113300002000', name: 'e', domain: 'e.example.jp' };

const base64 = (text: string) => Buffer.from(text).toString('base64');
const remove = ({ world }: VirtualFleet, path: string) =>
  world.apiserver.handle({ method: 'DELETE', path, user: 'user' });
const minutes = ({ world }: VirtualFleet, count = 1) => world.run(world.now() + count * MINUTE);
const accountOf = ({ world }: VirtualFleet) => world.apiserver.get('cloudaccounts', 'shop', 'default');

function createSite(fleet: VirtualFleet): void {
  fleet.create(`${GROUP}/webaccelsites`, {
    apiVersion: 'edgeline.dev/v1alpha1',
    kind: 'WebAccelSite',
    metadata: { name: 'e' },
    spec: { domain: SITE.domain, displayName: 'e' },
  });
}

/** The apiserver answers what is meant, and does nothing. */
function refuse(
  { world }: VirtualFleet,
  code: number,
  reason: string,
  isMeant: (request: string) => boolean,
  methods: readonly string[] = ['POST', 'PUT', 'PATCH'],
): void {
  const { handle } = world.apiserver;
  Object.assign(world.apiserver, {
    handle(request: Parameters<typeof handle>[0]) {
      if (!methods.includes(request.method) || !isMeant(`${request.path} ${request.body}`)) return handle(request);
      const status = { kind: 'Status', apiVersion: 'v1', status: 'Failure', reason, message: 'refused', code };
      return { status: code, body: JSON.stringify(status) };
    },
  });
}

it.each([
  [403, 'Forbidden'],
  [422, 'Invalid'],
  [500, 'InternalError'],
])('an account goes though one of another namespace with its token takes no status (%i)', async (code, reason) => {
  const fleet = createVirtualFleet({ seeds: { shop: { sites: [SITE] }, evil: {} } });
  const data = { accessToken: base64('token-shop'), accessTokenSecret: base64('secret-shop') };
  fleet.patch('/api/v1/namespaces/evil/secrets/credentials', { data });
  fleet.world.start('operator');
  createSite(fleet);
  await minutes(fleet, 5);
  refuse(fleet, code, reason, (write) => write.startsWith(`${API}/evil/cloudaccounts/default/status`));
  for (const path of [`${GROUP}/webaccelsites/e`, ACCOUNT]) {
    remove(fleet, path);
    await minutes(fleet);
  }
  expect(accountOf(fleet)).toBeUndefined();
});

const shown = z.object({
  conditions: z.array(z.object({ type: z.string(), reason: z.string(), message: z.string() })),
});

it.each([
  [500, 'InternalError'],
  [409, 'Conflict'],
  [429, 'TooManyRequests'],
])('an account whose hour cannot be put on record (%i) stays, says so, and goes once it can', async (code, reason) => {
  const fleet = createVirtualFleet({ seeds: { shop: { sites: [SITE] } } });
  let isRefused = true;
  refuse(fleet, code, reason, (write) => isRefused && write.includes('/leases') && write.includes('edgeline-hours'));
  fleet.world.start('operator');
  createSite(fleet);
  await minutes(fleet, 2);
  for (const path of [`${GROUP}/webaccelsites/e`, ACCOUNT]) {
    await minutes(fleet);
    remove(fleet, path);
  }
  await minutes(fleet, 30);
  const { conditions } = shown.parse(accountOf(fleet)?.['status']);
  expect(conditions.find(({ type }) => type === 'Ready')).toMatchObject({
    reason: 'HourNotRecorded',
    message: expect.stringMatching(
      /^What the account has used of its hour can't be put on record \(Lease edgeline-hours /,
    ),
  });
  isRefused = false;
  await minutes(fleet, 20);
  expect(accountOf(fleet)).toBeUndefined();
});

it.each([{}, { namespaces: ['shop'] }])(
  'of an account that went with its namespace, its finalizer taken off by hand, nothing is asked, and its hour is on record: %o',
  async (more) => {
    const fleet = createVirtualFleet({ seeds: { shop: { sites: [SITE] } } });
    const { world } = fleet;
    const ask = (method: 'GET' | 'DELETE') =>
      world.apiserver.handle({ method, path: '/api/v1/namespaces/shop', user: 'user' }).status;
    world.start('operator', more);
    createSite(fleet);
    await minutes(fleet, 2);
    remove(fleet, `${GROUP}/webaccelsites/e`);
    await minutes(fleet);
    fleet.patch(ACCOUNT, { metadata: { finalizers: null } });
    ask('DELETE');
    for (let tries = 0; tries < 20 && ask('GET') === 200; tries++) world.apiserver.runControllers();
    expect(ask('GET')).toBe(404);
    await minutes(fleet, 2);
    const asked: string[] = [];
    world.onMessage((moment, { to, route }) => {
      if (moment === 'begun' && to === 'service') asked.push(route);
    });
    await minutes(fleet, 30);
    expect(asked).toEqual([]);
    const lease = world.apiserver.get('leases', 'edgeline-system', 'edgeline-hours');
    expect(lease?.metadata.annotations?.['edgeline.dev/hours']).toContain('CloudAccount/shop/default');
  },
);

it.each([false, true])(
  'what the service asked for is heeded by another process, the account made anew: %s',
  async (isAnew) => {
    let closedUntil: number | undefined;
    let isClosing = false;
    const early: number[] = [];
    const fleet = createVirtualFleet({
      seeds: { shop: { sites: [SITE] } },
      broken({ target }) {
        const now = fleet.world.now();
        if (!target.includes('/webaccel/') || !isClosing) return undefined;
        if (closedUntil !== undefined && now < closedUntil) early.push(now);
        closedUntil ??= now + 50 * MINUTE;
        if (now >= closedUntil) return undefined;
        const seconds = Math.ceil((closedUntil - now) / SECOND);
        return { status: 429, headers: { 'retry-after': String(seconds) }, body: '{}' };
      },
    });
    const { world } = fleet;
    const first = world.start('first');
    createSite(fleet);
    await minutes(fleet, 2);
    isClosing = true;
    fleet.patch(`${GROUP}/webaccelsites/e`, { spec: { displayName: 'new' } });
    await minutes(fleet, 2);
    expect(closedUntil).toBeDefined();
    fleet.patch(`${GROUP}/webaccelsites/e`, { metadata: { finalizers: null } });
    remove(fleet, `${GROUP}/webaccelsites/e`);
    await minutes(fleet);
    if (isAnew) remove(fleet, ACCOUNT);
    await minutes(fleet);
    expect(accountOf(fleet) === undefined).toBe(isAnew);
    first.stop('never');
    await minutes(fleet);
    world.start('second');
    if (isAnew) {
      fleet.create(`${GROUP}/cloudaccounts`, {
        apiVersion: 'edgeline.dev/v1alpha1',
        kind: 'CloudAccount',
        metadata: { name: 'default' },
        spec: { baseURL: 'https://service.example', credentialsSecretRef: { name: 'credentials' } },
      });
    }
    createSite(fleet);
    await minutes(fleet, 20);
    expect(early).toEqual([]);
  },
);

it('an account with another token works though what it used with the one before cannot be put on record', async () => {
  const fleet = createVirtualFleet({
    seeds: { shop: { sites: [SITE] }, other: { sites: [{ ...SITE, id: '113300002001' }] } },
  });
  const { world } = fleet;
  refuse(fleet, 500, 'InternalError', (write) => write.includes('/leases') && write.includes('edgeline-hours'));
  const first = world.start('first');
  createSite(fleet);
  await minutes(fleet, 5);
  remove(fleet, `${GROUP}/webaccelsites/e`);
  first.stop('never');
  await minutes(fleet);
  const data = { accessToken: base64('token-other'), accessTokenSecret: base64('secret-other') };
  fleet.patch('/api/v1/namespaces/shop/secrets/credentials', { data });
  world.start('second');
  await minutes(fleet);
  createSite(fleet);
  await minutes(fleet, 5);
  expect([...fleet.waiting('shop', 'webaccelsites')]).toEqual([]);
});

it.each([
  [403, 'Forbidden'],
  [500, 'InternalError'],
])('accounts work though what deleted ones have used cannot be read (%i)', async (code, reason) => {
  const fleet = createVirtualFleet({ seeds: { shop: { sites: [SITE] } } });
  refuse(fleet, code, reason, (request) => request.includes('/leases/edgeline-hours'), ['GET']);
  fleet.world.start('operator');
  createSite(fleet);
  await minutes(fleet, 5);
  expect([...fleet.waiting('shop', 'webaccelsites')]).toEqual([]);
  expect(accountOf(fleet)?.['status']).toMatchObject({ observedGeneration: 1 });
});

it('nothing is asked for an account that is gone, though its hour cannot be put on record', async () => {
  const fleet = createVirtualFleet({ seeds: { shop: { sites: [SITE] } } });
  const { world } = fleet;
  refuse(fleet, 500, 'InternalError', (write) => write.includes('/leases') && write.includes('edgeline-hours'));
  world.start('operator');
  createSite(fleet);
  await minutes(fleet, 2);
  remove(fleet, `${GROUP}/webaccelsites/e`);
  await minutes(fleet);
  remove(fleet, ACCOUNT);
  await minutes(fleet);
  fleet.patch(ACCOUNT, { metadata: { finalizers: null } });
  await minutes(fleet, 5);
  expect(accountOf(fleet)).toBeUndefined();
  const asked: string[] = [];
  world.onMessage((moment, { to, route }) => {
    if (moment === 'begun' && to === 'service') asked.push(route);
  });
  await minutes(fleet, 120);
  expect(asked).toEqual([]);
});

it.each(['was in use', 'could not be put on record', 'was Ready'])(
  'an account that %s and is kept by a finalizer of somebody else says that the operator has let go of it',
  async (before) => {
    const fleet = createVirtualFleet({ seeds: { shop: { sites: [SITE] } } });
    let isRefused = before === 'could not be put on record';
    const isHours = (write: string) => write.includes('/leases') && write.includes('edgeline-hours');
    refuse(fleet, 500, 'InternalError', (write) => isRefused && isHours(write));
    fleet.world.start('operator');
    createSite(fleet);
    await minutes(fleet, 2);
    fleet.patch(ACCOUNT, { metadata: { finalizers: ['example.com/other', 'edgeline.dev/account'] } });
    if (before !== 'was in use') remove(fleet, `${GROUP}/webaccelsites/e`);
    await minutes(fleet);
    remove(fleet, ACCOUNT);
    await minutes(fleet, 2);
    if (before === 'was in use') remove(fleet, `${GROUP}/webaccelsites/e`);
    await minutes(fleet, 8);
    isRefused = false;
    await minutes(fleet, 60);
    expect(accountOf(fleet)?.metadata.finalizers).toEqual(['example.com/other']);
    const { conditions } = shown.parse(accountOf(fleet)?.['status']);
    expect(conditions).toEqual([
      {
        type: 'Ready',
        reason: 'LetGo',
        message:
          'Nothing uses the account any more, and the operator has let go of it. It stays for the finalizers of others: example.com/other.',
      },
    ]);
  },
);

it('its own finalizer, taken off by hand, is back at once', async () => {
  const fleet = createVirtualFleet({ seeds: { shop: { sites: [SITE] } } });
  fleet.world.start('operator');
  await minutes(fleet, 5);
  fleet.patch(ACCOUNT, { metadata: { finalizers: null } });
  await fleet.world.run(fleet.world.now() + SECOND);
  expect(accountOf(fleet)?.metadata.finalizers).toEqual(['edgeline.dev/account']);
});
