import type { Reported } from '../cli/standing.ts';
import type { Site } from '../cloud/site/types.ts';
import type { Manifest } from '../import/terraform/result.ts';
import { namesOf, toASCII } from '../kinds/web-accel-site/names.ts';
import { Annotation, isSet } from '../reconcile/annotations.ts';
import type { There } from './there.ts';

/** What of the manifests the namespace has already; each is named as `Sim truck-17`. */
export interface Present {
  /** Those whose resource writes at the service: applied over it, a manifest un-sets what it does not have. */
  readonly same: readonly string[];
  /** Those of what a resource of another name has: applied beside that, a manifest is only in its way. */
  readonly others: readonly { readonly manifest: string; readonly by: string }[];
}

/** What tells a site from others: manifests name it by its ID, and others may name it by a domain. */
export type NamedSite = Pick<Site, 'id' | 'domain' | 'asciiDomain' | 'subdomain'>;

/** What a namespace has of the manifests already; undefined where that may not be seen. `sites`: those of the account. Pure. */
export function presentOf(
  there: readonly There[] | undefined,
  manifests: readonly Manifest[],
  sites: readonly NamedSite[],
): Present | undefined {
  if (!there) return undefined;
  const writing = new Set(
    there.filter(({ object }) => object.spec?.['managementPolicy'] !== 'Observe').map(({ title }) => title),
  );
  const holders = Map.groupBy(
    there
      // What the operator has let go of is in nobody's way.
      .filter(({ object }) => !isSet(object, Annotation.abandon))
      .flatMap(({ kind, object, title }) => marksOf(kind, object).map((mark) => ({ mark, title }))),
    ({ mark }) => mark,
  );
  const wanted = wantedMarks(manifests, sites);
  const named = manifests.map((manifest) => ({ manifest, title: `${manifest.kind} ${manifest.name}` }));
  return {
    same: named.map(({ title }) => title).filter((title) => writing.has(title)),
    others: named.flatMap(({ manifest, title }) => {
      const by = wanted(manifest).flatMap((mark) => (holders.get(mark) ?? []).map((one) => one.title));
      const [first] = by;
      return first === undefined || by.includes(title) ? [] : [{ manifest: title, by: first }];
    }),
  };
}

/** Gives the marks that a manifest will have once it is applied: a site also by its domains, a certificate by its site. */
function wantedMarks(manifests: readonly Manifest[], sites: readonly NamedSite[]): (manifest: Manifest) => string[] {
  const domains = new Map(sites.map((site) => [site.id, namesOf(site)]));
  const siteIDs = new Map(
    manifests.flatMap(({ kind, name, spec }) =>
      kind === 'WebAccelSite' && spec.siteID !== undefined ? [[name, spec.siteID] as const] : [],
    ),
  );
  return ({ kind, spec }) => {
    if (kind === 'WebAccelSite') {
      const named = domains.get(spec.siteID ?? '') ?? [];
      return [...marksOf(kind, { spec }), ...named.map((domain) => `${kind} domain ${domain}`)];
    }
    const siteID = kind === 'SiteCertificate' && spec.siteRef ? siteIDs.get(spec.siteRef.name) : undefined;
    return marksOf(kind, { spec: { ...spec, ...(siteID !== undefined && { siteID }) } });
  };
}

/** What a resource names at the service, or has there: two with one of these are after the same. Of a certificate it is its site. */
function marksOf(kind: string, { spec = {}, status = {} }: Pick<Reported, 'spec' | 'status'>): string[] {
  const domain = spec['domain'];
  const marks: Readonly<Record<string, readonly unknown[]>> = {
    id: [status['id'], status['siteID'], spec['resourceID'], spec['siteID']],
    iccid: [spec['iccid']],
    domain: [typeof domain === 'string' ? toASCII(domain) : undefined],
  };
  return Object.entries(marks).flatMap(([what, values]) =>
    values.flatMap((value) => (typeof value === 'string' && value !== '' ? [`${kind} ${what} ${value}`] : [])),
  );
}
