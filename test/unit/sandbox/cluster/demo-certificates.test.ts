import { createPrivateKey, X509Certificate } from 'node:crypto';
import { domainToASCII } from 'node:url';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { createDemoAuthority, demoCertificates } from '../../../../src/sandbox/cluster/demo-certificates.ts';
import type { Manifest } from '../../../../src/sandbox/cluster/manifests.ts';
import { wantedCertificates } from '../../../../src/sandbox/cluster/wanted-certificates.ts';

const now = Date.parse('2026-11-21T00:00:00Z');
const manifest = (kind: string, name: string, spec: object = {}): Manifest => ({
  source: 'x.yaml',
  object: { apiVersion: 'v1', kind, metadata: { name }, spec },
});
const site = (name: string, spec: object) => manifest('WebAccelSite', name, spec);
const certificate = (site: string, secretName: string) =>
  manifest('SiteCertificate', site, { siteRef: { name: site }, secretRef: { name: secretName } });
const shop = site('shop', { domain: 'shop.example.jp' });

describe('the certificates examples wait for', () => {
  it.each<[string, Manifest[], object[]]>([
    [
      'a Secret nobody brings',
      [certificate('shop', 'shop-tls'), shop],
      [{ secretName: 'shop-tls', domain: 'shop.example.jp' }],
    ],
    ['a Secret that is there', [certificate('shop', 'shop-tls'), shop, manifest('Secret', 'shop-tls')], []],
    [
      'a site named by its ID alone',
      [certificate('other', 'other-tls'), site('other', { siteID: '112900000001' })],
      [],
    ],
    ['a site that is not there', [certificate('gone', 'gone-tls')], []],
  ])('with %s', (_what, manifests, wanted) => {
    expect(wantedCertificates(manifests)).toEqual(wanted);
  });

  it('are signed by an authority, good for their domain, and come with their key', async () => {
    const [secret] = await demoCertificates([{ secretName: 'shop-tls', domain: '店.example.jp' }], now);
    const { stringData, ...object }: Record<string, unknown> = { ...secret?.object };
    expect(object).toEqual({
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: {
        name: 'shop-tls',
        namespace: 'edgeline-demo',
        labels: { 'app.kubernetes.io/managed-by': 'edgeline-sandbox' },
      },
      type: 'kubernetes.io/tls',
    });
    const files = z.object({ 'tls.crt': z.string(), 'tls.key': z.string() }).parse(stringData);
    const leaf = new X509Certificate(files['tls.crt']);
    expect({
      issuer: leaf.issuer,
      forDomain: leaf.checkHost(domainToASCII('店.example.jp')) !== undefined,
      selfSigned: leaf.verify(leaf.publicKey),
      keyIsItsOwn: leaf.checkPrivateKey(createPrivateKey(files['tls.key'])),
      notAfter: leaf.validToDate.toISOString(),
    }).toEqual({
      issuer: 'O=Edgeline\nCN=Edgeline demo CA',
      forDomain: true,
      selfSigned: false,
      keyIsItsOwn: true,
      notAfter: '2027-02-19T00:00:00.000Z',
    });
  });

  it('are new ones at each call', async () => {
    const authority = await createDemoAuthority(now);
    const wanted = { secretName: 'a', domain: 'a.example.jp' };
    const [one, other] = await Promise.all([authority.issue(wanted, 'x'), authority.issue(wanted, 'x')]);
    expect(one).not.toEqual(other);
  });
});
