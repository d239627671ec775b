import type { AccountResolver } from '../../reconcile/account.ts';
import type { Index } from '../../reconcile/indexer.ts';
import type { Hold } from '../../reconcile/kind.ts';
import type { WebAccelSite } from '../web-accel-site/schema.ts';
import { CertificateReason } from './reasons.ts';
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

/**
 * The certificate of a site belongs to one SiteCertificate. Of several the one that looks after it already has it, else
 * the oldest; the others are told which. `sites` are the WebAccelSites of this site.
 */
export function claimOf(
  object: SiteCertificate,
  siteID: string,
  identity: string,
  sources: {
    readonly byKey: Index<SiteCertificate>;
    readonly sites: readonly WebAccelSite[];
    readonly accounts: AccountResolver;
  },
): Hold | undefined {
  const { byKey, sites, accounts } = sources;
  const keys = [siteID, ...sites.map(({ metadata }) => refKey(metadata.namespace, metadata.name))];
  const rivals = new Map<string, SiteCertificate>([[object.metadata.uid, object]]);
  for (const other of keys.flatMap((key) => byKey.get(key))) {
    if (other.status?.id !== undefined && other.status.id !== siteID) continue;
    const account = accounts.resolve(other.metadata.namespace ?? '', other.spec, other.status?.accountRef);
    if ('session' in account && account.session.identity === identity) rivals.set(other.metadata.uid, other);
  }
  const [first] = [...rivals.values()].sort(byClaim);
  if (!first || first.metadata.uid === object.metadata.uid) return undefined;
  return {
    kind: 'Stalled',
    reason: CertificateReason.AlreadyManaged,
    message: `The certificate of site ${siteID} is looked after by the SiteCertificate ${first.metadata.namespace}/${first.metadata.name} already. Delete one of the two; the certificate stays on the site.`,
  };
}

function byClaim(a: SiteCertificate, b: SiteCertificate): number {
  const managed = Number(b.status?.id !== undefined) - Number(a.status?.id !== undefined);
  if (managed !== 0) return managed;
  const age = (a.metadata.creationTimestamp ?? '').localeCompare(b.metadata.creationTimestamp ?? '');
  return age === 0 ? a.metadata.uid.localeCompare(b.metadata.uid) : age;
}
