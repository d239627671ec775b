import { expect, it } from 'vitest';
import * as z from 'zod';
import { createVirtualFleet } from './fleet.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const GROUP = '/apis/edgeline.dev/v1alpha1/namespaces';
const ACCOUNTS = 30;
/** So long a site is changed each second. */
const SECONDS = 120;
const NAMES = Array.from({ length: ACCOUNTS }, (_, index) => `n${index}`);
/** What the test looks at of a status. */
const budgetSchema = z.object({ budget: z.object({ used: z.number() }) });

it('what is used of an hour that many accounts share is put on record by one of them, and shown by each once a minute', async () => {
  const { world, ...fleet } = createVirtualFleet({
    seeds: { mine: { sites: [{ id: '113300001001', name: 'www', domain: 'www.example.jp' }] } },
  });
  const base64 = (text: string) => Buffer.from(text).toString('base64');
  for (const name of NAMES) {
    fleet.create('/api/v1/namespaces', { metadata: { name } });
    fleet.create(`/api/v1/namespaces/${name}/secrets`, {
      metadata: { name: 'credentials' },
      data: { accessToken: base64('token-mine'), accessTokenSecret: base64('secret-mine') },
    });
    fleet.create(`${GROUP}/${name}/cloudaccounts`, {
      apiVersion: 'edgeline.dev/v1alpha1',
      kind: 'CloudAccount',
      metadata: { name: 'default' },
      spec: { baseURL: 'https://service.example', credentialsSecretRef: { name: 'credentials' } },
    });
  }
  fleet.create(`${GROUP}/n0/webaccelsites`, {
    apiVersion: 'edgeline.dev/v1alpha1',
    kind: 'WebAccelSite',
    metadata: { name: 'www' },
    spec: { domain: 'www.example.jp' },
  });
  world.start('operator');
  await world.run(2 * MINUTE);
  let writes = 0;
  world.apiserver.onChange(({ resource }) => {
    if (resource === 'cloudaccounts') writes++;
  });
  for (let second = 0; second < SECONDS; second++) {
    fleet.patch(`${GROUP}/n0/webaccelsites/www`, { spec: { defaultCacheTTL: 100 + second } });
    await world.run(world.now() + SECOND);
  }
  // At most one for each request, and one a minute of each of the others.
  expect(writes).toBeLessThan(SECONDS + 3 * ACCOUNTS);
  await world.run(world.now() + 2 * MINUTE);
  const used = NAMES.map((name) => budgetSchema.parse(fleet.read(`${GROUP}/${name}/cloudaccounts/default`).status));
  expect(used.map(({ budget }) => budget.used)).toEqual(NAMES.map(() => used[0]?.budget.used));
  expect(used[0]?.budget.used).toBeGreaterThan(SECONDS / 4);
});
