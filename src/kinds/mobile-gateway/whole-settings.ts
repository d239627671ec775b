import { isDeepStrictEqual } from 'node:util';
import type { GatewaySettings, StaticRoute } from '../../cloud/gateway/types.ts';

/** Settings as the service takes them: all at once. */
export type Whole = Required<GatewaySettings>;
export type SettingsField = keyof Whole;

/** What a field that was set and is no longer wanted goes back to. */
export const UNSET: Whole = {
  internetConnection: false,
  interDeviceCommunication: false,
  privateInterface: null,
  staticRoutes: [],
};
export const SETTINGS_FIELDS: readonly SettingsField[] = [
  'internetConnection',
  'interDeviceCommunication',
  'privateInterface',
  'staticRoutes',
];

/** Whether two values of a setting are the same: the order of static routes means nothing. Pure. */
export function isSame(a: unknown, b: unknown): boolean {
  return Array.isArray(a) && Array.isArray(b) ? isDeepStrictEqual(byPrefix(a), byPrefix(b)) : isDeepStrictEqual(a, b);
}

/** The same of all settings, those that are not there being unset. Pure. */
export function isSameWhole(a: GatewaySettings, b: GatewaySettings): boolean {
  const [one, other] = [a, b].map((settings): Whole => ({ ...UNSET, ...settings }));
  return SETTINGS_FIELDS.every((field) => isSame(one?.[field], other?.[field]));
}

function byPrefix(routes: readonly StaticRoute[]): StaticRoute[] {
  return routes.toSorted((a, b) => a.prefix.localeCompare(b.prefix));
}
