import { createHash } from 'node:crypto';
import { addressText } from '../fields.ts';
import type { Gateway, GatewaySettings } from '../model.ts';
import type { Simulation } from '../simulation.ts';
import { steadyHash } from '../steady-random.ts';
import type { Zone } from '../zones.ts';

/** A gateway whose name holds this ends `failed`. */
const failureMarker = 'simulate-failed';

/** A new gateway, as the create operation leaves it. */
export function makeGateway(
  simulation: Simulation,
  given: {
    readonly id?: string | undefined;
    readonly zone: Zone;
    readonly name: string;
    readonly description?: string | undefined;
    readonly tags?: readonly string[] | undefined;
    readonly settings?: GatewaySettings | null;
    readonly notFoundLeft?: number;
    readonly shownAt?: number;
    readonly now: number;
    readonly availableAt: number;
  },
): Gateway {
  const id = given.id ?? simulation.nextID();
  return {
    id,
    zone: given.zone,
    planID: 2,
    name: given.name,
    description: given.description ?? '',
    tags: [...(given.tags ?? [])],
    createdAt: given.now,
    availableAt: given.availableAt,
    availability: null,
    instanceStatus: 'down',
    instanceChangedAt: null,
    stopped: false,
    publicIP: addressText(0xcb007100 + 4 + (steadyHash(id) % 240)),
    switchID: null,
    pending: given.settings ?? null,
    applied: null,
    configuredAt: null,
    dns: null,
    simRoutes: [],
    trafficMonitoring: null,
    notFoundLeft: given.notFoundLeft ?? 0,
    shownAt: given.shownAt ?? given.now,
    sims: new Set(),
    addresses: new Map(),
  };
}

/** `migrating` until its time has come, then `available`, or `failed` when the name asks for it. */
export function availabilityOf(gateway: Gateway, now: number): string {
  if (gateway.availability !== null) return gateway.availability;
  if (now < gateway.availableAt) return 'migrating';
  return gateway.name.includes(failureMarker) ? 'failed' : 'available';
}

/** Settings in the service's form (`api.md`, Mobile gateway). */
export function settingsView(settings: GatewaySettings | null): Record<string, unknown> | null {
  if (!settings) return null;
  const flag = (value: boolean) => ({ Enabled: value ? 'True' : 'False' });
  const { internetConnection, interDeviceCommunication, privateInterface, staticRoutes } = settings;
  return {
    MobileGateway: {
      ...(internetConnection !== null && { InternetConnection: flag(internetConnection) }),
      ...(privateInterface !== null && {
        Interfaces: [
          null,
          { IPAddress: [privateInterface.ipAddress], NetworkMaskLen: privateInterface.networkMaskLength },
        ],
      }),
      ...(staticRoutes.length > 0 && {
        StaticRoutes: staticRoutes.map(({ prefix, nextHop }) => ({ Prefix: prefix, NextHop: nextHop })),
      }),
      ...(interDeviceCommunication !== null && { InterDeviceCommunication: flag(interDeviceCommunication) }),
    },
  };
}

/** `SettingsHash`: null until settings are set. */
export function settingsHash(settings: GatewaySettings | null): string | null {
  if (!settings) return null;
  return createHash('md5')
    .update(JSON.stringify(settingsView(settings)))
    .digest('hex');
}
