import type { Site } from '../../cloud/site-types.ts';
import type { Hold } from '../../reconcile/kind.ts';
import { namesOf, toASCII } from './names.ts';
import { SiteReason } from './reasons.ts';
import type { SiteSpec } from './schema.ts';

const indexes = new WeakMap<ReadonlyMap<string, Site>, Map<string, Site[]>>();

/** The site that belongs to a resource, in a list of the account's sites by ID: the one recorded or named, else by domain. */
export function findSite(
  spec: SiteSpec,
  id: string | undefined,
  items: ReadonlyMap<string, Site>,
): { item: Site | undefined } | { hold: Hold } {
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

function holdAmbiguous(domain: string, sites: readonly Site[]): Hold {
  const ids = sites.map((site) => site.id).join(', ');
  return {
    kind: 'Stalled',
    reason: SiteReason.AmbiguousDomain,
    message: `The account has several sites of the domain ${domain}: ${ids}. Create the resource anew with the siteID of the one that is meant.`,
  };
}
