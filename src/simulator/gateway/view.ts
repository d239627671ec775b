import { cloudDate } from '../dates.ts';
import { addressText } from '../fields.ts';
import { type Listing, valueAt } from '../list-query.ts';
import type { Gateway, World } from '../model.ts';
import type { ApiRequest } from '../router.ts';
import { availabilityOf, settingsHash, settingsView } from './state.ts';

const zoneIDs = { tk1a: 21001, tk1b: 21002, is1a: 31001, is1b: 31002, is1c: 31003, tk1v: 29001 };

/** The gateway as an Appliance (`api.md`, Mobile gateway). */
export function gatewayView(gateway: Gateway, now: number, extended: boolean): Record<string, unknown> {
  const availability = availabilityOf(gateway, now);
  const settled = availability !== 'migrating';
  return {
    ID: id(gateway.id, extended),
    Class: 'mobilegateway',
    Name: gateway.name,
    Description: gateway.description,
    Plan: { ID: gateway.planID },
    Settings: settingsView(gateway.pending),
    SettingsHash: settingsHash(gateway.pending),
    Remark: { Servers: [{}], Switch: { Scope: 'shared' }, Zone: { ID: String(zoneIDs[gateway.zone]) } },
    Availability: availability,
    Instance: settled
      ? {
          Status: gateway.instanceStatus,
          StatusChangedAt: gateway.instanceChangedAt === null ? null : cloudDate(gateway.instanceChangedAt),
        }
      : null,
    ServiceClass: 'cloud/appliance/mobilegateway/1',
    CreatedAt: cloudDate(gateway.createdAt),
    Icon: null,
    Switch: null,
    Interfaces: settled ? [publicInterface(gateway, extended), privateInterface(gateway, extended)] : [],
    Tags: gateway.tags,
  };
}

/** A gateway that has been deleted, as its answer shows it. */
export function deletedGatewayView(gateway: Gateway, now: number, extended: boolean): Record<string, unknown> {
  return { ...gatewayView(gateway, now, extended), Instance: null, Interfaces: [] };
}

function id(text: string, extended: boolean): string | number {
  return extended ? Number(text) : text;
}

function publicInterface(gateway: Gateway, extended: boolean): Record<string, unknown> {
  return {
    IPAddress: gateway.publicIP,
    UserIPAddress: null,
    HostName: null,
    Switch: {
      ID: id('113300000000', extended),
      Name: 'shared',
      Scope: 'shared',
      Subnet: {
        NetworkAddress: addressText(0xcb007100),
        NetworkMaskLen: 24,
        DefaultRoute: addressText(0xcb007101),
        Internet: { BandWidthMbps: 100 },
      },
      UserSubnet: { DefaultRoute: addressText(0xcb007101), NetworkMaskLen: 24 },
    },
  };
}

/** There is a private interface once a switch is connected or settings in effect name its address. */
function privateInterface(gateway: Gateway, extended: boolean): Record<string, unknown> | null {
  const settings = gateway.applied?.privateInterface ?? null;
  if (gateway.switchID === null && settings === null) return null;
  return {
    IPAddress: null,
    UserIPAddress: settings?.ipAddress ?? null,
    HostName: null,
    Switch: {
      ID: id(gateway.switchID ?? '113300000009', extended),
      Name: 'private',
      Scope: 'user',
      Subnet: null,
      UserSubnet: { DefaultRoute: settings?.ipAddress ?? null, NetworkMaskLen: settings?.networkMaskLength ?? 24 },
    },
  };
}

/** How the gateway list reads gateways: those of the zone asked. The filter key is `Appliances.Class` or `Class`. */
export function gatewayListing(request: ApiRequest, world: World): Listing<Gateway> {
  return {
    items: [...world.gateways.values()].filter(({ zone, shownAt }) => zone === request.zone && request.now >= shownAt),
    valueOf(gateway, path) {
      if (path.endsWith('Tags.Name')) return gateway.tags;
      return valueAt(gatewayView(gateway, request.now, false), path.replace(/^Appliances\./, ''));
    },
    view: (gateway) => gatewayView(gateway, request.now, request.extended),
  };
}
