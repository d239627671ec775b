import type { Dialect } from '../dialect.ts';
import { defined, type Each } from '../list/page.ts';
import type { Gateway, GatewayInterface, GatewaySettings, TrafficMonitoring } from './types.ts';
import type { GatewaySettingsWire, GatewayWire, TrafficMonitoringWire } from './wire.ts';

/** A gateway in the domain's words. */
export function toGateway(wire: GatewayWire): Gateway {
  return defined({
    id: wire.ID,
    name: wire.Name ?? '',
    description: wire.Description,
    planID: wire.Plan?.ID,
    availability: wire.Availability ?? '',
    instanceStatus: wire.Instance?.Status,
    instanceStatusChangedAt: wire.Instance?.StatusChangedAt,
    settings: wire.Settings?.MobileGateway && toSettings(wire.Settings.MobileGateway),
    settingsHash: wire.SettingsHash,
    interfaces: wire.Interfaces.map(toInterface),
    tags: wire.Tags,
    createdAt: wire.CreatedAt,
  } satisfies Each<Gateway>);
}

function toInterface(wire: GatewayWire['Interfaces'][number]): GatewayInterface | null {
  if (!wire) return null;
  const { Switch } = wire;
  return defined({
    ipAddress: wire.IPAddress,
    userIPAddress: wire.UserIPAddress,
    hostName: wire.HostName,
    switch: Switch?.ID === undefined ? undefined : defined({ id: Switch.ID, name: Switch.Name, scope: Switch.Scope }),
  } satisfies Each<GatewayInterface>);
}

function toSettings(wire: GatewaySettingsWire): GatewaySettings {
  const second = wire.Interfaces[1];
  const ipAddress = second?.IPAddress[0];
  return {
    ...defined({
      internetConnection: wire.InternetConnection?.Enabled,
      interDeviceCommunication: wire.InterDeviceCommunication?.Enabled,
    }),
    privateInterface: ipAddress === undefined ? null : { ipAddress, networkMaskLength: second?.NetworkMaskLen ?? 0 },
    staticRoutes: wire.StaticRoutes.map((route) => ({ prefix: route.Prefix ?? '', nextHop: route.NextHop ?? '' })),
  };
}

const word = (enabled: boolean) => ({ Enabled: enabled ? 'True' : 'False' });

/** `Settings.MobileGateway` to send: only the members that are given. */
export function fromSettings(settings: GatewaySettings): object {
  const { internetConnection, interDeviceCommunication, privateInterface, staticRoutes } = settings;
  return defined({
    InternetConnection: internetConnection === undefined ? undefined : word(internetConnection),
    InterDeviceCommunication: interDeviceCommunication === undefined ? undefined : word(interDeviceCommunication),
    Interfaces: privateInterface === undefined ? undefined : interfaces(privateInterface),
    StaticRoutes: staticRoutes?.map(({ prefix, nextHop }) => ({ Prefix: prefix, NextHop: nextHop })),
  });
}

function interfaces(second: GatewaySettings['privateInterface']): unknown[] {
  // Index 0 is the shared interface, which has no settings.
  return second ? [null, { IPAddress: [second.ipAddress], NetworkMaskLen: second.networkMaskLength }] : [null];
}

/** Undefined where nothing is set. */
export function toTrafficMonitoring(wire: TrafficMonitoringWire): TrafficMonitoring | undefined {
  const config = wire.traffic_monitoring_config;
  if (!config) return undefined;
  const chat = config.chat_config ?? config.slack_config;
  const url = config.chat_config?.['chat_url'] ?? config.slack_config?.['slack_url'];
  return defined({
    quotaMB: config.traffic_quota_in_mb ?? 0,
    autoTrafficShaping: config.auto_traffic_shaping ?? false,
    bandwidthLimitKbps: config.bandwidth_limit_in_kbps,
    email: config.email_config?.enabled ?? false,
    chat: (chat?.['enabled'] ?? false) === true,
    chatWebhookURL: typeof url === 'string' ? url : undefined,
  } satisfies Each<TrafficMonitoring>);
}

export function fromTrafficMonitoring(monitoring: TrafficMonitoring, { chat }: Dialect): object {
  return defined({
    traffic_quota_in_mb: monitoring.quotaMB,
    auto_traffic_shaping: monitoring.autoTrafficShaping,
    bandwidth_limit_in_kbps: monitoring.bandwidthLimitKbps,
    email_config: { enabled: monitoring.email },
    [chat.member]: defined({ enabled: monitoring.chat, [chat.urlMember]: monitoring.chatWebhookURL }),
  });
}
