import { isDeepStrictEqual } from 'node:util';
import type { SimItem } from './types.ts';

/**
 * Whether two observations of a SIM are the same to a reconciler: all but traffic, which moves all the time: of
 * each list, the drift table alone looks whether it goes over a limit.
 */
export function sameSim(a: SimItem, b: SimItem): boolean {
  return isDeepStrictEqual(withoutTraffic(a), withoutTraffic(b));
}

function withoutTraffic({ status, ...item }: SimItem): [item: object, status: object] {
  const { traffic: _, ...rest } = status ?? {};
  return [item, rest];
}

/** Digits of an IMEI that tell the device; those after them are a check digit, or the version of its software (3GPP TS 23.003). */
const DEVICE_DIGITS = 14;

/** Whether two IMEIs, of 14 to 16 digits, are of one device. */
export function isSameDevice(a: string, b: string): boolean {
  return a.slice(0, DEVICE_DIGITS) === b.slice(0, DEVICE_DIGITS);
}
