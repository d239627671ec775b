import { defined, type Each } from '../../cloud/list/page.ts';
import { timestamp } from '../../kubernetes/objects.ts';
import type { Observed, StatusOf } from '../../reconcile/managed-object.ts';
import type { Impairment } from '../../reconcile/plan.ts';
import type { SiteFacts } from './facts.ts';
import { type SiteHold, SiteReason } from './reasons.ts';
import type { WebAccelSite } from './schema.ts';

type Status = StatusOf<WebAccelSite>;

/** What was observed of the site, for the status. Pure; what was not read again stays as it was. */
export function observedStatus(facts: SiteFacts, site: WebAccelSite): Observed<WebAccelSite> | undefined {
  const { observed, usage } = facts;
  if (!observed) return undefined;
  const { certificateNotBefore, certificateNotAfter } = observed;
  const previous = site.status;
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
    usage: usage
      ? {
          month: usage.month,
          accessCount: usage.accessCount,
          bytesSent: usage.bytesSent,
          cacheMissBytesSent: usage.cacheMissBytesSent,
          cacheHitRatioPercent: usage.cacheHitRatioPercent.toFixed(2),
          bytesCacheHitRatioPercent: usage.bytesCacheHitRatioPercent.toFixed(2),
          price: usage.price,
        }
      : previous?.usage,
    sentLastWeekGiB: observed.sentLastWeekGiB ?? previous?.sentLastWeekGiB,
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
