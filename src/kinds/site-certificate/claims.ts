import type { Claims, Counterpart } from '../../reconcile/claims.ts';
import type { Index } from '../../reconcile/indexer.ts';
import type { Sealer } from '../../reconcile/seal.ts';
import type { WebAccelSite } from '../web-accel-site/schema.ts';
import { type CertificateHold, CertificateReason } from './reasons.ts';
import type { SiteCertificate } from './schema.ts';

/** What a SiteCertificate names its site by: ID, and namespace and name of the WebAccelSite. Index certificates by this. */
export function claimKeys({ metadata, spec, status }: SiteCertificate): string[] {
  const ref = spec.siteRef && refKey(metadata.namespace, spec.siteRef.name);
  return [...new Set([status?.id, spec.siteID, ref].filter((key) => key !== undefined))];
}

/** A WebAccelSite in the form of {@link claimKeys}. */
export function refKey(namespace: string | undefined, name: string): string {
  return `${namespace}/${name}`;
}

/** What tells whose the certificate of a site is. */
export interface CertificateClaims {
  readonly claims: Claims<SiteCertificate>;
  readonly byKey: Index<SiteCertificate>;
}

/**
 * The certificate of a site belongs to one SiteCertificate. Why this one may not look after it; undefined when it may.
 * `sites` are the WebAccelSites of this site.
 */
export function claimOf(
  object: SiteCertificate,
  site: Counterpart,
  session: Sealer,
  { claims, byKey, sites }: CertificateClaims & { readonly sites: readonly WebAccelSite[] },
): CertificateHold | undefined {
  const keys = [site.id, ...sites.map(({ metadata }) => refKey(metadata.namespace, metadata.name))];
  const candidates = new Set(keys.flatMap((key) => byKey.get(key)));
  const first = claims.claim(object, site, session, [...candidates]);
  if (!first) return undefined;
  return {
    state: 'Stalled',
    reason: CertificateReason.AlreadyManaged,
    message: `The certificate of site ${site.id} is already managed by the SiteCertificate ${first.metadata.namespace}/${first.metadata.name}. Delete one of the two; the certificate stays on the site.`,
    leaves: true,
  };
}
