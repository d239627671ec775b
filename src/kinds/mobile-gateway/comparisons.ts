import { isDeepStrictEqual } from 'node:util';
import type { Gateway } from '../../cloud/gateway/types.ts';
import { type Comparisons, compared } from '../common/comparisons.ts';
import type { GatewayDetails, GatewayFacts } from './facts.ts';
import { isSameMonitoring } from './monitoring.ts';
import { isSameRoutes } from './routes.ts';
import type { GatewayApplied } from './status-schema.ts';
import { isSame } from './whole-settings.ts';

interface Observed {
  readonly gateway: Gateway;
  readonly details: GatewayDetails;
}

const comparisons: Comparisons<GatewayApplied, Observed> = {
  internetConnection: (value, { gateway }) => isSame(gateway.settings?.internetConnection ?? false, value),
  interDeviceCommunication: (value, { gateway }) => isSame(gateway.settings?.interDeviceCommunication ?? false, value),
  privateInterface: (value, { gateway }) => isSame(gateway.settings?.privateInterface ?? null, value),
  staticRoutes: (value, { gateway }) => isSame(gateway.settings?.staticRoutes ?? [], value),
  trafficMonitoring: (value, { details: { trafficMonitoring } }) =>
    trafficMonitoring && trafficMonitoring !== 'unset' && isSameMonitoring(trafficMonitoring, value),
  dns: (value, { details: { dns } }) => dns && dns !== 'unset' && isDeepStrictEqual({ ...dns }, { ...value }),
  simRoutes: (value, { details: { simRoutes } }) => simRoutes && isSameRoutes(simRoutes, value),
};

/** Whether the gateway has just what was sent of an entry of `pending`; undefined: that does not show. Pure. */
export function isThere(
  { observed, details }: Pick<GatewayFacts, 'observed' | 'details'>,
  entry: string,
  value: unknown,
): boolean | undefined {
  return observed && compared(comparisons, { gateway: observed, details }, entry, value);
}
