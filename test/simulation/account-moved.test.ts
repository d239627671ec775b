import { describe, expect, it } from 'vitest';
import type { Message } from '../../src/shadow/world/messages.ts';
import { createVirtualFleet } from './fleet.ts';
import { GROUP, letPass, SIM } from './gateway-fleet.ts';

/** What an account's spec is changed to, which cannot be used: nothing goes on with what it was before but what is meant to. */

const HOST = 'https://service.example';
const elsewhere = { baseURL: 'https://staging.example' };
const named = (name: string) => ({ credentialsSecretRef: { name } });
const passCode = { passCodeSecretRef: { name: 'pass-codes', key: 'code' } };

function fleetOf(allowedHosts?: string[]) {
  const fleet = createVirtualFleet({ seeds: { fleet: { sims: [SIM] } } });
  const { world } = fleet;
  world.start('operator', allowedHosts ? { allowedHosts } : {});
  const sent: string[] = [];
  world.onMessage((moment, { to, verb, route }: Message) => {
    if (moment === 'arrived' && to === 'service') sent.push(`${verb} ${route}`);
  });
  const secrets = '/api/v1/namespaces/fleet/secrets';
  const data = { accessToken: btoa('token'), accessTokenSecret: btoa('secret') };
  fleet.create(secrets, { metadata: { name: 'of-the-cluster' }, type: 'kubernetes.io/service-account-token', data });
  fleet.create(secrets, { metadata: { name: 'large' }, data: { ...data, accessToken: btoa('x'.repeat(200_000)) } });
  const fits = ({ target }: Message) => target.includes('secrets/forbidden');
  world.arm({ to: 'kubernetes', fits, count: 1e9, fault: { kubernetes: 403 } });
  const isBroken = ({ target }: Message) => target.includes('secrets/broken');
  world.arm({ to: 'kubernetes', fits: isBroken, count: 1e9, fault: { kubernetes: 500 } });
  const reasonOf = (path: string, type: string) =>
    fleet.read(`${GROUP}/${path}`).status.conditions.find((one) => one.type === type)?.reason;
  const messageOf = (path: string, type: string) =>
    fleet.read(`${GROUP}/${path}`).status.conditions.find((one) => one.type === type)?.['message'];
  return { fleet, world, sent, reasonOf, messageOf };
}

describe('nothing is sent to the service of before, where the account names', () => {
  it.each([
    ['a host that is not allowed', elsewhere, 'HostNotAllowed', ['service.example']],
    [
      'another service, and a Secret that is not there',
      { ...elsewhere, credentialsSecretRef: { name: 'none' } },
      'SecretNotFound',
    ],
    ['other credentials, which are not there', { credentialsSecretRef: { name: 'none' } }, 'SecretNotFound'],
    ['other credentials, without a token', { credentialsSecretRef: { name: 'pass-codes' } }, 'SecretKeyMissing'],
    ['another service, and a Secret of the cluster', { ...elsewhere, ...named('of-the-cluster') }, 'SecretRefused'],
    ['another service, and a Secret that is far too large', { ...elsewhere, ...named('large') }, 'SecretRefused'],
    ['another service, and a Secret that may not be read', { ...elsewhere, ...named('forbidden') }, 'SecretForbidden'],
    ['another service, and a Secret that is not given', { ...elsewhere, ...named('broken') }, 'SecretUnreadable'],
    [
      'another service, and no certificates for it',
      { ...elsewhere, caBundleSecretRef: { name: 'pass-codes', key: 'constructor' } },
      'CABundleInvalid',
    ],
  ])('%s', async (_, spec, reason, allowedHosts?: string[]) => {
    const { fleet, world, sent, reasonOf } = fleetOf(allowedHosts);
    fleet.createSim('fleet', 'truck', 1);
    fleet.createSim('fleet', 'made', 2, passCode);
    await letPass(fleet, 300);
    fleet.patch(`${GROUP}/cloudaccounts/default`, { spec });
    await letPass(fleet, 30);
    sent.length = 0;
    fleet.patch(`${GROUP}/sims/truck`, { spec: { activated: false } });
    fleet.createSim('fleet', 'new', 3, passCode);
    world.apiserver.handle({ method: 'DELETE', path: `${GROUP}/sims/made`, user: 'user' });
    await letPass(fleet, 900);
    expect([sent, reasonOf('cloudaccounts/default', 'Ready'), reasonOf('sims/truck', 'Synced')]).toEqual([
      [],
      reason,
      'AccountNotReady',
    ]);
    fleet.patch(`${GROUP}/cloudaccounts/default`, {
      spec: { baseURL: HOST, credentialsSecretRef: { name: 'credentials' }, caBundleSecretRef: null },
    });
    await letPass(fleet, 900);
    expect([...fleet.waiting('fleet')]).toEqual([]);
    expect(world.service.world('fleet').sims.get(SIM.id)?.activated).toBe(false);
    expect(world.service.world('fleet').sims.size).toBe(2);
  });
});

