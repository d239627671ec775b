import type { Site } from '../../cloud/site/types.ts';
import { isSameCounterpart } from '../../reconcile/counterpart.ts';
import { differsInTime, holdStranger, type Proposal } from '../cloud-account/losses.ts';
import type { SiteIdentity } from './facts.ts';
import { namesOf, toASCII } from './names.ts';
import { type SiteHold, SiteReason } from './reasons.ts';
import type { SiteSpec, WebAccelSite } from './schema.ts';

const indexes = new WeakMap<ReadonlyMap<string, Site>, Map<string, Site[]>>();

/** As much of a site as tells which one it is. */
type Seen = Pick<SiteIdentity, 'id' | 'domain' | 'asciiDomain' | 'subdomain'> &
  Partial<Pick<SiteIdentity, 'createdAt'>>;

/** Whether a site is the one a status recorded, and the spec means: an ID alone is none. Pure. */
export function isTheSite({ spec, status }: WebAccelSite, site: Seen): boolean {
  if (status?.id !== site.id) return true;
  const isSame =
    isCalledAsRecorded(status, site) && isSameCounterpart({ id: site.id, createdAt: status.createdAt }, site);
  return isSame && isMeant(spec, site);
}

function isCalledAsRecorded(status: WebAccelSite['status'], { subdomain }: Seen): boolean {
  return !status?.subdomain || !subdomain || status.subdomain === subdomain;
}

/** Whether a site is the one that the spec names, as far as it shows. Pure. */
export function isMeant({ domain, siteID }: Pick<SiteSpec, 'domain' | 'siteID'>, site: Seen): boolean {
  if (siteID !== undefined) return siteID === site.id;
  const names = namesOf(site);
  return domain === undefined || names.length === 0 || names.includes(toASCII(domain));
}

/** Why nothing is done with the site that has the recorded ID. */
export function holdOtherSite({ spec, status }: WebAccelSite, site: Seen, proposal: Proposal): SiteHold {
  if (!isMeant(spec, site)) {
    const meant = spec.siteID === undefined ? `its domain is not ${spec.domain}` : `its ID is not ${spec.siteID}`;
    return holdStranger(`site ${site.id}`, `${meant}, which the spec says`, proposal);
  }
  const differs = isCalledAsRecorded(status, site)
    ? differsInTime(status?.createdAt)
    : `its host name is not ${status?.subdomain}, which was recorded`;
  return holdStranger(`site ${site.id}`, differs, proposal);
}

/** The site that belongs to a resource, in a list of the account's sites by ID: the one recorded or named, else by domain. */
export function findSite(
  spec: SiteSpec,
  id: string | undefined,
  items: ReadonlyMap<string, Site>,
): { item: Site | undefined } | { hold: SiteHold } {
  const known = id === undefined ? undefined : items.get(id);
  if (known || spec.domain === undefined) return { item: known };
  const matches = byName(items).get(toASCII(spec.domain)) ?? [];
  const [only] = matches;
  return matches.length < 2 ? { item: only } : { hold: holdAmbiguous(spec.domain, matches) };
}

function byName(items: ReadonlyMap<string, Site>): Map<string, Site[]> {
  let index = indexes.get(items);
  if (!index) {
    index = new Map();
    for (const site of items.values()) {
      for (const name of namesOf(site)) {
        const same = index.get(name);
        if (same) same.push(site);
        else index.set(name, [site]);
      }
    }
    indexes.set(items, index);
  }
  return index;
}

function holdAmbiguous(domain: string, sites: readonly Site[]): SiteHold {
  const ids = sites.map((site) => site.id).join(', ');
  return {
    state: 'Stalled',
    reason: SiteReason.AmbiguousDomain,
    message: `The account has several sites of the domain ${domain}: ${ids}. Create the resource again with the siteID of the one that is meant.`,
  };
}
