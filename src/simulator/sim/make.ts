import type { Sim } from '../model.ts';
import type { Simulation } from '../simulation.ts';
import { steadyHash } from '../steady-random.ts';
import type { Zone } from '../zones.ts';

/** A new SIM: not activated, on no gateway, open to both carriers. */
export function makeSim(
  simulation: Simulation,
  given: {
    readonly id?: string | undefined;
    readonly zone?: Zone | undefined;
    readonly iccid: string;
    readonly name: string;
    readonly description?: string | undefined;
    readonly tags?: readonly string[] | undefined;
    readonly connectedIMEI?: string | undefined;
    readonly notFoundLeft?: number;
    readonly shownAt?: number;
    readonly now: number;
  },
): Sim {
  const { silentAfterCreate } = simulation.settings;
  return {
    id: given.id ?? simulation.nextID(),
    zone: given.zone ?? 'is1a',
    name: given.name,
    description: given.description ?? '',
    tags: [...(given.tags ?? [])],
    iccid: given.iccid,
    imsi: [imsiOf(given.iccid)],
    createdAt: given.now,
    modifiedAt: given.now,
    activated: false,
    activatedAt: null,
    deactivatedAt: null,
    gatewayID: null,
    registeredAt: null,
    ip: null,
    imeiLock: null,
    connectedIMEI: given.connectedIMEI ?? deviceIMEI(given.iccid),
    carriers: [
      { name: 'KDDI', allow: true },
      { name: 'SoftBank', allow: true },
    ],
    sessions: [],
    counted: silentAfterCreate === 0 ? null : { at: given.now + silentAfterCreate, uplinkBytes: 0, downlinkBytes: 0 },
    notFoundLeft: given.notFoundLeft ?? 0,
    shownAt: given.shownAt ?? given.now,
  };
}

/** The subscriber that a card has, the same each time. */
export function imsiOf(iccid: string): string {
  return `44010${digits(iccid, 10)}`;
}

function digits(text: string, count: number): string {
  return `${String(steadyHash(text)).padStart(10, '0')}${String(steadyHash(`${text}+`)).padStart(10, '0')}`.slice(
    -count,
  );
}

/** The IMEI of the device this SIM sits in: 15 digits, the last one the Luhn check digit. */
function deviceIMEI(iccid: string): string {
  const body = `35${digits(`${iccid} imei`, 12)}`;
  let sum = 0;
  for (let index = 0; index < body.length; index++) {
    const value = Number(body[index]) * (index % 2 === 1 ? 2 : 1);
    sum += value > 9 ? value - 9 : value;
  }
  return `${body}${(10 - (sum % 10)) % 10}`;
}
