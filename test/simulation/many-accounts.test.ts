import { expect, it } from 'vitest';
import * as z from 'zod';
import { createVirtualFleet } from './fleet.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const GROUP = '/apis/edgeline.dev/v1alpha1/namespaces';
const SITE = `${GROUP}/n0/webaccelsites/www`;
const accountOf = (name: string) => `${GROUP}/${name}/cloudaccounts/default`;

/** What the tests look at of a status. */
const budgetSchema = z.object({ budget: z.object({ used: z.number(), reserved: z.number().default(0) }) });

/** So many namespaces with an account each, of one token, and a site in the first, an hour of which is in use. */
async function createAccounts(count: number) {
  const { world, ...fleet } = createVirtualFleet({
    seeds: { mine: { sites: [{ id: '113300001001', name: 'www', domain: 'www.example.jp' }] } },
  });
  const base64 = (text: string) => Buffer.from(text).toString('base64');
  const names = Array.from({ length: count }, (_, index) => `n${index}`);
  const createAccount = (name: string) =>
    fleet.create(`${GROUP}/${name}/cloudaccounts`, {
      apiVersion: 'edgeline.dev/v1alpha1',
      kind: 'CloudAccount',
      metadata: { name: 'default' },
      spec: { baseURL: 'https://service.example', credentialsSecretRef: { name: 'credentials' } },
    });
  for (const name of names) {
    fleet.create('/api/v1/namespaces', { metadata: { name } });
    fleet.create(`/api/v1/namespaces/${name}/secrets`, {
      metadata: { name: 'credentials' },
      data: { accessToken: base64('token-mine'), accessTokenSecret: base64('secret-mine') },
    });
    createAccount(name);
  }
  fleet.create(`${GROUP}/n0/webaccelsites`, {
    apiVersion: 'edgeline.dev/v1alpha1',
    kind: 'WebAccelSite',
    metadata: { name: 'www' },
    spec: { domain: 'www.example.jp' },
  });
  const operator = world.start('operator');
  await world.run(2 * MINUTE);
  return {
    ...fleet,
    world,
    operator,
    names,
    createAccount,
    budgetOf: (name: string) => budgetSchema.parse(fleet.read(accountOf(name)).status).budget,
    /** The site is changed each second. */
    async change(seconds: number) {
      for (let second = 0; second < seconds; second++) {
        fleet.patch(SITE, { spec: { defaultCacheTTL: 100 + second } });
        await world.run(world.now() + SECOND);
      }
    },
  };
}

it('what is used of an hour that many accounts share is put on record by three of them, and shown by each once a minute', async () => {
  const { world, names, change, budgetOf } = await createAccounts(30);
  let writes = 0;
  world.apiserver.onChange(({ resource }) => {
    if (resource === 'cloudaccounts') writes++;
  });
  const before = budgetOf('n0').used;
  await change(120);
  await world.run(world.now() + 2 * MINUTE);
  const used = names.map((name) => budgetOf(name).used);
  expect(used).toEqual(names.map(() => used[0]));
  const requests = (used[0] ?? 0) - before;
  expect(requests).toBeGreaterThan(30);
  // At most three for each request, and one a minute of each of the others.
  expect(writes).toBeLessThan(3 * requests + 5 * names.length);
});

it.each(['is put back from a backup', 'goes with the account'])(
  'what is used counts though the operator is killed, and what an account has on record %s before the next one starts',
  async (what) => {
    const { world, operator, names, change, budgetOf, patch, read, createAccount } = await createAccounts(5);
    await change(20);
    await world.run(world.now() + 2 * MINUTE);
    const backups = new Map(names.map((name) => [name, read(accountOf(name)).status]));
    await change(40);
    operator.kill('never');
    await world.run(world.now() + SECOND);
    const [newest = ''] = names.toSorted((one, other) => budgetOf(other).used - budgetOf(one).used);
    const { used } = budgetOf(newest);
    if (what.includes('backup')) patch(`${accountOf(newest)}/status`, { status: backups.get(newest) });
    else {
      patch(accountOf(newest), { metadata: { finalizers: null } });
      world.apiserver.handle({ method: 'DELETE', path: accountOf(newest), user: 'user' });
      createAccount(newest);
    }
    world.start('next');
    await world.run(world.now() + MINUTE);
    expect(Math.min(...names.map((name) => budgetOf(name).used))).toBeGreaterThanOrEqual(used);
  },
);
