import { describe, expect, it } from 'vitest';
import { createSharedSite, GROUP, WWW } from './site-uploads.ts';

/** A site is looked at right before a certificate goes there, and nothing is waited for that nobody can have sent. */

const MINUTE = 60;

it.each(['Observe', 'Approve'])(
  'a person has put the certificate there by hand since it was looked at, while nothing was to be done: %s',
  async (managementPolicy) => {
    const { world, make, renew, letPass, patch, read, uploadByHand, uploads, generations } = createSharedSite();
    uploadByHand('POST', 'a-1');
    make('fleet/www', { managementPolicy });
    world.start('operator');
    await letPass(7 * MINUTE);
    renew('a-2');
    await letPass(50 * MINUTE);
    uploadByHand('PUT', 'a-2');
    const approve = JSON.stringify(read(WWW).status).match(/"hash":"([^"]+)"/)?.[1] ?? '';
    patch(
      WWW,
      managementPolicy === 'Observe'
        ? { spec: { managementPolicy: 'Manage' } }
        : { metadata: { annotations: { 'edgeline.dev/approve': approve } } },
    );
    await letPass(15 * MINUTE);
    expect([generations(), uploads.length]).toEqual([['a-2', 'a-1'], 2]);
  },
);

it('what is approved an hour after it was looked at is uploaded at once, with one more look', async () => {
  const { world, make, renew, letPass, patch, read, uploadByHand, generations } = createSharedSite();
  uploadByHand('POST', 'a-1');
  make('fleet/www', { managementPolicy: 'Approve' });
  world.start('operator');
  await letPass(7 * MINUTE);
  renew('a-2');
  await letPass(50 * MINUTE);
  const approve = JSON.stringify(read(WWW).status).match(/"hash":"([^"]+)"/)?.[1] ?? '';
  patch(WWW, { metadata: { annotations: { 'edgeline.dev/approve': approve } } });
  await letPass(5);
  expect(generations()).toEqual(['a-2', 'a-1']);
});

describe('an hour after a restart', () => {
  const SECRET = '/api/v1/namespaces/fleet/secrets/credentials';
  const pause = (paused: 'true' | null) => ({ metadata: { annotations: { 'edgeline.dev/paused': paused } } });

  it.each([
    { what: 'the resource was paused', path: WWW, stop: pause('true'), go: pause(null) },
    { what: 'the namespace was paused', path: '/api/v1/namespaces/fleet', stop: pause('true'), go: pause(null) },
    {
      what: 'the account had no token',
      path: SECRET,
      stop: { data: { accessToken: null } },
      go: { data: { accessToken: Buffer.from('token-fleet').toString('base64') } },
    },
  ])('a renewed certificate goes to its site at once, though $what since', async ({ path, stop, go }) => {
    const { world, make, renew, letPass, patch, generations } = createSharedSite();
    make('fleet/www');
    const operator = world.start('operator');
    await letPass(7 * MINUTE);
    patch(path, stop);
    await letPass(5);
    operator.kill(1000);
    await letPass(60 * MINUTE);
    renew('a-2');
    await letPass(5);
    patch(path, go);
    await letPass(MINUTE);
    expect(generations()).toEqual(['a-2', 'a-1']);
  });
});

it('right after a restart a site without a certificate gets its first within a minute, for a resource that is new', async () => {
  const { world, make, letPass, generations } = createSharedSite();
  const operator = world.start('operator');
  await letPass(7 * MINUTE);
  operator.kill(1000);
  await letPass(20);
  make('fleet/www');
  await letPass(MINUTE);
  expect(generations()).toEqual(['a-1']);
});

it.each([
  { limit: 3, managementPolicy: 'Manage' },
  { limit: 5, managementPolicy: 'Manage' },
  { limit: 10, managementPolicy: 'Approve' },
])('a look and its upload that wait for their turns for long are not taken for old: %o', async (how) => {
  const { limit, managementPolicy } = how;
  const { world, make, renew, letPass, patch, read, generations } = createSharedSite();
  const sent: string[] = [];
  world.onMessage((moment, { route }) => {
    if (moment === 'arrived' && route.endsWith('webaccel/site/:id/certificate')) sent.push(route.split(' ')[0] ?? '');
  });
  for (const namespace of ['fleet', 'other']) {
    patch(`${GROUP}/${namespace}/cloudaccounts/default`, { spec: { limits: { webAccelRequestsPerHour: limit } } });
  }
  make('fleet/www');
  world.start('operator');
  await letPass(180 * MINUTE);
  patch(WWW, { spec: { managementPolicy } });
  await letPass(30 * MINUTE);
  sent.length = 0;
  renew('a-2');
  await letPass(managementPolicy === 'Approve' ? 300 * MINUTE : 1);
  const approve = JSON.stringify(read(WWW).status).match(/"hash":"([^"]+)"/)?.[1];
  if (approve) patch(WWW, { metadata: { annotations: { 'edgeline.dev/approve': approve } } });
  await letPass(180 * MINUTE);
  expect(generations()).toEqual(['a-2', 'a-1']);
  expect(sent.filter((verb) => verb === 'PUT')).toHaveLength(1);
  // Most of them in their turn, in the five hours before it is approved.
  expect(sent.filter((verb) => verb === 'GET').length).toBeLessThanOrEqual(9);
});

it.each([4, 5, 9].flatMap((limit) => [60, 93, 109, 200].map((minutes) => ({ limit, minutes }))))(
  'of an hour of few requests polls leave a certificate and a change theirs: %o',
  async ({ limit, minutes }) => {
    const { world, create, make, renew, letPass, patch, generations } = createSharedSite();
    for (const namespace of ['fleet', 'other']) {
      patch(`${GROUP}/${namespace}/cloudaccounts/default`, { spec: { limits: { webAccelRequestsPerHour: limit } } });
    }
    make('fleet/www');
    create(`${GROUP}/fleet/webaccelsites`, {
      apiVersion: 'edgeline.dev/v1alpha1',
      kind: 'WebAccelSite',
      metadata: { name: 'www' },
      spec: { siteID: '113300001001', managementPolicy: 'Manage', defaultCacheTTL: 60 },
    });
    world.start('operator');
    await letPass(300 * MINUTE);
    patch(WWW, { spec: { managementPolicy: 'Manage' } });
    await letPass(minutes * MINUTE);
    renew('a-2');
    patch(`${GROUP}/fleet/webaccelsites/www`, { spec: { defaultCacheTTL: 120 } });
    await letPass(200 * MINUTE);
    expect([generations(), world.service.world('fleet').sites.get('113300001001')]).toMatchObject([
      ['a-2', 'a-1'],
      { settings: { DefaultCacheTTL: 120 } },
    ]);
  },
);
