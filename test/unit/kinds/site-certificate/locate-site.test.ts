import { expect, test } from 'vitest';
import type { Snapshot } from '../../../../src/cloud/list/snapshot.ts';
import type { Site } from '../../../../src/cloud/site/types.ts';
import { locateSite, type SiteAccounts, type SiteSearch } from '../../../../src/kinds/site-certificate/locate-site.ts';
import type { WebAccelSite } from '../../../../src/kinds/web-accel-site/schema.ts';

const recorded = {
  id: '1',
  createdAt: '2025-06-01T00:00:00Z',
  subdomain: 'one.example.jp',
  domain: 'www.example.jp',
  asciiDomain: '',
};

/** Locates a certificate's site through a WebAccelSite that has this status, in a list with these sites. */
function locate(status: object, items: readonly object[]) {
  const search = {
    object: { metadata: { name: 'www', namespace: 'fleet' }, spec: { siteRef: { name: 'www' } } },
    accountRef: { kind: 'CloudAccount', name: 'default' },
    session: { identity: 'east' },
  };
  const site = { metadata: { name: 'www', namespace: 'fleet', uid: 'w' }, spec: { domain: 'www.example.jp' }, status };
  const accounts = { resolve: () => ({ session: { identity: 'east' }, accountRef: search.accountRef }) };
  const snapshot = { complete: true, startedAt: 0, items: new Map(items.map((item) => ['1', item])) };
  return locateSite(
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- as much of each as is asked
    search as unknown as SiteSearch,
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    () => site as unknown as WebAccelSite,
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    accounts as unknown as SiteAccounts,
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    snapshot as unknown as Snapshot<Site>,
  );
}

test('a copied status leads to no site that the list does not show', () => {
  expect(locate({ ...recorded, uid: 'another' }, [])).toMatchObject({ hold: { reason: 'SiteNotReady' } });
});

test.each([
  ['as it was recorded', [recorded], { siteID: '1' }],
  ['as one of another domain', [{ ...recorded, domain: 'other.example.jp' }], 'SiteNotReady'],
  ['not at all', [], { siteID: '1' }],
  ['as one that was made at another time', [{ ...recorded, createdAt: '2026-01-01T00:00:00Z' }], 'SiteNotReady'],
  ['as one with another host name', [{ ...recorded, subdomain: 'other.example.jp' }], 'SiteNotReady'],
])('the site of a WebAccelSite which the list shows %s', (_, items, expected) => {
  const located = locate(recorded, items);
  expect(located).toMatchObject(
    typeof expected === 'string' ? { hold: { state: 'Waiting', reason: expected } } : expected,
  );
});
