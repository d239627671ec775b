import * as z from 'zod';
import { datetime, id, list, maybe, number, text } from '../wire/scalars.ts';

/** A server, loosely: `api.md` shows none of its fields. */
const serverWire = z.looseObject({
  ID: id,
  Name: text,
  Description: text,
  HostName: text,
  Availability: text,
  ServiceClass: text,
  ServerPlan: maybe(z.looseObject({ ID: text, Name: text, CPU: number, MemoryMB: number })),
  Instance: maybe(z.looseObject({ Status: text, BeforeStatus: text, StatusChangedAt: datetime })),
  Tags: list(id),
});
export type ServerWire = z.infer<typeof serverWire>;

export const serverAnswerWire = z.looseObject({ Server: serverWire });
export const powerWire = z.looseObject({
  Instance: maybe(z.looseObject({ Status: text, BeforeStatus: text, StatusChangedAt: datetime })),
});
export const monitorWire = z.looseObject({
  Data: maybe(z.record(z.string(), maybe(z.looseObject({ 'CPU-TIME': number })))),
});
export const snapshotWire = z.looseObject({ Image: id });
