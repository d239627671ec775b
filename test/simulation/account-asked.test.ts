import { expect, it } from 'vitest';
import * as z from 'zod';
import { allotmentOf } from '../../src/kinds/cloud-account/allotments.ts';
import { digesterOf, identityOf } from '../../src/kinds/cloud-account/members.ts';
import { budgetOf } from '../../src/kinds/cloud-account/record.ts';
import { SecretValue } from '../../src/reconcile/secret-value.ts';
import { partial } from '../support/partial.ts';
import { createVirtualFleet, type VirtualFleet } from './fleet.ts';

const MINUTE = 60_000;
const START = Date.parse('2026-01-01T00:00:00Z');
const API = '/apis/edgeline.dev/v1alpha1/namespaces';
const ACCOUNT = `${API}/shop/cloudaccounts/default`;
const KEY = 'CloudAccount/shop/default';
const LIMIT = 60;
const SITE = { id: '113300002000', name: 'e', domain: 'e.example.jp' };
/** Who has the token's secret, as commands do. */
const signer = {
  identity: identityOf({ baseURL: 'https://service.example', accessToken: new SecretValue('token-shop') }),
  digest: digesterOf(partial({ accessTokenSecret: new SecretValue('secret-shop') })),
};
const spent = z.object({ budget: z.object({ used: z.number(), reserved: z.number().default(0) }) });

const remove = ({ world }: VirtualFleet, path: string) =>
  world.apiserver.handle({ method: 'DELETE', path, user: 'user' });
const minutes = ({ world }: VirtualFleet, count = 1) => world.run(world.now() + count * MINUTE);
const isThere = ({ world }: VirtualFleet) => world.apiserver.get('cloudaccounts', 'shop', 'default') !== undefined;

function begin(): VirtualFleet {
  return createVirtualFleet({
    seeds: { shop: { sites: [SITE] }, other: { sites: [{ ...SITE, id: '113300002001' }] } },
    limits: { webAccelRequestsPerHour: LIMIT },
  });
}

function createSite(fleet: VirtualFleet, namespace = 'shop'): void {
  fleet.create(`${API}/${namespace}/webaccelsites`, {
    apiVersion: 'edgeline.dev/v1alpha1',
    kind: 'WebAccelSite',
    metadata: { name: 'e' },
    spec: { domain: SITE.domain, displayName: 'e', accountRef: { kind: 'CloudAccount', name: 'default' } },
  });
}

function createAccount(fleet: VirtualFleet): void {
  fleet.create(`${API}/shop/cloudaccounts`, {
    apiVersion: 'edgeline.dev/v1alpha1',
    kind: 'CloudAccount',
    metadata: { name: 'default' },
    spec: {
      baseURL: 'https://service.example',
      credentialsSecretRef: { name: 'credentials' },
      limits: { webAccelRequestsPerHour: LIMIT },
    },
  });
}

/** A command asks for requests in the status of the account, and sends them. */
function ask(fleet: VirtualFleet, requests: number): void {
  const one = allotmentOf(KEY, signer, { id: 'command', requests, at: START + fleet.world.now() });
  fleet.patch(`${ACCOUNT}/status`, { status: { allotments: [one] } });
}

function counted(fleet: VirtualFleet): number {
  const { used, reserved } = spent.parse(fleet.read(ACCOUNT).status).budget;
  return used + reserved;
}

it.each([false, true])(
  'what a command has sent while no operator ran counts, its account deleted meanwhile and made anew: %s',
  async (isAnew) => {
    const fleet = begin();
    const { world } = fleet;
    const first = world.start('first');
    createSite(fleet);
    await minutes(fleet, 3);
    remove(fleet, `${API}/shop/webaccelsites/e`);
    await minutes(fleet);
    first.stop('never');
    await minutes(fleet);
    ask(fleet, 50);
    if (isAnew) remove(fleet, ACCOUNT);
    await minutes(fleet);
    world.start('second');
    await minutes(fleet);
    expect(isThere(fleet)).toBe(!isAnew);
    if (isAnew) createAccount(fleet);
    await minutes(fleet, 3);
    expect(counted(fleet)).toBeGreaterThanOrEqual(50);
  },
);

it.each([false, true])(
  'what a command may have sent five minutes later counts for an hour from then, another account let go meanwhile: %s',
  async (isOther) => {
    const fleet = begin();
    const { world } = fleet;
    const first = world.start('first');
    createSite(fleet, 'other');
    await world.run(3 * MINUTE);
    ask(fleet, 50);
    await world.run(3.5 * MINUTE);
    expect(counted(fleet)).toBeGreaterThanOrEqual(50);
    remove(fleet, ACCOUNT);
    await world.run(4 * MINUTE);
    expect(isThere(fleet)).toBe(false);
    await world.run(65 * MINUTE);
    remove(fleet, `${API}/other/webaccelsites/e`);
    await world.run(65.2 * MINUTE);
    if (isOther) remove(fleet, `${API}/other/cloudaccounts/default`);
    await world.run(65.5 * MINUTE);
    first.stop('never');
    world.start('second');
    createAccount(fleet);
    await world.run(67.5 * MINUTE);
    expect(counted(fleet)).toBeGreaterThanOrEqual(50);
  },
);

it.each([false, true])(
  'a record of a clock that was two hours ahead counts as of now, its account deleted and made anew: %s',
  async (isAnew) => {
    const fleet = begin();
    const { world } = fleet;
    const first = world.start('first');
    await minutes(fleet, 3);
    first.stop('never');
    await minutes(fleet);
    const at = START + world.now() + 120 * MINUTE;
    const budget = budgetOf(KEY, signer, { used: LIMIT, limit: LIMIT, reserved: 0, at });
    fleet.patch(`${ACCOUNT}/status`, { status: { budget: { reserved: null, counted: null, ...budget } } });
    if (isAnew) remove(fleet, ACCOUNT);
    const second = world.start('second');
    await minutes(fleet);
    expect(isThere(fleet)).toBe(!isAnew);
    second.kill('never');
    world.start('last');
    await minutes(fleet);
    if (isAnew) createAccount(fleet);
    await minutes(fleet, 3);
    expect(counted(fleet)).toBeGreaterThanOrEqual(LIMIT);
  },
);
