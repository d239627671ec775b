import { type SiteHold, SiteReason } from './reasons.ts';
import type { SiteSpec } from './schema.ts';

/** Sites are not created, so a site that isn't there is waited for. */
export function holdNotFound(spec: SiteSpec): SiteHold {
  const what = spec.siteID === undefined ? `of the domain ${spec.domain}` : `with the ID ${spec.siteID}`;
  return {
    state: 'Waiting',
    reason: SiteReason.SiteNotFound,
    message: `The account has no site ${what}. Sites are not created here: add it in the service's control panel, or correct the name by creating the resource again.`,
  };
}

/** A list that does not show everything says nothing about a domain it doesn't show. */
export function holdNotListed(domain: string, shown: number): SiteHold {
  return {
    state: 'Stalled',
    reason: SiteReason.SiteNotListed,
    message: `The service lists only ${shown} of the account's sites, and ${domain} is not among them. Create the resource again with its siteID, which the control panel shows.`,
  };
}