it.each(['https://service.example/', 'https://SERVICE.example', 'https://service.example:443'])(
  'a Secret that is gone keeps nothing from being deleted where the service is spelled %s by now',
  async (baseURL) => {
    const { fleet, world } = fleetOf();
    fleet.createSim('fleet', 'made', 2, passCode);
    await letPass(fleet, 300);
    const path = '/api/v1/namespaces/fleet/secrets/credentials';
    world.apiserver.handle({ method: 'DELETE', path, user: 'user' });
    await letPass(fleet, 30);
    fleet.patch(`${GROUP}/cloudaccounts/default`, { spec: { baseURL } });
    await letPass(fleet, 30);
    world.apiserver.handle({ method: 'DELETE', path: `${GROUP}/sims/made`, user: 'user' });
    await letPass(fleet, 600);
    expect([...world.service.world('fleet').sims.keys()]).toEqual([SIM.id]);
  },
);

it.each([
  ['goes', 'CredentialsGone', true],
  ['has no token any more', 'SecretKeyMissing', false],
])('where the Secret that it names %s, what needs it goes on, and the account says so', async (_, reason, isGone) => {
  const { fleet, world, reasonOf, messageOf } = fleetOf();
  fleet.createSim('fleet', 'truck', 1);
  await letPass(fleet, 300);
  const path = '/api/v1/namespaces/fleet/secrets/credentials';
  if (isGone) world.apiserver.handle({ method: 'DELETE', path, user: 'user' });
  else fleet.patch(path, { data: { accessToken: null } });
  await letPass(fleet, 30);
  fleet.patch(`${GROUP}/sims/truck`, { spec: { activated: false } });
  await letPass(fleet, 300);
  expect([
    reasonOf('cloudaccounts/default', 'Ready'),
    world.service.world('fleet').sims.get(SIM.id)?.activated,
  ]).toEqual([reason, false]);
  expect(messageOf('cloudaccounts/default', 'Ready')).toContain(
    'Until then the credentials last seen are used for what still needs them (1 resource).',
  );
});

it('what was paused, and whose Secret cannot be read once it is not any more, waits, and says for what', async () => {
  const { fleet, world, sent, reasonOf, messageOf } = fleetOf();
  fleet.createSim('fleet', 'truck', 1);
  await letPass(fleet, 300);
  const paused = (value: string | null) =>
    fleet.patch(`${GROUP}/cloudaccounts/default`, { metadata: { annotations: { 'edgeline.dev/paused': value } } });
  paused('true');
  await letPass(fleet, 60);
  const fits = ({ target }: Message) => target.includes('secrets/credentials');
  world.arm({ to: 'kubernetes', fits, count: 1e9, fault: { kubernetes: 500 } });
  paused(null);
  fleet.patch(`${GROUP}/sims/truck`, { spec: { activated: false } });
  sent.length = 0;
  await letPass(fleet, 600);
  expect([sent, reasonOf('cloudaccounts/default', 'Ready'), reasonOf('sims/truck', 'Synced')]).toEqual([
    [],
    'SecretUnreadable',
    'AccountNotReady',
  ]);
  expect(messageOf('sims/truck', 'Synced')).toContain("The Secret credentials in namespace fleet can't be read");
  world.calm();
  await letPass(fleet, 600);
  expect([...fleet.waiting('fleet')]).toEqual([]);
});

it('an account whose Secret cannot be read goes on with the credentials seen last, and says so', async () => {
  const { fleet, world, reasonOf, messageOf } = fleetOf();
  fleet.createSim('fleet', 'truck', 1);
  await letPass(fleet, 300);
  const fits = ({ target }: Message) => target.includes('secrets/credentials');
  world.arm({ to: 'kubernetes', fits, count: 1e9, fault: { kubernetes: 500 } });
  await letPass(fleet, 1800);
  fleet.patch(`${GROUP}/sims/truck`, { spec: { activated: false } });
  await letPass(fleet, 60);
  expect([reasonOf('cloudaccounts/default', 'Ready'), reasonOf('sims/truck', 'Synced')]).toEqual([
    'SecretUnreadable',
    'Available',
  ]);
  expect(messageOf('cloudaccounts/default', 'Ready')).toContain(
    'Until then the credentials last seen are used for what still needs them (1 resource).',
  );
});
