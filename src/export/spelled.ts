import { ClusterError } from '../cli/errors.ts';
import { kindOf } from '../cli/kinds.ts';
import type { Session } from '../cli/session.ts';
import type { Reported } from '../cli/standing.ts';
import type { Manifest } from '../import/terraform/result.ts';
import { namesOf, toASCII } from '../kinds/web-accel-site/names.ts';
import type { NamedSite } from './present.ts';

/**
 * The manifests, each naming its site in the way in which the resource of its name does: that cannot be changed, so what
 * is written in the other way could not be applied over it. As they are where nobody may see what there is. `sites`: those
 * of the account.
 */
export async function spelledAsThere(
  session: Pick<Session, 'list'>,
  namespace: string,
  manifests: readonly Manifest[],
  sites: readonly NamedSite[],
): Promise<readonly Manifest[]> {
  const named = (['WebAccelSite', 'SiteCertificate'] as const).filter((kind) =>
    manifests.some((manifest) => manifest.kind === kind),
  );
  try {
    const lists = await Promise.all(named.map((kind) => session.list<Reported>(kindOf(kind), namespace)));
    const there = new Map<string, Reported>(
      named.flatMap((kind, index) =>
        (lists[index] ?? []).map((object) => [`${kind} ${object.metadata.name}`, object] as const),
      ),
    );
    const siteIDs = new Map(
      manifests.flatMap(({ kind, name, spec }) => (kind === 'WebAccelSite' ? [[name, spec.siteID] as const] : [])),
    );
    return manifests.map((manifest) =>
      spelled(manifest, there.get(`${manifest.kind} ${manifest.name}`), siteIDs, sites),
    );
  } catch (error) {
    if (error instanceof ClusterError) return manifests;
    throw error;
  }
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
