import { expect, it } from 'vitest';
import { tlsSecret } from './certificates.ts';
import { createSharedSite } from './site-uploads.ts';

/** Two namespaces with a token each of one account at the service: `fleet` has the WebAccelSite, `other` knows its ID. */

const HOUR = 3600;
const GROUP = '/apis/edgeline.dev/v1alpha1/namespaces';
const WEB_ACCEL_SITE = {
  apiVersion: 'edgeline.dev/v1alpha1',
  kind: 'WebAccelSite',
  metadata: { name: 'site' },
  spec: { domain: 'a.example.jp', enabled: true },
};

function createTwo() {
  const shared = createSharedSite();
  shared.patch('/api/v1/namespaces/other/secrets/www-tls', { data: tlsSecret('www-tls', 'a-2').data });
  return {
    ...shared,
    site: () => shared.create(`${GROUP}/fleet/webaccelsites`, WEB_ACCEL_SITE),
    ofSite: () => shared.make('fleet/www', { siteID: undefined, siteRef: { name: 'site' } }),
    byID: () => shared.make('other/www'),
    /** Of both, what Ready says; and whose certificate the site has. */
    state() {
      const reasonOf = (namespace: string) =>
        shared.read(`${GROUP}/${namespace}/sitecertificates/www`).status.conditions.find(({ type }) => type === 'Ready')
          ?.reason;
      const served = shared.generations()[0] === 'a-1' ? 'fleet' : 'other';
      return { fleet: reasonOf('fleet'), other: reasonOf('other'), served };
    },
  };
}

const FLEET = { fleet: 'Available', other: 'AlreadyManaged', served: 'fleet' };
const OTHER = { fleet: 'AlreadyManaged', other: 'Available', served: 'other' };
const table = [
  { order: ['site', 'ofSite', 'byID'], has: FLEET },
  { order: ['site', 'byID', 'ofSite'], has: FLEET },
  { order: ['ofSite', 'site', 'byID'], has: FLEET },
  { order: ['ofSite', 'byID', 'site'], has: OTHER },
  { order: ['byID', 'site', 'ofSite'], has: OTHER },
  { order: ['byID', 'ofSite', 'site'], has: OTHER },
] as const;

it.each(
  table.flatMap((row) =>
    [2, 300].flatMap((apart) => ['goes on', 'restarts', 'fails over'].map((fate) => ({ ...row, apart, fate }))),
  ),
)(
  'both tell whose the certificate is, for good: made in the order $order, $apart s apart, and the operator $fate',
  async ({ order, has, apart, fate }) => {
    const two = createTwo();
    const { world, letPass, uploads, state } = two;
    const options = { leaderElect: true };
    const operator = world.start('operator', options);
    for (const step of order) {
      two[step]();
      await letPass(apart);
    }
    await letPass(HOUR);
    const before = state();
    const count = uploads.length;
    if (fate !== 'goes on') operator.kill(fate === 'restarts' ? 1000 : 'never');
    if (fate === 'fails over') world.start('standby', options);
    await letPass(2 * HOUR);
    expect({ before, after: state(), uploads: uploads.length - count }).toEqual({
      before: has,
      after: has,
      uploads: 0,
    });
  },
);

const base64 = (text: string) => Buffer.from(text).toString('base64');
const tokenOf = (name: string) => ({
  data: { accessToken: base64(`token-${name}`), accessTokenSecret: base64(`secret-${name}`) },
});

/** `other` has had the certificate since before there was a WebAccelSite; that of `fleet` waits. */
async function createHadBefore(spec: object) {
  const two = createTwo();
  const operator = two.world.start('operator', { leaderElect: true });
  two.make('other/www', spec);
  await two.letPass(120);
  two.site();
  await two.letPass(120);
  two.make('fleet/www', { siteID: undefined, siteRef: { name: 'site' }, ...spec });
  await two.letPass(HOUR);
  expect(two.state()).toEqual(OTHER);
  return { ...two, operator };
}

it.each([
  ['ten minutes', 600, {}, { state: OTHER, uploads: 0 }],
  ['ten minutes, and both would roll back', 600, { allowRollback: true }, { state: OTHER, uploads: 0 }],
  ['three hours', 3 * HOUR, { allowRollback: true }, { state: FLEET, uploads: 1 }],
])(
  'after a restart in which the sites of the one that has it are not shown for %s, one has it, and no more than one upload is made',
  async (_, seconds, spec, expected) => {
    const { operator, uploads, letPass, state, withoutList } = await createHadBefore(spec);
    const count = uploads.length;
    withoutList.add('token-fleet-2');
    operator.kill(1000);
    await letPass(seconds);
    withoutList.clear();
    await letPass(4 * HOUR);
    expect({ state: state(), uploads: uploads.length - count }).toEqual(expected);
  },
);

it('whoever has it keeps it when both exchange their tokens while no operator runs', async () => {
  const { operator, patch, letPass, state, uploads } = await createHadBefore({});
  operator.kill(60_000);
  patch('/api/v1/namespaces/fleet/secrets/credentials', tokenOf('fleet-2'));
  patch('/api/v1/namespaces/other/secrets/credentials', tokenOf('fleet'));
  await letPass(4 * HOUR);
  expect([state(), uploads.length]).toEqual([OTHER, 1]);
});

it.each<[string, string, object, object]>([
  [
    'its account is paused',
    `${GROUP}/other/cloudaccounts/default`,
    { metadata: { annotations: { 'edgeline.dev/paused': 'true' } } },
    { metadata: { annotations: { 'edgeline.dev/paused': null } } },
  ],
  [
    'its account has no credentials',
    '/api/v1/namespaces/other/secrets/credentials',
    { data: { accessToken: '' } },
    tokenOf('fleet-2'),
  ],
])('whoever has it keeps it over a restart while for five minutes %s', async (_, path, from, to) => {
  const { operator, patch, letPass, state, uploads } = await createHadBefore({});
  patch(path, from);
  operator.kill(1000);
  await letPass(300);
  patch(path, to);
  await letPass(2 * HOUR);
  expect([state(), uploads.length]).toEqual([OTHER, 1]);
});
