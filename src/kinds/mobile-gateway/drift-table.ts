import { isDeepStrictEqual } from 'node:util';
import type { Gateway } from '../../cloud/gateway/types.ts';
import type { ObservedField } from '../../reconcile/managed-object.ts';
import type { DriftTable, SpecField } from '../common/drift-table.ts';
import type { GatewayMark, MobileGateway } from './schema.ts';
import { isUp, shownStatus } from './status.ts';

/** An item of the list, and as a status shows it. */
interface SeenGateway {
  readonly gateway: Gateway;
  readonly shown: ReturnType<typeof shownStatus>;
}

/** The list shows it, and the status shows it in the same words. */
const list = (field: keyof ReturnType<typeof shownStatus>) =>
  ({
    from: 'list',
    isTold: (status: NonNullable<MobileGateway['status']>, { shown }: SeenGateway) =>
      isDeepStrictEqual(status[field], shown[field]),
  }) as const;
const details = { from: 'details' } as const;
const settings = { in: 'settings' } as const;
const resolvers = {
  in: 'dns',
  only: 'Extended',
  instead:
    'Extended: corrected. Documented has no operation that shows resolvers: they are sent again at the first turn after an hour, and with `reconcile-at`; nothing is reported.',
} as const;
const monitoring = { in: 'trafficMonitoring' } as const;

/** How drift of each field of a MobileGateway is noticed. */
export const gatewayDrift: DriftTable<
  MobileGateway,
  Gateway,
  SpecField<MobileGateway>,
  ObservedField<MobileGateway, GatewayMark>,
  SeenGateway
> = {
  seen: (gateway) => ({ gateway, shown: shownStatus(gateway) }),
  spec: {
    zone: { in: 'spec', instead: 'A gateway stays in its zone.' },
    displayName: { in: 'name', instead: 'Reported as `DisplayNameNotChangeable`.' },
    planID: { in: 'planID', instead: 'Reported as `PlanNotChangeable`.' },
    internetConnection: settings,
    interDeviceCommunication: settings,
    'privateInterface.ipAddress': settings,
    'privateInterface.networkMaskLength': settings,
    staticRoutes: settings,
    'dns.primary': resolvers,
    'dns.secondary': resolvers,
    simRoutes: { in: 'simRoutes' },
    'trafficMonitoring.quotaMB': monitoring,
    'trafficMonitoring.autoTrafficShaping': monitoring,
    'trafficMonitoring.bandwidthLimitKbps': monitoring,
    'trafficMonitoring.email': monitoring,
    'trafficMonitoring.chatWebhookSecretRef': monitoring,
  },
  status: {
    createdAt: { from: 'identity' },
    name: list('name'),
    planID: list('planID'),
    settings: list('settings'),
    availability: list('availability'),
    instanceStatus: list('instanceStatus'),
    instanceStatusChangedAt: list('instanceStatusChangedAt'),
    wasUp: { from: 'list', isTold: (status, { gateway }) => status.wasUp === true || !isUp(gateway) },
    publicIP: list('publicIP'),
    interfaces: list('interfaces'),
    sims: details,
    simRoutes: details,
    dns: details,
    trafficMonitoring: details,
    settingsHash: list('settingsHash'),
  },
};
