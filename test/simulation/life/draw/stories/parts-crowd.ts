import type { Random } from '../../../../../src/shadow/world/random.ts';
import type { Json } from '../../json.ts';
import type { ObjectSeeds } from '../../setting.ts';
import type { Role } from '../cast.ts';
import { type Draft, put } from '../draft.ts';
import { OLD, seededID, sitePlace } from '../seed.ts';
import { type ManagedPlural, ref } from '../vocabulary.ts';
import { alter, appear } from './parts.ts';

type SiteSeeds = NonNullable<ObjectSeeds['sites']>;

/** So many sites of one account that people made, each with a domain of its own. */
export function siteSeeds(count: number): SiteSeeds {
  return Array.from({ length: count }, (_, index) => ({
    id: idOfSite(index),
    createdAt: OLD,
    name: `site ${index + 1}`,
    domain: domainOf(index),
  }));
}

export function idOfSite(index: number): string {
  return seededID('east', sitePlace(index));
}

function domainOf(index: number): string {
  return `site-${index + 1}.example.jp`;
}

/** Creates a resource for the site at this place, in one of the namespaces. */
export function introduceSite(draft: Draft, namespace: string, index: number): Role {
  const plural: ManagedPlural = 'webaccelsites';
  const fixed = { domain: domainOf(index), defaultCacheTTL: 0 };
  const site: Role = { ref: ref(plural, namespace, `site-${index + 1}`), plural, fixed, world: 'east' };
  appear(draft, site, {}, 500 + draft.random.int(5000));
  return site;
}

/** Gives it settings, and rules, that it has not had. */
export function change(draft: Draft, site: Role, later: number): void {
  const { random } = draft;
  const members: Record<string, Json> = {};
  const what = random.pick(['settings', 'rules', 'both']);
  if (what !== 'rules') members['defaultCacheTTL'] = 1 + random.int(600_000);
  if (what !== 'settings') members['accessControl'] = [`deny 192.0.2.${random.int(256)}`];
  alter(draft, site, members, later);
}

/** By so long after it was changed, a site is as its spec says. */
export function expectReady(draft: Draft, { ref: site }: Role, why: string, later: number): void {
  put(draft, { what: 'expect', ref: site, why }, later);
}

/** Ends the process at moments of chance. */
export function restarts(draft: Draft, random: Random, count: number, from: number, to: number): void {
  for (let one = 0; one < count; one++) {
    put(draft, { what: 'kill', process: 0, on: undefined, restart: 500 }, from + random.int(to - from));
  }
}
