import type { AccountResolver } from '../../reconcile/account.ts';
import { Annotation, isSet } from '../../reconcile/annotations.ts';
import type { Claims } from '../../reconcile/claims.ts';
import { type Counterpart, isSameCounterpart } from '../../reconcile/counterpart.ts';
import { firstOf } from '../../reconcile/evidence.ts';
import type { Index } from '../../reconcile/indexer.ts';
import { createSealReader, type SealReader } from '../../reconcile/seal.ts';
import type { AccountSession } from '../../reconcile/session.ts';
import { sitesShown } from '../web-accel-site/claims.ts';
import type { WebAccelSite } from '../web-accel-site/schema.ts';
import type { Patience } from './patience.ts';
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
  readonly patience: Patience;
}

/** Whether an account shows the site, as far as its last list tells; no tenant can make that up at the same service. */
function showsSite(session: AccountSession, site: Counterpart): boolean {
  const shown = sitesShown(session)?.get(site.id);
  return shown !== undefined && isSameCounterpart(shown, site);
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
  { accounts, claims, byKey, patience, sites }: CertificateClaims & { readonly sites: readonly WebAccelSite[] },
): CertificateHold | undefined {
  const keys = [site.id, ...sites.map(({ metadata }) => refKey(metadata.namespace, metadata.name))];
  const candidates = [...new Set(keys.flatMap((key) => byKey.get(key)))];
  const sealers = sealersOf();
  const owner = ownerOf();
  const mayHave = (one: SiteCertificate) =>
    !owner || one.metadata.namespace === owner.metadata.namespace || hadBefore(one, owner);
  if (owner && !mayHave(object)) return holdOthersSite(object, site.id, owner);
  const first = claims.claim(object, site, session, candidates.filter(mayHave));
  if (!first) return undefined;
  return {
    state: 'Stalled',
    reason: CertificateReason.AlreadyManaged,
    message: `The certificate of site ${site.id} is already managed by the SiteCertificate ${first.metadata.namespace}/${first.metadata.name}. Delete one of the two; the certificate stays on the site.`,
    ...claims.waits(object),
    leaves: true,
  };

  /** It had the site before somebody made a WebAccelSite of it in another namespace; within the same second nothing tells. */
  function hadBefore(one: SiteCertificate, { metadata }: WebAccelSite): boolean {
    if ((one.metadata.creationTimestamp ?? '') > (metadata.creationTimestamp ?? '')) return false;
    // No seal can be told after the account's Secret was exchanged, or through an account of another service; and one whose
    // credentials are refused has not let go.
    const had = claims.of(one.metadata.uid);
    if (had && isSameCounterpart(had, site)) return true;
    if (one.status?.id !== site.id) return false;
    return sealedSince(seals.certificate, one) !== undefined || isAwaited(one);
  }

  /** The WebAccelSite that got the site last, as its seal tells: one that gave it up may have kept a status of before. */
  function ownerOf(): WebAccelSite | undefined {
    const sealed = sites.flatMap((object) => {
      const since = sealedSince(seals.site, object);
      return since === undefined || isSet(object, Annotation.abandon) ? [] : [{ object, ranks: [since] }];
    });
    return firstOf(sealed);
  }

  /** The account that one works with, where the service is the same. */
  function accountOf({
    metadata,
    spec,
    status,
  }: WebAccelSite | SiteCertificate): AccountSession | 'unclear' | undefined {
    const own = accounts.resolve(metadata.namespace ?? '', spec, status?.accountRef);
    if (!('session' in own)) return 'unclear';
    return own.session.service === session.service ? own.session : undefined;
  }

  /**
   * By whom a record may be sealed: this account, and those of all others that have to do with the site, where they show it.
   * Who has another token of one account has to see the same owner, also after tokens were exchanged.
   */
  function sealersOf(): readonly AccountSession[] {
    const all = [...sites, ...candidates].map(accountOf).filter((one) => typeof one === 'object');
    const shown = all.filter((one) => one.identity !== session.identity && showsSite(one, site));
    return [session, ...new Map(shown.map((one) => [one.identity, one])).values()];
  }

  /** Since when one has the site on record, if one of these accounts has sealed that. */
  function sealedSince(reader: SealReader, one: WebAccelSite | SiteCertificate): number | undefined {
    return sealers.map((sealer) => reader.sealedSince(one, sealer)).find((since) => since !== undefined);
  }

  /**
   * Its own account has sealed its record, as far as that can be told, and has shown no list since: it may have had the site
   * all along. Anybody can bring that about, so nobody who has the site on record waits for it, and nobody for long.
   */
  function isAwaited(one: SiteCertificate): boolean {
    if (object.status?.id === site.id || one.status?.seal === undefined) return false;
    const own = accountOf(one);
    if (own === undefined) return false;
    const isRuledOut =
      own !== 'unclear' && (own.sites().snapshot() || seals.certificate.sealedSince(one, own) === undefined);
    return !isRuledOut && patience.isFor(one.metadata.uid);
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
