import type { SimFacts } from './facts.ts';
import type { Sim } from './schema.ts';

const TRAFFIC_INTERVAL = 15 * 60_000;
const JST = 9 * 3_600_000;

/** What was observed of the SIM, for the status. Pure; traffic is carried over until it is 15 minutes old. */
export function observedStatus(facts: SimFacts, sim: Sim): Record<string, unknown> {
  const { observed } = facts;
  if (!observed) return {};
  return defined({
    iccid: observed.iccid,
    imsi: observed.imsi.length > 0 ? observed.imsi : undefined,
    ip: observed.ip,
    sessionStatus: observed.sessionStatus,
    registered: observed.registered,
    activated: observed.activated,
    imeiLock: defined({ locked: observed.imeiLocked, imei: observed.imei }),
    connectedIMEI: observed.connectedIMEI,
    gatewayID: observed.gateway?.id,
    registeredAt: observed.registeredAt,
    activatedAt: observed.activatedAt,
    deactivatedAt: observed.deactivatedAt,
    carriers: observed.carriers?.map(({ name, allow, countryCode }) => defined({ name, allow, countryCode })),
    availability: observed.availability || undefined,
    traffic: traffic(facts, sim.status),
  });
}

function traffic(facts: SimFacts, previous: Sim['status']): unknown {
  const before = previous?.traffic;
  const current = facts.observed?.traffic;
  if (!current) return before;
  const month = new Date(facts.now + JST).toISOString().slice(0, 7);
  const unchanged =
    before?.month === month &&
    before.uplinkBytes === current.uplinkBytes &&
    before.downlinkBytes === current.downlinkBytes;
  if (unchanged || (before && facts.now - Date.parse(before.observedAt) < TRAFFIC_INTERVAL)) return before;
  const observedAt = new Date(facts.now).toISOString().replace(/\.\d{3}Z$/, 'Z');
  return { month, uplinkBytes: current.uplinkBytes, downlinkBytes: current.downlinkBytes, observedAt };
}

/** The sentence of Ready=True. */
export function readyMessage(facts: SimFacts): string {
  const { observed } = facts;
  if (!observed) return '';
  return `SIM ${observed.id} is at the service.`;
}

function defined(object: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined));
}
