import { simDate } from '../dates.ts';
import type { Sim, World } from '../model.ts';
import { steadyFraction, steadyHash } from '../steady-random.ts';
import { touch } from '../touch.ts';

const HOUR_MILLISECONDS = 3_600_000;
const RENEWAL_MILLISECONDS = 6 * HOUR_MILLISECONDS;
const KEPT_CHANGES = 200;

/**
 * Has the SIM a session? It takes a SIM that is activated, registered and addressed, a gateway that is available and not
 * stopped, and no lock to an IMEI other than the device's.
 */
function sessionIsUp(world: World, sim: Sim, now: number): boolean {
  if (!sim.activated || sim.gatewayID === null || sim.ip === null) return false;
  if (sim.imeiLock !== null && sim.imeiLock !== sim.connectedIMEI) return false;
  const gateway = world.gateways.get(sim.gatewayID);
  if (!gateway || gateway.stopped) return false;
  return gateway.availability === null ? now >= gateway.availableAt : gateway.availability === 'available';
}

export function currentlyUp(sim: Sim): boolean {
  return sim.sessions.at(-1)?.up ?? false;
}

/** Notes in the SIM's history when its session came or went. To be called after anything that bears on it. */
export function refreshSession(world: World, sim: Sim, now: number): void {
  const up = sessionIsUp(world, sim, now);
  if (up === currentlyUp(sim)) return;
  sim.sessions.push({ at: now, up });
  touch(world, 'sims', sim.id);
  if (sim.sessions.length > KEPT_CHANGES) sim.sessions.splice(0, 2);
}

/** Presses reconnect: a session that is up ends and begins anew. */
export function reconnectSession(sim: Sim, now: number): void {
  if (!currentlyUp(sim)) return;
  sim.sessions.push({ at: now, up: false }, { at: now, up: true });
  if (sim.sessions.length > KEPT_CHANGES) sim.sessions.splice(0, 2);
}

/** The spans in which the session was up, newest first. */
function upSpans(sim: Sim, now: number): { from: number; to: number; ended: boolean }[] {
  const spans: { from: number; to: number; ended: boolean }[] = [];
  let to = now;
  let ended = false;
  for (let index = sim.sessions.length - 1; index >= 0; index--) {
    const change = sim.sessions[index];
    if (!change) continue;
    if (change.up) spans.push({ from: change.at, to, ended });
    to = change.at;
    ended = !change.up;
  }
  return spans;
}

/** A SIM as far as its traffic goes. */
type Metered = Pick<Sim, 'id' | 'counted'> & { readonly sessions: readonly Sim['sessions'][number][] };

/** Milliseconds the session was up between two moments. */
function upTime(sim: Metered, from: number, to: number): number {
  let [sum, end] = [0, to];
  for (let index = sim.sessions.length - 1; index >= 0 && end > from; index--) {
    const change = sim.sessions[index];
    if (!change) continue;
    if (change.up) sum += Math.max(0, Math.min(end, to) - Math.max(change.at, from));
    end = change.at;
  }
  return sum;
}

/** A session that began or ended, at a moment in milliseconds since the Unix epoch. */
export interface SessionEvent {
  readonly at: number;
  readonly began: boolean;
  readonly sim: Sim;
}

/**
 * What befell the session, newest first: at most `count` events, and none from before `since`. The network renews a session
 * that lasts every six hours, so a SIM that is up for long has as many as are asked for.
 */
export function sessionEvents(sim: Sim, now: number, count: number, since = Number.NEGATIVE_INFINITY): SessionEvent[] {
  const events: SessionEvent[] = [];
  const add = (at: number, began: boolean) => {
    if (events.length < count && at >= since) events.push({ at, began, sim });
  };
  const phase = steadyHash(sim.id) % RENEWAL_MILLISECONDS;
  for (const span of upSpans(sim, now)) {
    if (events.length >= count || span.to < since) break;
    if (span.ended) add(span.to, false);
    const last = Math.floor((span.to - phase) / RENEWAL_MILLISECONDS) * RENEWAL_MILLISECONDS + phase;
    for (let at = last; at > span.from && at >= since && events.length < count; at -= RENEWAL_MILLISECONDS) {
      add(at, true);
      add(at, false);
    }
    add(span.from, true);
  }
  return events;
}

/** The event as the session logs write it (`api.md`, SIM session log entry). */
export function sessionLogEntry({ at, began, sim }: SessionEvent): Record<string, unknown> {
  return {
    date: simDate(at),
    session_status: began ? 'Created' : 'Deleted',
    resource_id: sim.id,
    ...(began && { imei: sim.connectedIMEI }),
    imsi: sim.imsi[0] ?? '',
  };
}

interface Rates {
  readonly uplink: number;
  readonly downlink: number;
}
const ratesOfSims = new WeakMap<Metered, Rates>();

/** Average bytes per second of a SIM, the same for ever. */
function averageRates(sim: Metered): Rates {
  const known = ratesOfSims.get(sim);
  if (known) return known;
  const rates = {
    uplink: 40 + (steadyHash(`${sim.id} up`) % 400),
    downlink: 100 + (steadyHash(`${sim.id} down`) % 2000),
  };
  ratesOfSims.set(sim, rates);
  return rates;
}

/** Bytes from the beginning of a month to a moment in it; they grow while the session is up. */
export function trafficBetween(sim: Metered, from: number, to: number): { uplinkBytes: number; downlinkBytes: number } {
  const { counted } = sim;
  // A state file of before has none.
  const known = counted && counted.at >= from ? counted : { at: from, uplinkBytes: 0, downlinkBytes: 0 };
  const seconds = upTime(sim, known.at, to) / 1000;
  const { uplink, downlink } = averageRates(sim);
  return {
    uplinkBytes: known.uplinkBytes + Math.floor(seconds * uplink),
    downlinkBytes: known.downlinkBytes + Math.floor(seconds * downlink),
  };
}

/** Bits per second at a moment: about the average while up, else 0. */
export function ratesAt(sim: Sim, at: number, now: number): { UplinkBps: number; DownlinkBps: number } {
  const up = upSpans(sim, now).some((span) => span.from <= at && at < span.to);
  if (!up) return { UplinkBps: 0, DownlinkBps: 0 };
  const { uplink, downlink } = averageRates(sim);
  const factor = 8 * (0.5 + steadyFraction(`${sim.id} ${at}`));
  return { UplinkBps: Math.round(uplink * factor * 10) / 10, DownlinkBps: Math.round(downlink * factor * 10) / 10 };
}
