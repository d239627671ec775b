import { isDeepStrictEqual } from 'node:util';
import type { SimItem, SimStatus } from './types.ts';

type Comparison = (a: unknown, b: unknown) => boolean;

/** What was made of the item before has the very same lists. */
const deeply: Comparison = (a, b) => a === b || isDeepStrictEqual(a, b);

const itemFields: Readonly<Record<Exclude<keyof SimItem, 'status'>, Comparison>> = {
  id: Object.is,
  name: Object.is,
  description: Object.is,
  iccid: Object.is,
  availability: Object.is,
  tags: deeply,
  createdAt: Object.is,
  modifiedAt: Object.is,
};
const statusFields: Readonly<Record<Exclude<keyof SimStatus, 'traffic'>, Comparison>> = {
  iccid: Object.is,
  imsi: deeply,
  ip: Object.is,
  sessionStatus: Object.is,
  imeiLock: Object.is,
  imei: Object.is,
  connectedIMEI: Object.is,
  registered: Object.is,
  activated: Object.is,
  resourceID: Object.is,
  registeredAt: Object.is,
  activatedAt: Object.is,
  deactivatedAt: Object.is,
  simgroupID: Object.is,
};

/**
 * Whether two observations of a SIM are the same to a reconciler: all but traffic, which moves all the time: of
 * each list, the drift table alone looks whether it goes over a limit.
 */
export function sameSim(a: SimItem, b: SimItem): boolean {
  return isSameIn(itemFields, a, b) && isSameIn(statusFields, a.status ?? {}, b.status ?? {});
}

function isSameIn<K extends string>(
  fields: Readonly<Record<K, Comparison>>,
  a: { readonly [F in K]?: unknown },
  b: { readonly [F in K]?: unknown },
): boolean {
  for (const field in fields) if (!fields[field](a[field], b[field])) return false;
  return true;
}

/** Digits of an IMEI that tell the device; those after them are a check digit, or the version of its software (3GPP TS 23.003). */
const DEVICE_DIGITS = 14;

/** Whether two IMEIs, of 14 to 16 digits, are of one device. */
export function isSameDevice(a: string, b: string): boolean {
  return a.slice(0, DEVICE_DIGITS) === b.slice(0, DEVICE_DIGITS);
}
