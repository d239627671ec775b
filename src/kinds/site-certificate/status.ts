import { defined } from '../../cloud/page.ts';
import { timestamp } from '../../kubernetes/objects.ts';
import type { CertificateFacts } from './facts.ts';
import { toGeneration } from './observe.ts';

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
