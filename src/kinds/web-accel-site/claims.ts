import type { Claims } from '../../reconcile/claims.ts';
import type { Counterpart } from '../../reconcile/counterpart.ts';
import type { Index } from '../../reconcile/indexer.ts';
import type { Sealer } from '../../reconcile/seal.ts';
import type { AccountSession } from '../../reconcile/session.ts';
import type { ObservedSite, SiteIdentity } from './facts.ts';
import { namesOf, toASCII } from './names.ts';
import { type SiteHold, SiteReason } from './reasons.ts';
import type { WebAccelSite } from './schema.ts';

/** What a WebAccelSite may name its site by: ID and domain. Index sites by this. */
export function claimKeys({ spec, status }: WebAccelSite): string[] {
  const keys = [status?.id, spec.siteID, spec.domain === undefined ? undefined : toASCII(spec.domain)];
  return [...new Set(keys.filter((key) => key !== undefined))];
}

/** The sites that an account shows, as far as its last list tells; undefined before it has shown any. */
export function sitesShown({ sites }: Pick<AccountSession, 'sites'>): ReadonlyMap<string, Counterpart> | undefined {
  return sites().snapshot()?.items;
}

/** What tells whose a site is. */
export interface SiteClaims {
  readonly claims: Claims<WebAccelSite>;
  readonly byKey: Index<WebAccelSite>;
}

/** As much of a site as tells whose it is. */
export type ClaimedSite = SiteIdentity & Pick<ObservedSite, 'listed'>;

/** One site of the service belongs to one WebAccelSite. Why this one may not have it; undefined when it may. */
export function claimOf(
  object: WebAccelSite,
  site: ClaimedSite,
  session: Sealer,
  { claims, byKey }: SiteClaims,
): SiteHold | undefined {
  // Who names a domain that the list doesn't show has no way to the site.
  const keys = site.listed ? [site.id, ...namesOf(site)] : [site.id];
  const candidates = new Set(keys.flatMap((key) => byKey.get(key)));
  const first = claims.claim(object, site, session, [...candidates]);
  if (!first) return undefined;
  return {
    state: 'Stalled',
    reason: SiteReason.AlreadyManaged,
    message: `Site ${site.id} is already managed by the WebAccelSite ${first.metadata.namespace}/${first.metadata.name}. Delete one of the two; the site itself stays as it is.`,
    ...claims.waits(object),
    leaves: true,
  };
}
