import { defined } from '../../cloud/page.ts';
import { timestamp } from '../../kubernetes/objects.ts';
import { shortFingerprint } from './candidate.ts';
import type { CertificateFacts } from './facts.ts';
import { fromGeneration, toGeneration } from './observe.ts';
import type { SiteCertificate } from './schema.ts';

/** What was observed of the site's certificate, for the status. Pure. */
export function observedStatus(facts: CertificateFacts): Record<string, unknown> {
  return defined({
    createdAt: facts.createdAt,
    siteID: facts.siteID,
    site: facts.site.domain || undefined,
    current: toGeneration(facts.current),
    previous: toGeneration(facts.previous),
  });
}

/** The sentence of Ready=True. */
export function readyMessage({ current, site }: CertificateFacts): string {
  if (current?.notAfter === undefined) return `The certificate of the Secret is on ${site.domain}.`;
  const until = timestamp(current.notAfter);
  return `The certificate of the Secret is on ${site.domain}; it is valid until ${until}.`;
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
