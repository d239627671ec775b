import type { Site } from '../../../../src/cloud/site/types.ts';
import { type Candidate, canonicalFingerprint } from '../../../../src/kinds/site-certificate/candidate.ts';
import { type CheckInput, checkCertificate } from '../../../../src/kinds/site-certificate/checks.ts';
import type { CertificateFacts, ObservedCertificate } from '../../../../src/kinds/site-certificate/facts.ts';
import { locateSite, type SiteAccounts, type SiteSearch } from '../../../../src/kinds/site-certificate/locate-site.ts';
import { planCertificate } from '../../../../src/kinds/site-certificate/plan.ts';
import { certificateDefinition, type SiteCertificate } from '../../../../src/kinds/site-certificate/schema.ts';
import {
  certificateImpairment,
  meanwhile,
  observedStatus,
  readyMessage,
} from '../../../../src/kinds/site-certificate/status.ts';
import type { WebAccelSite } from '../../../../src/kinds/web-accel-site/schema.ts';
import { SecretValue } from '../../../../src/reconcile/secret-value.ts';
import type { Shown } from '../../../../src/reconcile/write-outcome.ts';
import { createIntermediate, createRoot, type Issued, issue } from '../../certificates.ts';
import { concluded, ended, type HealthCase, holdIn, metadataOf, now } from '../case.ts';

const DAY = 86_400_000;
const shown: Shown<SiteCertificate, CertificateFacts> = {
  definition: certificateDefinition,
  observed: observedStatus,
  marks: [],
  impairment: certificateImpairment,
  readyMessage,
  meanwhile,
};
const names = { domain: 'www.example.jp', served: ['www.example.jp'] };

const certificate: SiteCertificate = {
  apiVersion: 'edgeline.dev/v1alpha1',
  kind: 'SiteCertificate',
  metadata: metadataOf('www'),
  spec: { siteRef: { name: 'www' }, secretRef: { name: 'www-tls' } },
};

function onSite({
  fingerprint,
  notBefore,
  notAfter,
}: Pick<Candidate, 'fingerprint' | 'notBefore' | 'notAfter'>): ObservedCertificate {
  return { id: '1', fingerprint, notBefore, notAfter, issuer: '', subject: '', dnsNames: [] };
}

/** The certificate of a Secret, and what is on the site. */
function planned(
  secret: Partial<NonNullable<CheckInput['secret']>> | undefined,
  current: ObservedCertificate | undefined,
  before: SiteCertificate = certificate,
): SiteCertificate {
  const checked = checkCertificate({
    namespace: 'fleet',
    secretName: 'www-tls',
    secret: secret && { name: 'www-tls', type: 'kubernetes.io/tls', certificate: undefined, key: undefined, ...secret },
    site: names,
    current,
    allowRollback: false,
    allowTemporary: false,
    now,
  });
  const facts = {
    siteID: '113300000301',
    site: names,
    checked,
    current,
    previous: undefined,
    readAt: 0,
    mayHaveArrived: false,
    applied: current && before !== certificate ? { certificate: current.fingerprint } : {},
    now,
  };
  return concluded(shown, before, ended(facts, planCertificate));
}

const tls = ({ chain, key }: Issued) => ({ certificate: chain, key: new SecretValue(key) });

const site: WebAccelSite = {
  apiVersion: 'edgeline.dev/v1alpha1',
  kind: 'WebAccelSite',
  metadata: metadataOf('www'),
  spec: { domain: 'www.example.jp' },
};
const search: SiteSearch = {
  object: certificate,
  accountRef: { kind: 'CloudAccount', name: 'default' },
  session: { identity: 'one' },
};
const otherAccount: SiteAccounts = {
  resolve: () => ({ session: { identity: 'another' }, accountRef: { kind: 'CloudAccount', name: 'other' } }),
};

/** What stands in the way of a certificate whose WebAccelSite is this. */
function located(found: WebAccelSite): SiteCertificate {
  const list = { startedAt: 0, items: new Map<string, Site>(), complete: true };
  return concluded(shown, certificate, { hold: holdIn(locateSite(search, () => found, otherAccount, list)) });
}

/** What only SiteCertificates have. */
export async function certificateCases(): Promise<readonly HealthCase[]> {
  const issuer = await createIntermediate(await createRoot());
  const valid = { notBefore: now - DAY, notAfter: now + 90 * DAY };
  const good = await issue(issuer, ['www.example.jp'], valid);
  const next = await issue(issuer, ['www.example.jp'], { notBefore: now + DAY, notAfter: now + 91 * DAY });
  const ending = { notBefore: now - 80 * DAY, notAfter: now + 10 * DAY };
  const last = await issue(issuer, ['www.example.jp'], ending);
  const temporary = await issue(await createRoot('cert-manager.local'), ['www.example.jp'], valid);
  const current = onSite({ ...valid, fingerprint: canonicalFingerprint(good.fingerprint) });
  const newer = { ...current, fingerprint: '00', notBefore: now };
  const works = planned(tls(good), current);
  return [
    { title: 'a certificate that is on its site', object: works },
    {
      title: 'a certificate that should have been renewed',
      object: planned(tls(last), onSite({ ...ending, fingerprint: canonicalFingerprint(last.fingerprint) })),
    },
    { title: 'a certificate without its Secret', object: planned(undefined, undefined) },
    { title: 'a certificate on its site, and whose Secret is gone', object: planned(undefined, current, works) },
    { title: 'a certificate in an empty Secret', object: planned({}, undefined) },
    { title: 'a certificate on its site, and whose Secret is empty now', object: planned({}, current, works) },
    { title: 'a certificate for tomorrow', object: planned(tls(next), undefined) },
    {
      title: 'a certificate on its site, and one for tomorrow in its Secret',
      object: planned(tls(next), current, works),
    },
    { title: 'a temporary certificate of cert-manager', object: planned(tls(temporary), undefined) },
    {
      title: 'a certificate on its site, and a temporary one in its Secret',
      object: planned(tls(temporary), current, works),
    },
    { title: 'what is no certificate', object: planned({ ...tls(good), certificate: 'nothing' }, undefined) },
    { title: 'what is no key', object: planned({ ...tls(good), key: new SecretValue('nothing') }, undefined) },
    { title: 'a certificate older than the one on the site', object: planned(tls(good), newer) },
    { title: 'a certificate whose WebAccelSite has found no site yet', object: located(site) },
    {
      title: 'a certificate whose WebAccelSite is in another account',
      object: located({ ...site, status: { id: '113300000301' } }),
    },
  ];
}
