import type { Fault } from '../../../../../src/shadow/service/faults.ts';
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

/** Has the service answer an operation so for as long as it lasts: of what has this ID alone, or of all. */
export function fail(
  draft: Draft,
  failing: { readonly route: string | undefined; readonly fault: Fault; readonly lasts: number; readonly id?: string },
  later: number,
): void {
  const { fault, ...rest } = failing;
  const all = { what: 'fault', to: 'service', count: 1e6, skip: 0, milliseconds: 0 } as const;
  put(draft, { ...all, ...rest, fault: { service: fault } }, later);
}

/** Ends the process at moments of chance. */
export function restarts(draft: Draft, count: number, from: number, to: number): void {
  for (let one = 0; one < count; one++) {
    put(draft, { what: 'kill', process: 0, on: undefined, restart: 500 }, from + draft.random.int(to - from));
  }
}
