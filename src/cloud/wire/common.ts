import * as z from 'zod';
import { datetime, number, text } from './scalars.ts';

/** The members every list carries (`api.md`, Common response members). */
export const pageShape = { From: number, Count: number, Total: number };

/** A session log entry of a SIM or a gateway. */
export const sessionLogEntryWire = z.looseObject({
  date: datetime,
  session_status: text,
  resource_id: text,
  imei: text,
  imsi: text,
});
