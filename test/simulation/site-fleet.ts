import { createVirtualFleet } from './fleet.ts';

export const SECOND = 1000;
export const MINUTE = 60 * SECOND;

/** Sites of one account, each for a resource in the namespace of that place: `s0`, `s1`, … */
export function createSiteFleet(places: readonly string[]) {
  const all = places.map((namespace, index) => {
    const name = `s${index}`;
    return { namespace, name, site: { id: String(113_300_010_000 + index), name, domain: `${name}.example.jp` } };
  });
  const [shared = ''] = places;
  const sites = all.map(({ site }) => site);
  const seeds = Object.fromEntries(places.map((namespace) => [namespace, namespace === shared ? { sites } : {}]));
  const fleet = createVirtualFleet({ seeds, shared });
  const { world } = fleet;
  const pathOf = ({ namespace }: { readonly namespace: string }, plural = 'webaccelsites') =>
    `/apis/edgeline.dev/v1alpha1/namespaces/${namespace}/${plural}`;
  return {
    ...fleet,
    all,
    pathOf,
    letPass: (milliseconds: number) => world.run(world.now() + milliseconds),
    /** Makes a WebAccelSite of each. */
    createSites(): void {
      for (const one of all) {
        fleet.create(pathOf(one), {
          apiVersion: 'edgeline.dev/v1alpha1',
          kind: 'WebAccelSite',
          metadata: { name: one.name },
          spec: { siteID: one.site.id, managementPolicy: 'Manage', defaultCacheTTL: 0 },
        });
      }
    },
    change: (one: (typeof all)[number], defaultCacheTTL: number): void =>
      fleet.patch(`${pathOf(one)}/${one.name}`, { spec: { defaultCacheTTL } }),
  };
}
