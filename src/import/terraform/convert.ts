import { gatewaySpec } from '../../kinds/mobile-gateway/schema.ts';
import { simSpec } from '../../kinds/sim/schema.ts';
import { type ManagedKindName, manifestRank } from '../../reconcile/kind-names.ts';
import { certificateOf } from './certificate.ts';
import type { Context, Place } from './context.ts';
import { gatewayOf, simsOn } from './gateway.ts';
import { namesOf } from './names.ts';
import type { Conversion, Converted, ConvertOptions } from './result.ts';
import { simOf } from './sim.ts';
import { activationOf, type SiteSources, siteOf } from './site.ts';
import { type Source, type SourceType, sourcesOf } from './source.ts';
import type { State } from './state.ts';

interface Made {
  readonly sources: readonly Source[];
  readonly made: Converted;
}

/**
 * The manifests that take over what a state describes, so that applying them writes nothing at the service as long as the
 * state tells how things are; and what of the state they do not have. Pure.
 */
export function convert(state: State, options: ConvertOptions): Conversion {
  const { all, findings, counts } = sourcesOf(state);
  const of = (type: SourceType) => all.filter((source) => source.type === type);
  const [gateways, sims] = [of('sakuracloud_mobile_gateway'), of('sakuracloud_sim')];
  const certificates = of('sakuracloud_webaccel_certificate');
  const activations = of('sakuracloud_webaccel_activation');
  const sites = sitesOf(of('sakuracloud_webaccel'), of('sakuracloud_webaccel_acl'));
  const names = {
    gateways: namesOf(gateways),
    sims: namesOf(sims),
    sites: namesOf(sites.map(({ id, site, acl }) => ({ id, words: (site ?? acl)?.words ?? [] }))),
    certificates: namesOf(certificates),
  };
  const context: Context = {
    options,
    gateways: namedBy(gateways.filter(isGateway), gateways, names.gateways),
    sims: namedBy(sims.filter(isSim), sims, names.sims),
    sites: new Map(sites.map(({ id }, index) => [id, names.sites[index] ?? ''])),
    places: placesOf(gateways),
  };
  const byKind: Readonly<Record<ManagedKindName, readonly Made[]>> = {
    MobileGateway: gateways.map((one, at) => ({
      sources: [one],
      made: gatewayOf(one, names.gateways[at] ?? '', context),
    })),
    Sim: sims.map((one, at) => ({ sources: [one], made: simOf(one, names.sims[at] ?? '', context) })),
    WebAccelSite: sites.map((one, at) => ({
      sources: [one.site, one.acl].filter((source) => source !== undefined),
      made: siteOf(one, names.sites[at] ?? '', context),
    })),
    SiteCertificate: certificates.map((one, at) => ({
      sources: [one],
      made: certificateOf(one, names.certificates[at] ?? '', context),
    })),
  };
  const converted = Object.values(byKind).flat();
  const carried = converted.filter(({ made }) => made.manifest);
  const manifests = carried.flatMap(({ made }) => (made.manifest ? [made.manifest] : []));
  const switches = activations.map((source) => {
    const site = context.sites.get(source.attributes.text('site_id') ?? source.id);
    return { source, isReleased: site !== undefined, made: activationOf(source, site) };
  });
  return {
    manifests: manifests.sort((a, b) => manifestRank[a.kind] - manifestRank[b.kind] || (a.name < b.name ? -1 : 1)),
    secrets: carried.flatMap(({ made }) => made.secrets).sort((a, b) => (a.name < b.name ? -1 : 1)),
    findings: [...findings, ...[...converted, ...switches].flatMap(({ made }) => made.findings)],
    released: [
      ...carried.flatMap(({ sources }) => sources.map(({ address }) => address)),
      ...switches.filter(({ isReleased }) => isReleased).map(({ source }) => source.address),
    ],
    counts,
  };
}

/** Sites with their access control lists, and lists of sites that the state does not have otherwise. */
function sitesOf(sites: readonly Source[], lists: readonly Source[]): SiteSources[] {
  const siteIDOf = (acl: Source) => acl.attributes.text('site_id') ?? acl.id;
  const alone = lists.filter((acl) => !sites.some(({ id }) => id === siteIDOf(acl)));
  return [
    ...sites.map((site) => ({ id: site.id, site, acl: lists.find((acl) => siteIDOf(acl) === site.id) })),
    ...alone.map((acl) => ({ id: siteIDOf(acl), site: undefined, acl })),
  ];
}

/** Those that become a manifest at all: others must not be named by one. */
const isGateway = ({ id, attributes }: Source) =>
  gatewaySpec.safeParse({ zone: attributes.text('zone'), resourceID: id }).success;
const isSim = ({ id, attributes }: Source) =>
  simSpec.safeParse({ iccid: attributes.text('iccid'), resourceID: id }).success;

function namedBy(some: readonly Source[], all: readonly Source[], names: readonly string[]): Map<string, string> {
  return new Map(some.map((source) => [source.id, names[all.indexOf(source)] ?? '']));
}

function placesOf(gateways: readonly Source[]): Map<string, Place[]> {
  const places = new Map<string, Place[]>();
  for (const { simID, place } of gateways.flatMap(simsOn)) {
    const known = places.get(simID);
    if (known) known.push(place);
    else places.set(simID, [place]);
  }
  return places;
}
