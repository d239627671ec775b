import { expect, it } from 'vitest';
import { ClusterError } from '../../../src/cli/errors.ts';
import type { Session } from '../../../src/cli/session.ts';
import { spelledAsThere } from '../../../src/export/spelled.ts';
import { readThere } from '../../../src/export/there.ts';
import type { Manifest } from '../../../src/import/terraform/result.ts';

const ID = '113300000301';
const sites = [
  { id: ID, domain: '例え.example.jp', asciiDomain: 'xn--r8jz45g.example.jp', subdomain: 'x.example.net' },
];
const site: Manifest = { kind: 'WebAccelSite', name: 'www', spec: { siteID: ID, vary: true }, from: ['site'] };
const byRef: Manifest = {
  kind: 'SiteCertificate',
  name: 'www',
  spec: { siteRef: { name: 'www' }, secretRef: { name: 'www-tls' } },
  from: ['certificate'],
};
const byID: Manifest = { ...byRef, spec: { siteID: ID, secretRef: { name: 'www-tls' } } };
const sim: Manifest = { kind: 'Sim', name: 'www', spec: { iccid: '8981040000000000017' }, from: [] };

/** A namespace that has one object of each of these kinds, named www. */
function namespaceWith(there: Readonly<Record<string, object>>): Pick<Session, 'list'> {
  return {
    list: async ({ kind }) => {
      const one = there[kind];
      return JSON.parse(JSON.stringify(one ? [{ metadata: { name: 'www' }, ...one }] : []));
    },
  };
}

async function spelled(session: Pick<Session, 'list'>, manifests: readonly Manifest[]) {
  return spelledAsThere(await readThere(session, 'fleet', manifests), manifests, sites);
}

const { siteID: _siteID, ...settings } = site.spec;

it.each<[string, object, Manifest[], Manifest[]]>([
  ['nothing is there', {}, [site, byRef, sim], [site, byRef, sim]],
  [
    'a site is named by its domain',
    { WebAccelSite: { spec: { domain: '例え.example.jp' } } },
    [site, sim],
    [{ ...site, spec: { ...settings, domain: '例え.example.jp' } }, sim],
  ],
  ['a site is named by its ID', { WebAccelSite: { spec: { siteID: ID } } }, [site], [site]],
  ['that is another site', { WebAccelSite: { spec: { domain: 'www.example.jp' } } }, [site], [site]],
  [
    'a certificate names its WebAccelSite',
    { SiteCertificate: { spec: { siteRef: { name: 'home' } }, status: { siteID: ID } } },
    [byID],
    [{ ...byRef, spec: { ...byRef.spec, siteRef: { name: 'home' } } }],
  ],
  [
    'a certificate names the ID of a site',
    { SiteCertificate: { spec: { siteID: ID }, status: { siteID: ID } } },
    [site, byRef],
    [site, byID],
  ],
  [
    'a certificate is that of another site',
    { SiteCertificate: { spec: { siteRef: { name: 'home' } }, status: { siteID: '113300000302' } } },
    [byID],
    [byID],
  ],
])('where %s, it is named so', async (_case, there, manifests, expected) => {
  expect(await spelled(namespaceWith({ ...there }), manifests)).toEqual(expected);
});

it('is left as it is where nobody may see what there is', async () => {
  const forbidden: Pick<Session, 'list'> = {
    list: async () => {
      throw new ClusterError('you may not list them', '');
    },
  };
  expect(await spelled(forbidden, [site, byID])).toEqual([site, byID]);
});
