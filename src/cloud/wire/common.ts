import * as z from 'zod';
import { datetime, list, number, ok, present, text } from './scalars.ts';

/** The members every list carries (`api.md`, Common response members). */
export const pageShape = { is_ok: ok, From: number, Count: number, Total: number };

/** The list itself: an answer without it is none. */
export function listed<T>(schema: z.ZodType<T>): z.ZodType<T[]> {
  return present(list(schema), 'a list');
}

/** A session log entry of a SIM or a gateway. */
export const sessionLogEntryWire = z.looseObject({
  date: datetime,
  session_status: text,
  resource_id: text,
  imei: text,
  imsi: text,
});
