import type { Snapshot } from '../../cloud/list/snapshot.ts';
import type { Site } from '../../cloud/site/types.ts';
import type { AccountResolver } from '../../reconcile/account.ts';
import { isSameCounterpart } from '../../reconcile/counterpart.ts';
import type { Pass } from '../../reconcile/kind.ts';
import type { AccountRef } from '../../reconcile/managed-object.ts';
import { isStatusOfAnother } from '../../reconcile/restored.ts';
import type { AccountSession } from '../../reconcile/session.ts';
import { isTheSite } from '../web-accel-site/find.ts';
import { toASCII } from '../web-accel-site/names.ts';
import type { WebAccelSite } from '../web-accel-site/schema.ts';
import type { SiteNames } from './checks.ts';
import { type CertificateHold, CertificateReason } from './reasons.ts';
import type { SiteCertificate } from './schema.ts';

/** The site a certificate goes on: its ID, and the names it is asked for by; `unknown`: no list shows it. */
export type LocatedSite =
  | { readonly siteID: string; readonly names: SiteNames | 'unknown' }
  | { readonly hold: CertificateHold };

/** Who looks for a site, and in which account. */
export interface SiteSearch extends Pick<Pass<SiteCertificate>, 'object' | 'accountRef'> {
  readonly session: Identity;
}

/** Finds out which account at the service a WebAccelSite lives in. */
export interface SiteAccounts {
  resolve(
    ...of: Parameters<AccountResolver['resolve']>
  ): { readonly session: Identity; readonly accountRef: AccountRef } | { readonly hold: CertificateHold };
}

type Identity = Pick<AccountSession, 'identity'>;

/** Finds the site of a SiteCertificate, through its WebAccelSite or by ID. Pure. */
export function locateSite(
  pass: SiteSearch,
  site: (namespace: string, name: string) => WebAccelSite | undefined,
  accounts: SiteAccounts,
  snapshot: Snapshot<Site>,
): LocatedSite {
  const { spec, metadata } = pass.object;
  const hold = wrongReference(pass, site, accounts);
  if (hold) return { hold };
  const named = spec.siteRef && site(metadata.namespace ?? '', spec.siteRef.name);
  if (named?.status?.id !== undefined) return ofReference(named, named.status.id, snapshot);
  const siteID = spec.siteID ?? '';
  const item = snapshot.items.get(siteID);
  if (item) return { siteID, names: namesServed(item) };
  return snapshot.complete ? { hold: holdNoSite(siteID) } : { siteID, names: 'unknown' };
}

/** What is wrong with the reference to a WebAccelSite, where there is one: that shows without a list of sites. Pure. */
export function wrongReference(
  pass: SiteSearch,
  site: (namespace: string, name: string) => WebAccelSite | undefined,
  accounts: SiteAccounts,
): CertificateHold | undefined {
  const { spec, metadata } = pass.object;
  if (!spec.siteRef) return undefined;
  const namespace = metadata.namespace ?? '';
  const found = site(namespace, spec.siteRef.name);
  if (!found) return holdNoReference(namespace, spec.siteRef.name);
  if (found.status?.id === undefined) return holdNotReady(found.metadata.name);
  const account = accounts.resolve(namespace, found.spec, found.status.accountRef);
  if ('hold' in account) return account.hold;
  const isSame = account.session.identity === pass.session.identity;
  return isSame ? undefined : holdMismatch(pass, found, account.accountRef);
}

function ofReference(site: WebAccelSite, id: string, snapshot: Snapshot<Site>): LocatedSite {
  const item = snapshot.items.get(id);
  if (item && !isTheSite(site, item)) return { hold: holdInDoubt(site.metadata.name, id) };
  // Nothing else tells that the site is the one: the status is a copy, or came from a backup.
  if (!item && isStatusOfAnother(site)) return { hold: holdNotReady(site.metadata.name) };
  const recorded = {
    domain: site.status?.domain ?? '',
    asciiDomain: site.status?.asciiDomain ?? '',
    subdomain: site.status?.subdomain ?? '',
    domainType: site.status?.domainType ?? '',
  };
  return { siteID: id, names: namesServed(item ?? recorded) };
}

/** Whether a site is the one a certificate's status recorded. Pure. */
export function isOfTheSite({ status }: SiteCertificate, site: Pick<Site, 'id' | 'createdAt'>): boolean {
  return status?.id !== site.id || isSameCounterpart({ id: site.id, createdAt: status.createdAt }, site);
}

/** A site with a domain of its own is asked for by that; any other by the name the service gave it. */
export function namesServed(site: Pick<Site, 'domain' | 'asciiDomain' | 'subdomain' | 'domainType'>): SiteNames {
  const own = site.asciiDomain || site.domain;
  const name = site.domainType === 'subdomain' ? site.subdomain || own : own || site.subdomain;
  return { domain: site.domain || name, served: [toASCII(name)] };
}

function holdNoReference(namespace: string, name: string): CertificateHold {
  return {
    state: 'Waiting',
    reason: CertificateReason.SiteNotFound,
    message: `There is no WebAccelSite ${name} in namespace ${namespace}. Create it, or create this resource again with another siteRef.`,
  };
}

/** The account has no such site. */
export function holdNoSite(siteID: string): CertificateHold {
  return {
    state: 'Waiting',
    reason: CertificateReason.SiteNotFound,
    message: `The account has no site with the ID ${siteID}. Create this resource again with the ID that the control panel shows.`,
  };
}

function holdNotReady(name: string): CertificateHold {
  return {
    state: 'Waiting',
    reason: CertificateReason.SiteNotReady,
    message: `The WebAccelSite ${name} has not found its site yet; its own conditions say why.`,
    isProgress: true,
  };
}

/** A certificate must not go to a stranger's site that has the ID of the one that was recorded. */
function holdInDoubt(name: string, id: string): CertificateHold {
  return {
    state: 'Waiting',
    reason: CertificateReason.SiteNotReady,
    message: `What the account shows as site ${id} is not the site that the WebAccelSite ${name} has; its own conditions say what to do.`,
  };
}

function holdMismatch(pass: SiteSearch, site: WebAccelSite, ref: { kind: string; name: string }): CertificateHold {
  return {
    state: 'Stalled',
    reason: CertificateReason.AccountMismatch,
    message: `The WebAccelSite ${site.metadata.name} lives in the ${ref.kind} ${ref.name}, this resource in the ${pass.accountRef.kind} ${pass.accountRef.name}. Create this resource again with accountRef: {kind: ${ref.kind}, name: ${ref.name}}.`,
  };
}
