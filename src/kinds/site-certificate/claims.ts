import type { AccountResolver } from '../../reconcile/account.ts';
import { Annotation, isSet } from '../../reconcile/annotations.ts';
import { type Claims, type Counterpart, isSameCounterpart } from '../../reconcile/claims.ts';
import { firstOf } from '../../reconcile/evidence.ts';
import type { Index } from '../../reconcile/indexer.ts';
import { createSealReader, type SealReader } from '../../reconcile/seal.ts';
import type { AccountSession } from '../../reconcile/session.ts';
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
  readonly accounts: Pick<AccountResolver, 'resolve'>;
  readonly claims: Claims<SiteCertificate>;
  readonly byKey: Index<SiteCertificate>;
}

const seals = { site: createSealReader('WebAccelSite'), certificate: createSealReader('SiteCertificate') };

/**
 * The certificate of a site belongs to one SiteCertificate, and where a WebAccelSite has the site, to one of its namespace.
 * Why this one may not look after it; undefined when it may. `sites` are the WebAccelSites of this site.
 */
export function claimOf(
  object: SiteCertificate,
  site: Counterpart,
  session: AccountSession,
  { accounts, claims, byKey, sites }: CertificateClaims & { readonly sites: readonly WebAccelSite[] },
): CertificateHold | undefined {
  const owner = ownerOf();
  const mayHave = (one: SiteCertificate) =>
    !owner || one.metadata.namespace === owner.metadata.namespace || hadBefore(one, owner);
  if (owner && !mayHave(object)) return holdOthersSite(object, site.id, owner);
  const keys = [site.id, ...sites.map(({ metadata }) => refKey(metadata.namespace, metadata.name))];
  const candidates = new Set(keys.flatMap((key) => byKey.get(key)));
  const first = claims.claim(object, site, session, [...candidates].filter(mayHave));
  if (!first) return undefined;
  return {
    state: 'Stalled',
    reason: CertificateReason.AlreadyManaged,
    message: `The certificate of site ${site.id} is already managed by the SiteCertificate ${first.metadata.namespace}/${first.metadata.name}. Delete one of the two; the certificate stays on the site.`,
    leaves: true,
  };

  /** It had the site before somebody made a WebAccelSite of it in another namespace; within the same second nothing tells. */
  function hadBefore(one: SiteCertificate, { metadata }: WebAccelSite): boolean {
    if ((one.metadata.creationTimestamp ?? '') > (metadata.creationTimestamp ?? '')) return false;
    // No seal can be told after the account's Secret was exchanged, or through an account of another service; and one whose
    // credentials are refused has not let go.
    const had = claims.of(one.metadata.uid);
    if (had && isSameCounterpart(had, site)) return true;
    return one.status?.id === site.id && sealedSince(seals.certificate, one, true) !== undefined;
  }

  /** The WebAccelSite that got the site last, as its seal tells: one that gave it up may have kept a status of before. */
  function ownerOf(): WebAccelSite | undefined {
    const sealed = sites.flatMap((object) => {
      const since = sealedSince(seals.site, object, false);
      return since === undefined || isSet(object, Annotation.abandon) ? [] : [{ object, ranks: [since] }];
    });
    return firstOf(sealed);
  }

  /**
   * Since when one has the site on record, sealed by this account, or by its own where the same service shows the site to
   * that, which no tenant can make up: who has another token of one account has to see the same owner. `isPatient`: so it is
   * until the first list of that account has come, or failed.
   */
  function sealedSince(
    reader: SealReader,
    one: WebAccelSite | SiteCertificate,
    isPatient: boolean,
  ): number | undefined {
    const since = reader.sealedSince(one, session);
    if (since !== undefined) return since;
    const own = accounts.resolve(one.metadata.namespace ?? '', one.spec, one.status?.accountRef);
    if (!('session' in own) || own.session.service !== session.service) return undefined;
    const list = own.session.sites();
    const snapshot = list.snapshot();
    const shown = snapshot?.items.get(site.id);
    const isShown = shown ? isSameCounterpart(shown, site) : isPatient && !snapshot && list.lastError() === undefined;
    return isShown ? reader.sealedSince(one, own.session) : undefined;
  }
}

function holdOthersSite({ metadata }: SiteCertificate, id: string, owner: WebAccelSite): CertificateHold {
  const { namespace, name } = owner.metadata;
  return {
    state: 'Stalled',
    reason: CertificateReason.AlreadyManaged,
    message: `The site ${id} is that of the WebAccelSite ${namespace}/${name}, and its certificate belongs into that namespace. Make the SiteCertificate ${metadata.name} there, with siteRef: {name: ${name}}, and delete this one.`,
    leaves: true,
  };
}
