import { timestamp } from '../../kubernetes/objects.ts';
import type { Observed } from '../../reconcile/managed-object.ts';
import type { Impairment } from '../../reconcile/plan.ts';
import { CommonReason } from '../../reconcile/verdict.ts';
import { shortFingerprint } from './candidate.ts';
import type { CertificateFacts } from './facts.ts';
import { fromGeneration, toGeneration } from './observe.ts';
import { type CertificateHold, CertificateReason } from './reasons.ts';
import type { CertificateApplied, CertificateMark, SiteCertificate } from './schema.ts';

/** What was observed of the site's certificate, for the status. Pure. */
export function observedStatus(facts: CertificateFacts): Observed<SiteCertificate, CertificateMark> {
  return {
    createdAt: facts.createdAt,
    siteID: facts.siteID,
    site: facts.site.domain || undefined,
    current: toGeneration(facts.current),
    previous: toGeneration(facts.previous),
  };
}

/** Why the site, as last seen, can't serve its domain over TLS with what this resource put there. */
export function certificateImpairment(
  { current, applied, checked, site, now }: CertificateFacts,
  isDue: (field: keyof CertificateApplied) => boolean,
): Impairment<CertificateHold['reason']> | undefined {
  const wanted = 'candidate' in checked ? checked.candidate.fingerprint : undefined;
  const isOwn = current !== undefined && [applied.certificate, wanted].includes(current.fingerprint);
  if (!isOwn) {
    const message = `${site.domain} has ${current ? 'another' : 'no'} certificate.`;
    return { reason: CommonReason.DriftObserved, message: isDue('certificate') ? message : '' };
  }
  if (current.notAfter === undefined || current.notAfter > now) return undefined;
  const message = `The certificate on ${site.domain} expired on ${timestamp(current.notAfter)}.`;
  return { reason: CertificateReason.Expired, message };
}

/** The sentence of Ready=True. */
export function readyMessage({ current, checked, site }: CertificateFacts): string {
  const isOfSecret = 'candidate' in checked && checked.candidate.fingerprint === current?.fingerprint;
  const is = `${isOfSecret ? 'The certificate of the Secret' : 'A certificate that was in the Secret before'} is on ${site.domain}`;
  return current?.notAfter === undefined ? `${is}.` : `${is}; it is valid until ${timestamp(current.notAfter)}.`;
}

/** What the site serves while another certificate, or another look at it, waits; undefined when that is of no use. Pure. */
export function meanwhile(
  { status }: SiteCertificate,
  facts: CertificateFacts | undefined,
  now: number,
): string | undefined {
  const current = facts ? facts.current : fromGeneration(status?.current);
  if (!current || (current.notAfter !== undefined && current.notAfter <= now)) return undefined;
  const site = (facts ? facts.site.domain : status?.site) || 'The site';
  const until = current.notAfter === undefined ? '' : `, valid until ${timestamp(current.notAfter)}`;
  return `${site} serves the certificate ${shortFingerprint(current.fingerprint)}${until}.`;
}
