import { namesOf } from '../import/terraform/names.ts';
import type { Converted, Finding, Manifest, SecretManifest } from '../import/terraform/result.ts';
import { gatewaySpec } from '../kinds/mobile-gateway/schema.ts';
import { simSpec } from '../kinds/sim/schema.ts';
import { type ManagedKindName, manifestRank } from '../reconcile/kind-names.ts';
import { compareText } from '../text.ts';
import type { Context, ExportOptions } from './context.ts';
import { gatewayOf } from './gateway.ts';
import type { Picture } from './picture.ts';
import type { Selection } from './select.ts';
import { simOf } from './sim.ts';
import { certificateLeft, certificateOf, siteOf } from './site.ts';

/** What an account turns into. */
export interface Exported {
  /** What others depend on first, by name. */
  readonly manifests: readonly Manifest[];
  /** Those whose values the service shows. */
  readonly secrets: readonly SecretManifest[];
  readonly findings: readonly Finding[];
}

/**
 * Manifests that take over what was selected of an account, so that applying them writes nothing at the service; and what
 * they do not have. Pure.
 */
export function convert(picture: Picture, selection: Selection, options: ExportOptions): Exported {
  // By ID: names follow from what there is, whatever was selected of it and in which order it was listed.
  const byID = <T>(all: readonly T[], idOf: (one: T) => string) =>
    all.toSorted((a, b) => compareText(idOf(a), idOf(b)));
  const gateways = byID(picture.gateways, ({ gateway }) => gateway.id);
  const sims = byID(picture.sims, ({ item }) => item.id);
  const sites = byID(picture.sites, ({ site }) => site.id);
  const named = {
    gateways: new Map(zip(gateways, namesOf(gateways.map(({ gateway: { id, name } }) => ({ id, words: [name] }))))),
    sims: new Map(zip(sims, namesOf(sims.map(({ item: { id, name } }) => ({ id, words: [name] }))))),
    sites: new Map(zip(sites, namesOf(sites.map(({ site: { id, name } }) => ({ id, words: [name] }))))),
  };
  const wanted = {
    gateways: gateways.filter((one) => selection.gateway(one)),
    sims: sims.filter((one) => selection.sim(one)),
    sites: sites.filter((one) => selection.site(one)),
    certificates: sites.filter((one) => one.site.hasCertificate && selection.certificate(one)),
  };
  const context: Context = {
    options,
    gateways: new Map(
      wanted.gateways
        .filter(({ zone, gateway }) => gatewaySpec.safeParse({ zone, resourceID: gateway.id }).success)
        .map((one) => [one.gateway.id, named.gateways.get(one) ?? '']),
    ),
    sims: new Map(
      wanted.sims
        .filter(
          ({ item }) => simSpec.safeParse({ iccid: item.iccid || item.status?.iccid, resourceID: item.id }).success,
        )
        .map((one) => [one.item.id, named.sims.get(one) ?? '']),
    ),
    sites: new Map(wanted.sites.map((one) => [one.site.id, named.sites.get(one) ?? ''])),
    places: placesOf(picture),
  };
  const byKind: Readonly<Record<ManagedKindName, readonly Converted[]>> = {
    MobileGateway: wanted.gateways.map((one) => gatewayOf(one, named.gateways.get(one) ?? '', context)),
    Sim: wanted.sims.map((one) => simOf(one, named.sims.get(one) ?? '', context)),
    WebAccelSite: wanted.sites.map((one) => siteOf(one, named.sites.get(one) ?? '', context)),
    SiteCertificate: wanted.certificates.map((one) => certificateOf(one, named.sites.get(one) ?? '', context)),
  };
  const converted = Object.values(byKind).flat();
  const without = wanted.sites.filter((one) => !wanted.certificates.includes(one));
  return {
    manifests: converted.flatMap(({ manifest }) => manifest ?? []).toSorted(byKindAndName),
    secrets: converted.flatMap(({ secrets }) => secrets),
    findings: [...converted.flatMap(({ findings }) => findings), ...without.flatMap(certificateLeft)],
  };
}

const byKindAndName = (a: Manifest, b: Manifest) =>
  manifestRank[a.kind] - manifestRank[b.kind] || compareText(a.name, b.name);

function zip<A, B>(keys: readonly A[], values: readonly B[]): [A, B][] {
  return keys.flatMap((key, index) => {
    const value = values[index];
    return value === undefined ? [] : [[key, value] as [A, B]];
  });
}

/** Which gateways have each SIM, by its ID. */
function placesOf({ gateways }: Picture): Map<string, string[]> {
  const places = new Map<string, string[]>();
  for (const { gateway, reading } of gateways) {
    for (const { resourceID } of reading?.sims ?? []) {
      places.set(resourceID, [...(places.get(resourceID) ?? []), gateway.id]);
    }
  }
  return places;
}
