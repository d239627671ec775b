import { expect, test } from 'vitest';
import { type CertificateSources, gatherCertificate } from '../../../../src/kinds/site-certificate/gather.ts';
import { createCertificateKnowledge } from '../../../../src/kinds/site-certificate/known.ts';
import type { SiteCertificate } from '../../../../src/kinds/site-certificate/schema.ts';
import type { WebAccelSite } from '../../../../src/kinds/web-accel-site/schema.ts';
import type { Pass } from '../../../../src/reconcile/kind.ts';
import { certificateNamed } from '../../../simulation/certificates.ts';
import { ManualClock } from '../../../support/manual-clock.ts';

interface Case {
  readonly siteIdentity: string;
  /** What is on record. */
  readonly id: string;
  /** What the Secret holds. */
  readonly certificate: string;
  readonly managementPolicy: 'Observe';
}

/** Gathers where the hour is used up, so that the first list of sites is far away. */
function gatherWithout(
  site: Partial<WebAccelSite> | undefined,
  { siteIdentity = 'east', id, certificate, managementPolicy }: Partial<Case> = {},
) {
  const clock = new ManualClock();
  const object = {
    metadata: { name: 'www', namespace: 'fleet', uid: 'one' },
    spec: { siteRef: { name: 'www' }, secretRef: { name: 'tls' }, ...(managementPolicy && { managementPolicy }) },
  };
  const sites = () => ({ snapshot: () => undefined, observeAfter: () => new Promise(() => undefined) });
  const pass = {
    object,
    session: { identity: 'east', sites },
    accountRef: { kind: 'CloudAccount', name: 'default' },
    progress: { id },
    call: (lane: string) => ({ lane }),
  };
  const sources = {
    clock,
    knowledge: createCertificateKnowledge(clock, 0, () => undefined),
    accounts: {
      resolve: () => ({ session: { identity: siteIdentity }, accountRef: { kind: 'CloudAccount', name: 'b' } }),
    },
    site: () => site && { metadata: { name: 'www', namespace: 'fleet' }, spec: {}, ...site },
    secrets: {
      read: async () => certificate && { type: 'kubernetes.io/tls', get: () => ({ reveal: () => certificate }) },
    },
  };
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- as much of a pass and its sources as is asked
  return gatherCertificate(pass as unknown as Pass<SiteCertificate>, sources as unknown as CertificateSources);
}

test.each([
  ['is gone', undefined, 'east', 'SiteNotFound'],
  ['has no site yet', {}, 'east', 'SiteNotReady'],
  ['lives in another account', { status: { id: '1' } }, 'west', 'AccountMismatch'],
])('a certificate whose WebAccelSite %s says so without a list of sites', async (_, site, identity, reason) => {
  expect(await gatherWithout(site, { siteIdentity: identity })).toMatchObject({ hold: { reason } });
});

test('one whose WebAccelSite has its site waits for the list: what is new, out of no part that is kept for writes', async () => {
  expect(await gatherWithout({ status: { id: '1' } }, { id: '1' })).toMatchObject({ lane: 'verify', unchanged: false });
  expect(await gatherWithout({ status: { id: '1' } })).toMatchObject({ lane: 'list', unchanged: false });
});

test.each([
  ['that was renewed: out of the part that is kept for certificates', { id: '1' }, 'upload'],
  ['that is new: out of the part for reads', {}, 'list'],
  ['that is only observed: out of the part for changes', { id: '1', managementPolicy: 'Observe' }, 'verify'],
] as const)('one %s', async (_, of, lane) => {
  const certificate = certificateNamed('a-2').chain;
  expect(await gatherWithout({ status: { id: '1' } }, { ...of, certificate })).toMatchObject({
    lane,
    unchanged: false,
  });
});
