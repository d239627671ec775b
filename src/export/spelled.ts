import type { Reported } from '../cli/standing.ts';
import type { Manifest } from '../import/terraform/result.ts';
import { namesOf, toASCII } from '../kinds/web-accel-site/names.ts';
import type { NamedSite } from './present.ts';
import type { There } from './there.ts';

/**
 * The manifests, each naming its site in the way in which the resource of its name does: that cannot be changed, so what
 * is written in the other way could not be applied over it. As they are where nobody may see what there is. `sites`: those
 * of the account. Pure.
 */
export function spelledAsThere(
  there: readonly There[] | undefined,
  manifests: readonly Manifest[],
  sites: readonly NamedSite[],
): readonly Manifest[] {
  const named = new Map(there?.map(({ title, object }) => [title, object]));
  const siteIDs = new Map(
    manifests.flatMap(({ kind, name, spec }) => (kind === 'WebAccelSite' ? [[name, spec.siteID] as const] : [])),
  );
  return manifests.map((manifest) => spelled(manifest, named.get(`${manifest.kind} ${manifest.name}`), siteIDs, sites));
}

function spelled(
  manifest: Manifest,
  there: Reported | undefined,
  siteIDs: ReadonlyMap<string, string | undefined>,
  sites: readonly NamedSite[],
): Manifest {
  if (manifest.kind === 'WebAccelSite') {
    const { siteID, ...rest } = manifest.spec;
    const domain = there?.spec?.['domain'];
    const site = sites.find(({ id }) => id === siteID);
    if (typeof domain !== 'string' || !site || !namesOf(site).includes(toASCII(domain))) return manifest;
    return { ...manifest, spec: { ...rest, domain } };
  }
  if (manifest.kind === 'SiteCertificate') {
    const { siteID, siteRef, ...rest } = manifest.spec;
    const id = siteID ?? siteIDs.get(siteRef?.name ?? '');
    if (id === undefined || there?.status?.['siteID'] !== id) return manifest;
    const byRef = nameIn(there.spec?.['siteRef']);
    const spec = byRef === undefined ? { ...rest, siteID: id } : { ...rest, siteRef: { name: byRef } };
    return { ...manifest, spec };
  }
  return manifest;
}

function nameIn(ref: unknown): string | undefined {
  const name: unknown = typeof ref === 'object' && ref !== null && 'name' in ref ? ref.name : undefined;
  return typeof name === 'string' ? name : undefined;
}
