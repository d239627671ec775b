import { defined, type Each } from '../../cloud/list/page.ts';
import { timestamp } from '../../kubernetes/objects.ts';
import type { Observed, StatusOf } from '../../reconcile/managed-object.ts';
import type { Impairment } from '../../reconcile/plan.ts';
import type { SiteFacts } from './facts.ts';
import { type SiteHold, SiteReason } from './reasons.ts';
import type { WebAccelSite } from './schema.ts';

type Status = StatusOf<WebAccelSite>;

/** What was observed of the site, for the status: its usage is in the metrics. Pure. */
export function observedStatus({ observed }: SiteFacts): Observed<WebAccelSite> | undefined {
  if (!observed) return undefined;
  const { certificateNotBefore, certificateNotAfter } = observed;
  return {
    createdAt: observed.createdAt,
    siteID: observed.id,
    domain: observed.domain || undefined,
    asciiDomain: observed.asciiDomain || undefined,
    subdomain: observed.subdomain || undefined,
    domainType: observed.domainType || undefined,
    status: observed.status || undefined,
    settings: observed.settings,
    accessControl: observed.accessControl && [...observed.accessControl],
    certificate:
      certificateNotBefore === undefined && certificateNotAfter === undefined
        ? undefined
        : defined({
            notBefore: time(certificateNotBefore),
            notAfter: time(certificateNotAfter),
          } satisfies Each<NonNullable<Status['certificate']>>),
  };
}

/** Why the site, as last seen, serves nothing. */
export function siteImpairment({ observed }: SiteFacts): Impairment<SiteHold['reason']> | undefined {
  if (!observed) return { reason: SiteReason.SiteNotFound, message: '' };
  if (observed.status !== 'disabled') return undefined;
  const message = `Site ${observed.id} is disabled at the service and serves nothing. Enable it in the control panel.`;
  return { reason: SiteReason.Disabled, message };
}

/** The sentence of Ready=True. */
export function readyMessage({ observed }: SiteFacts): string {
  if (!observed) return '';
  const found = `Site ${observed.id} is at the service.`;
  return observed.listed
    ? found
    : `${found} The service's list of sites is too short to show it, so changes made elsewhere are noticed only when its turn comes (docs/reference/drift.md).`;
}

function time(milliseconds: number | undefined): string | undefined {
  return milliseconds === undefined ? undefined : timestamp(milliseconds);
}
