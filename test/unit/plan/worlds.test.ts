import { expect, it } from 'vitest';
import type { Site } from '../../../src/cloud/site/types.ts';
import type { Account } from '../../../src/kinds/cloud-account/schema.ts';
import { emptyPicture } from '../../../src/plan/picture/picture.ts';
import { type KnownAccount, playedAccounts } from '../../../src/plan/worlds.ts';

const site = (id: string): Site => ({
  id,
  name: id,
  domainType: 'own_domain',
  domain: `${id}.example.jp`,
  asciiDomain: `${id}.example.jp`,
  subdomain: '',
  status: 'enabled',
  hasCertificate: false,
  hasOldCertificate: false,
});

function known(name: string, accessToken: string, sites: readonly string[] | undefined): KnownAccount {
  const account: Account = {
    apiVersion: 'edgeline.dev/v1alpha1',
    kind: 'CloudAccount',
    metadata: { name, uid: name, resourceVersion: '1' },
    spec: { baseURL: 'https://api.example.jp', credentialsSecretRef: { name } },
  };
  const picture = emptyPicture();
  for (const id of sites ?? []) picture.sites.set(id, site(id));
  return {
    account: { key: name, account, credentials: undefined, ca: undefined },
    credentials: { accessToken, accessTokenSecret: 's' },
    recorded: emptyPicture(),
    answered: sites && { picture, listed: { sims: false, sites: true, zones: new Set() } },
  };
}

const summary = (accounts: readonly KnownAccount[]) =>
  playedAccounts(accounts, 0).map(({ name, accessToken, sameAs, world }) => ({
    name,
    accessToken,
    sameAs,
    sites: world?.sites.map(({ id }) => id),
  }));

it('accounts with one token are one', () => {
  expect(summary([known('a', 'token', ['1']), known('b', 'token', undefined)])).toEqual([
    { name: '0', accessToken: 'token', sameAs: undefined, sites: ['1'] },
  ]);
});

it('accounts that show the same objects are one, each with its own token', () => {
  expect(summary([known('a', 'one', ['1']), known('b', 'two', ['1', '2']), known('c', 'three', ['3'])])).toEqual([
    { name: '0', accessToken: 'one', sameAs: undefined, sites: ['1', '2'] },
    { name: '1', accessToken: 'two', sameAs: '0', sites: undefined },
    { name: '2', accessToken: 'three', sameAs: undefined, sites: ['3'] },
  ]);
});

it('one that is the same as two others shows that those are one, too', () => {
  expect(summary([known('a', 'one', ['1']), known('b', 'two', undefined), known('c', 'two', ['1'])])).toEqual([
    { name: '0', accessToken: 'one', sameAs: undefined, sites: ['1'] },
    { name: '2', accessToken: 'two', sameAs: '0', sites: undefined },
  ]);
});
