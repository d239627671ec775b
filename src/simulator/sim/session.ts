import { simDate } from '../dates.ts';
import type { Sim, World } from '../model.ts';
import { steadyFraction, steadyHash } from '../steady-random.ts';

const hour = 3_600_000;
const renewal = 6 * hour;
const keptChanges = 200;

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
  if (sim.sessions.length > keptChanges) sim.sessions.splice(0, 2);
}

/** Presses reconnect: a session that is up ends and begins anew. */
export function reconnectSession(sim: Sim, now: number): void {
  if (!currentlyUp(sim)) return;
  sim.sessions.push({ at: now, up: false }, { at: now, up: true });
  if (sim.sessions.length > keptChanges) sim.sessions.splice(0, 2);
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

/** Milliseconds the session was up between two moments. */
function upTime(sim: Sim, from: number, to: number): number {
  let sum = 0;
  for (const span of upSpans(sim, to)) sum += Math.max(0, Math.min(span.to, to) - Math.max(span.from, from));
  return sum;
}

export interface SessionLogEntry {
  readonly date: string;
  readonly session_status: string;
  readonly resource_id: string;
  readonly imei?: string;
  readonly imsi: string;
}

/** The session log, newest first, at most `count` entries. The network renews a session that lasts every six hours. */
export function sessionLog(sim: Sim, now: number, count: number): SessionLogEntry[] {
  const entries: SessionLogEntry[] = [];
  const deleted = (at: number) =>
    entries.push({
      date: simDate(at),
      session_status: 'Deleted',
      resource_id: sim.id,
      imsi: sim.imsi[0] ?? '',
    });
  const created = (at: number) =>
    entries.push({
      date: simDate(at),
      session_status: 'Created',
      resource_id: sim.id,
      imei: sim.connectedIMEI,
      imsi: sim.imsi[0] ?? '',
    });
  const phase = steadyHash(sim.id) % renewal;
  for (const span of upSpans(sim, now)) {
    if (entries.length >= count) break;
    if (span.ended) deleted(span.to);
    const last = Math.floor((span.to - phase) / renewal) * renewal + phase;
    for (let at = last; at > span.from && entries.length < count; at -= renewal) {
      created(at);
      deleted(at);
    }
    created(span.from);
  }
  return entries.slice(0, count);
}

/** Average bytes per second of a SIM, the same for ever. */
function averageRates(id: string): { uplink: number; downlink: number } {
  return { uplink: 40 + (steadyHash(`${id} up`) % 400), downlink: 100 + (steadyHash(`${id} down`) % 2000) };
}

/** Bytes between two moments; they grow while the session is up. */
export function trafficBetween(sim: Sim, from: number, to: number): { uplinkBytes: number; downlinkBytes: number } {
  const seconds = upTime(sim, from, to) / 1000;
  const { uplink, downlink } = averageRates(sim.id);
  return { uplinkBytes: Math.floor(seconds * uplink), downlinkBytes: Math.floor(seconds * downlink) };
}

/** Bits per second at a moment: about the average while up, else 0. */
export function ratesAt(sim: Sim, at: number, now: number): { UplinkBps: number; DownlinkBps: number } {
  const up = upSpans(sim, now).some((span) => span.from <= at && at < span.to);
  if (!up) return { UplinkBps: 0, DownlinkBps: 0 };
  const { uplink, downlink } = averageRates(sim.id);
  const factor = 8 * (0.5 + steadyFraction(`${sim.id} ${at}`));
  return { UplinkBps: Math.round(uplink * factor * 10) / 10, DownlinkBps: Math.round(downlink * factor * 10) / 10 };
}
