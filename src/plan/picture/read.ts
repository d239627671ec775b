import type { CloudClient } from '../../cloud/client.ts';
import { NotFoundError } from '../../cloud/errors.ts';
import type { CallOptions } from '../../cloud/limiter/lanes.ts';
import { fetchList } from '../../cloud/list/fetch.ts';
import { zones as allZones } from '../../cloud/zones.ts';
import { emptyPicture, type Listed, type Picture } from './picture.ts';
import type { Detail } from './wanted.ts';

/** What a plan asks of an account: lists, and what they do not show. All are GETs. */
export type ServiceReader = Pick<CloudClient, 'sims' | 'gateways' | 'sites'>;

const PAGE_SIZE = 1000;

/** Which lists are needed. */
export interface Lists {
  readonly sims: boolean;
  readonly sites: boolean;
  readonly zones: ReadonlySet<string>;
  /** The SIMs whose gateways must be known; by ICCID. */
  readonly iccids: ReadonlySet<string>;
  /** The IDs of the gateways that are known without a list. */
  readonly gateways: ReadonlySet<string>;
}

/** Takes lists; each throws `CloudError`. */
export async function readLists(
  reader: ServiceReader,
  lists: Lists,
  call: CallOptions,
): Promise<{ readonly picture: Picture; readonly listed: Listed }> {
  const picture = emptyPicture();
  if (lists.sims) {
    const { items } = await fetchList({
      fetchPage: (from) => reader.sims.list({ from, count: PAGE_SIZE }, call),
      idOf: ({ id }) => id,
    });
    for (const [id, item] of items) picture.sims.set(id, item);
  }
  for (const zone of lists.zones) await readZone(reader, picture, zone, call);
  const listed = new Set(lists.zones);
  for (const zone of allZones) {
    if (listed.has(zone) || !hasStray(picture, lists)) continue;
    await readZone(reader, picture, zone, call);
    listed.add(zone);
  }
  let sites = false;
  if (lists.sites) {
    const page = await reader.sites.list(call);
    for (const site of page.items) picture.sites.set(site.id, site);
    sites = page.total === undefined || page.total <= page.items.length;
  }
  return { picture, listed: { sims: lists.sims, sites, zones: listed } };
}

/** Whether one of the SIMs is on a gateway that nothing is known of: it may be in any zone. */
function hasStray(picture: Picture, { iccids, gateways }: Lists): boolean {
  return [...picture.sims.values()].some(({ iccid, status }) => {
    const gateway = status?.registered ? status.simgroupID : undefined;
    return gateway !== undefined && iccids.has(iccid) && !picture.gateways.has(gateway) && !gateways.has(gateway);
  });
}

async function readZone(reader: ServiceReader, picture: Picture, zone: string, call: CallOptions): Promise<void> {
  const { items } = await fetchList({
    fetchPage: (from) => reader.gateways.list(zone, { from, count: PAGE_SIZE }, call),
    idOf: ({ id }) => id,
  });
  for (const [id, gateway] of items) picture.gateways.set(id, { ...gateway, zone });
}

/** Reads details into a picture; what is not there any more is passed over. Throws `CloudError`. */
export async function readDetails(
  reader: ServiceReader,
  picture: Picture,
  details: readonly Detail[],
  call: CallOptions,
): Promise<void> {
  for (const detail of details) {
    try {
      await readOne(reader, picture, detail, call);
    } catch (error) {
      if (!(error instanceof NotFoundError)) throw error;
    }
  }
}

async function readOne({ sims, gateways, sites }: ServiceReader, picture: Picture, detail: Detail, call: CallOptions) {
  const { id } = detail;
  switch (detail.what) {
    case 'carriers':
      return picture.carriers.set(id, await sims.carriers(id, call));
    case 'settings': {
      const site = await sites.read(id, call);
      picture.sites.set(id, site);
      return picture.siteDetails.set(id, site);
    }
    case 'accessControl':
      return picture.accessControl.set(id, await sites.acl(id, call));
    case 'certificates':
      return picture.certificates.set(id, await sites.certificate(id, {}, call));
    case 'simRoutes':
      return picture.simRoutes.set(id, await gateways.simRoutes(detail.zone, id, call));
    case 'trafficMonitoring':
      return picture.trafficMonitoring.set(id, (await gateways.trafficMonitoring(detail.zone, id, call)) ?? null);
    case 'dns':
      return picture.dns.set(id, (await gateways.dns(detail.zone, id, call)) ?? null);
  }
}
