import type { AccountResolver } from '../../reconcile/account.ts';
import type { Index } from '../../reconcile/indexer.ts';
import type { Hold } from '../../reconcile/kind.ts';
import type { ObservedSite } from './facts.ts';
import { namesOf, toASCII } from './names.ts';
import { SiteReason } from './reasons.ts';
import type { WebAccelSite } from './schema.ts';

/** What a WebAccelSite may name its site by: ID and domain. Index sites by this. */
export function claimKeys({ spec, status }: WebAccelSite): string[] {
  const keys = [status?.id, spec.siteID, spec.domain === undefined ? undefined : toASCII(spec.domain)];
  return [...new Set(keys.filter((key) => key !== undefined))];
}

/**
 * One site of the service belongs to one WebAccelSite. Of several in one account the one that manages it already has it,
 * else the oldest; the others are told which.
 */
export function claimOf(
  object: WebAccelSite,
  site: ObservedSite,
  identity: string,
  byKey: Index<WebAccelSite>,
  accounts: AccountResolver,
): Hold | undefined {
  const rivals = new Map<string, WebAccelSite>([[object.metadata.uid, object]]);
  // Who names a domain that the list doesn't show has no way to the site.
  for (const key of site.listed ? [site.id, ...namesOf(site)] : [site.id]) {
    for (const other of byKey.get(key)) {
      // One that has settled on another site is no rival, whatever name it once gave.
      if (other.status?.id !== undefined && other.status.id !== site.id) continue;
      const account = accounts.resolve(other.metadata.namespace ?? '', other.spec, other.status?.accountRef);
      if ('session' in account && account.session.identity === identity) rivals.set(other.metadata.uid, other);
    }
  }
  const [first] = [...rivals.values()].sort(byClaim);
  if (!first || first.metadata.uid === object.metadata.uid) return undefined;
  return {
    kind: 'Stalled',
    reason: SiteReason.AlreadyManaged,
    message: `Site ${site.id} is managed by the WebAccelSite ${first.metadata.namespace}/${first.metadata.name} already. Delete one of the two; the site itself stays as it is.`,
  };
}

function byClaim(a: WebAccelSite, b: WebAccelSite): number {
  const managed = Number(b.status?.id !== undefined) - Number(a.status?.id !== undefined);
  if (managed !== 0) return managed;
  const age = (a.metadata.creationTimestamp ?? '').localeCompare(b.metadata.creationTimestamp ?? '');
  return age === 0 ? a.metadata.uid.localeCompare(b.metadata.uid) : age;
}
