import type { DialectName } from '../../cloud/dialect.ts';
import type { SimItem } from '../../cloud/sim/types.ts';
import type { MobileGateway } from '../../kinds/mobile-gateway/schema.ts';
import type { Sim } from '../../kinds/sim/schema.ts';
import type { SiteCertificate } from '../../kinds/site-certificate/schema.ts';
import { namesOf, toASCII } from '../../kinds/web-accel-site/names.ts';
import type { WebAccelSite } from '../../kinds/web-accel-site/schema.ts';
import type { Objects } from '../objects.ts';
import type { Picture } from './picture.ts';

/** A request for what no list shows of one object of the service. */
export type Detail =
  | { readonly what: 'carriers' | 'settings' | 'accessControl' | 'certificates'; readonly id: string }
  | { readonly what: 'simRoutes' | 'trafficMonitoring' | 'dns'; readonly id: string; readonly zone: string };

/** Whether a request counts against the hour of web acceleration. */
export function isOfHour({ what }: Pick<Detail, 'what'>): boolean {
  return what === 'settings' || what === 'accessControl' || what === 'certificates';
}

/**
 * What has to be read beyond lists and statuses before it can be said what would become of the resources. `picture`: the
 * lists. `dialect`: of their account. Pure.
 */
export function detailsWanted(
  { objects, sites }: { readonly objects: Objects; readonly sites: Objects['sites'] },
  picture: Picture,
  dialect: DialectName,
  recorded: Pick<Picture, 'gateways'>,
): Detail[] {
  const byICCID = new Map([...picture.sims.values()].map((item) => [item.iccid, item]));
  const wanted = [
    ...objects.sims.flatMap((sim) => {
      const { id } = sim.status ?? {};
      const item = id === undefined ? byICCID.get(sim.spec.iccid) : picture.sims.get(id);
      return item ? [...ofSim(sim, item), ...ofItsGateway(item, picture, recorded)] : [];
    }),
    ...objects.gateways.flatMap((gateway) => ofGateway(gateway, picture, dialect)),
    ...objects.sites.flatMap((site) => ofSite(site, picture)),
    ...objects.certificates.flatMap((certificate) => ofCertificate(certificate, sites, picture)),
  ];
  return [...new Map(wanted.map((detail) => [`${detail.what} ${detail.id}`, detail])).values()];
}

/** How many requests {@link detailsWanted} may come to, before any list was read. */
export function mostDetails(objects: Objects): { readonly cloud: number; readonly hour: number } {
  const { sims, gateways, sites, certificates } = objects;
  const unread = sites.filter(({ status }) => !status?.settings).length;
  return {
    cloud:
      sims.filter(({ spec, status }) => spec.carriers && !status?.carriers).length +
      sims.filter(({ status }) => status?.id === undefined).length +
      new Set(sims.flatMap(({ status }) => status?.gatewayID ?? [])).size +
      3 * gateways.length,
    hour: 2 * unread + certificates.length,
  };
}

function ofSim({ spec, status }: Sim, { id }: SimItem): Detail[] {
  const isNamed = spec.carriers !== undefined || status?.applied?.carriers !== undefined;
  const isKnown = status?.carriers !== undefined && !isPending(status.pending, 'carriers');
  return isNamed && !isKnown ? [{ what: 'carriers', id }] : [];
}

/** With a SIM that leaves a gateway go its routes: those of a gateway that no resource has are on record nowhere. */
function ofItsGateway({ status }: SimItem, picture: Picture, recorded: Pick<Picture, 'gateways'>): Detail[] {
  const id = status?.registered ? status.simgroupID : undefined;
  const zone = id === undefined ? undefined : picture.gateways.get(id)?.zone;
  if (id === undefined || zone === undefined || recorded.gateways.has(id)) return [];
  return [{ what: 'simRoutes', id, zone }];
}

function ofGateway({ spec, status }: MobileGateway, picture: Picture, dialect: string): Detail[] {
  const id = status?.id ?? spec.resourceID;
  const zone = id === undefined ? undefined : picture.gateways.get(id)?.zone;
  if (id === undefined || zone === undefined) return [];
  const isGoing = status !== undefined && spec.deletionPolicy !== 'Orphan';
  const routes = spec.simRoutes !== undefined || status?.applied?.simRoutes !== undefined || isGoing;
  const monitoring = spec.trafficMonitoring !== undefined || status?.applied?.trafficMonitoring !== undefined;
  const dns = dialect === 'Extended' && (spec.dns !== undefined || status?.applied?.dns !== undefined);
  const has = (field: string, known: unknown) => known !== undefined && !isPending(status?.pending, field);
  return [
    ...(routes && !has('simRoutes', status?.simRoutes) ? [{ what: 'simRoutes', id, zone } as const] : []),
    // Whether the chat is the one of the Secret, no status says.
    ...(monitoring && (status?.trafficMonitoring?.chat || !has('trafficMonitoring', status?.trafficMonitoring))
      ? [{ what: 'trafficMonitoring', id, zone } as const]
      : []),
    ...(dns && !has('dns', status?.dns) ? [{ what: 'dns', id, zone } as const] : []),
  ];
}

function ofSite({ spec, status }: WebAccelSite, picture: Picture): Detail[] {
  const id = status?.id ?? siteIDOf(spec, picture);
  if (id === undefined) return [];
  const hasPending = (status?.pending ?? []).length > 0;
  const rules = spec.accessControl !== undefined || status?.applied?.accessControl !== undefined;
  return [
    ...(!status?.settings || hasPending ? [{ what: 'settings', id } as const] : []),
    ...(rules && (!status?.accessControl || hasPending) ? [{ what: 'accessControl', id } as const] : []),
  ];
}

/** The ID of the site that a certificate is for, as far as it can be told. */
export function siteOfCertificate(
  { metadata, spec, status }: SiteCertificate,
  sites: readonly WebAccelSite[],
  picture: Picture,
): string | undefined {
  const site = sites.find(
    (one) => one.metadata.name === spec.siteRef?.name && one.metadata.namespace === metadata.namespace,
  );
  return status?.id ?? spec.siteID ?? site?.status?.id ?? (site && siteIDOf(site.spec, picture));
}

function ofCertificate(certificate: SiteCertificate, sites: readonly WebAccelSite[], picture: Picture): Detail[] {
  const id = siteOfCertificate(certificate, sites, picture);
  // The list says of most sites that there is nothing to read.
  if (id === undefined || picture.sites.get(id)?.hasCertificate === false) return [];
  return [{ what: 'certificates', id }];
}

/** The ID of the site that a spec means, among those listed. */
export function siteIDOf(spec: WebAccelSite['spec'], picture: Picture): string | undefined {
  if (spec.siteID !== undefined || spec.domain === undefined) return spec.siteID;
  const domain = toASCII(spec.domain);
  return [...picture.sites.values()].find((site) => namesOf(site).includes(domain))?.id;
}

function isPending(pending: readonly string[] | undefined, field: string): boolean {
  return (pending ?? []).some((entry) => entry === field || entry.startsWith(`${field}/`));
}
