import * as z from 'zod';
import { listed, sessionLogEntryWire } from '../wire/common.ts';
import { datetime, flag, id, list, maybe, number, text } from '../wire/scalars.ts';

/** The `sim` object of `api.md`, SIM status. */
export const simStatusWire = z.looseObject({
  iccid: text,
  imsi: list(id),
  ip: text,
  session_status: text,
  imei_lock: flag,
  imei: text,
  connected_imei: text,
  registered: flag,
  activated: flag,
  resource_id: text,
  registered_date: datetime,
  activated_date: datetime,
  deactivated_date: datetime,
  simgroup_id: text,
  // An empty array says that nothing went through; nothing at all says nothing.
  traffic_bytes_of_current_month: z.preprocess(
    (value) => (Array.isArray(value) && value.length === 0 ? {} : value),
    maybe(z.looseObject({ uplink_bytes: number, downlink_bytes: number })),
  ),
});
export type SimStatusWire = z.infer<typeof simStatusWire>;

/** A CommonServiceItem of class `sim`. */
export const simItemWire = z.looseObject({
  ID: id,
  Name: text,
  Description: text,
  Availability: text,
  Tags: list(id),
  CreatedAt: datetime,
  ModifiedAt: datetime,
  Status: maybe(z.looseObject({ ICCID: text, sim: maybe(simStatusWire) })),
});
export type SimItemWire = z.infer<typeof simItemWire>;

export const simAnswerWire = z.looseObject({ CommonServiceItem: simItemWire });
export const simStatusAnswerWire = z.looseObject({ sim: simStatusWire });
export const carriersWire = z.looseObject({
  network_operator_config: listed(z.looseObject({ name: id, allow: flag, country_code: text })),
});
export const sessionLogWire = z.looseObject({ logs: listed(sessionLogEntryWire), Count: number });
export const simMetricsWire = z.looseObject({
  Data: maybe(z.record(z.string(), maybe(z.looseObject({ UplinkBps: number, DownlinkBps: number })))),
});
