import type { z } from 'zod';
import { defined } from '../list/page.ts';
import type { sessionLogWire } from './wire.ts';

/** An entry of a session log (`api.md`, SIM session log entry). */
export interface SessionLogEntry {
  /** ISO 8601, as it came. */
  at: string;
  /** `Created`, `Deleted` or others, as it came. */
  sessionStatus: string;
  resourceID: string;
  imei?: string;
  imsi?: string;
}

/** The entries of a session log of a SIM or of a gateway, newest first as the service gives them. */
export function sessionLogOf(wire: z.infer<typeof sessionLogWire>): SessionLogEntry[] {
  return wire.logs.map((entry) =>
    defined({
      at: entry.date ?? '',
      sessionStatus: entry.session_status ?? '',
      resourceID: entry.resource_id ?? '',
      imei: entry.imei,
      imsi: entry.imsi,
    }),
  );
}
