import { defined, type Each } from '../list/page.ts';
import type { Carrier, SimItem, SimMetric, SimStatus } from './types.ts';
import type { SimItemWire, SimStatusWire } from './wire.ts';

/** A SIM in the domain's words. */
export function toSimItem(wire: SimItemWire): SimItem {
  return defined({
    id: wire.ID,
    name: wire.Name ?? '',
    description: wire.Description,
    iccid: wire.Status?.ICCID ?? wire.Status?.sim?.iccid ?? '',
    availability: wire.Availability ?? '',
    tags: wire.Tags,
    createdAt: wire.CreatedAt,
    modifiedAt: wire.ModifiedAt,
    status: wire.Status?.sim && toSimStatus(wire.Status.sim, wire.ID),
  } satisfies Each<SimItem>);
}

/** A SIM's status in the domain's words; `id` where the object itself may leave it out. */
export function toSimStatus(wire: SimStatusWire, id = ''): SimStatus {
  const traffic = wire.traffic_bytes_of_current_month;
  return defined({
    iccid: wire.iccid ?? '',
    imsi: wire.imsi,
    ip: wire.ip,
    sessionStatus: wire.session_status,
    imeiLock: wire.imei_lock ?? false,
    imei: wire.imei,
    connectedIMEI: wire.connected_imei,
    registered: wire.registered ?? false,
    activated: wire.activated ?? false,
    resourceID: wire.resource_id ?? id,
    registeredAt: wire.registered_date,
    activatedAt: wire.activated_date,
    deactivatedAt: wire.deactivated_date,
    simgroupID: wire.simgroup_id,
    traffic: traffic && { uplinkBytes: traffic.uplink_bytes ?? 0, downlinkBytes: traffic.downlink_bytes ?? 0 },
  } satisfies Each<SimStatus>);
}

export function toCarrier(wire: {
  name: string;
  allow?: boolean | undefined;
  country_code?: string | undefined;
}): Carrier {
  return defined({
    name: wire.name,
    allow: wire.allow ?? false,
    countryCode: wire.country_code,
  } satisfies Each<Carrier>);
}

type MetricWire = { UplinkBps?: number | undefined; DownlinkBps?: number | undefined } | undefined;

/** Points by time; a moment without a measurement is left out. */
export function toMetrics(data: Readonly<Record<string, MetricWire>>): SimMetric[] {
  return Object.entries(data)
    .flatMap(([at, point]) =>
      point ? [{ at, uplinkBps: point.UplinkBps ?? 0, downlinkBps: point.DownlinkBps ?? 0 }] : [],
    )
    .sort((a, b) => Date.parse(a.at) - Date.parse(b.at));
}
