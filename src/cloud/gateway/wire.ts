import * as z from 'zod';
import { simStatusWire } from '../sim/wire.ts';
import { listed, pageShape } from '../wire/common.ts';
import { datetime, flag, id, list, maybe, number, present, text } from '../wire/scalars.ts';

/** `Settings.MobileGateway.Interfaces`: index 0 is null, so this list keeps its nulls. */
const settingsInterfaces = z.preprocess(
  (value) => (Array.isArray(value) ? value : []),
  z.array(maybe(z.looseObject({ IPAddress: list(id), NetworkMaskLen: number }))),
);

/** `Settings.MobileGateway` of an appliance. */
const gatewaySettingsWire = z.looseObject({
  InternetConnection: maybe(z.looseObject({ Enabled: flag })),
  InterDeviceCommunication: maybe(z.looseObject({ Enabled: flag })),
  Interfaces: settingsInterfaces,
  StaticRoutes: list(z.looseObject({ Prefix: text, NextHop: text })),
});
export type GatewaySettingsWire = z.infer<typeof gatewaySettingsWire>;

const interfaceWire = maybe(
  z.looseObject({
    IPAddress: text,
    UserIPAddress: text,
    HostName: text,
    Switch: maybe(z.looseObject({ ID: text, Name: text, Scope: text })),
  }),
);

/** An Appliance of class `mobilegateway`. */
const gatewayWire = z.looseObject({
  ID: id,
  Class: text,
  Name: text,
  Description: text,
  Plan: maybe(z.looseObject({ ID: number })),
  Settings: maybe(z.looseObject({ MobileGateway: maybe(gatewaySettingsWire) })),
  SettingsHash: text,
  Remark: maybe(z.looseObject({ Zone: maybe(z.looseObject({ ID: text })) })),
  Availability: text,
  Instance: maybe(z.looseObject({ Status: text, StatusChangedAt: datetime })),
  Interfaces: z.preprocess((value) => (Array.isArray(value) ? value : []), z.array(interfaceWire)),
  CreatedAt: datetime,
  Tags: list(id),
});
export type GatewayWire = z.infer<typeof gatewayWire>;

export const gatewayListWire = z.looseObject({ ...pageShape, Appliances: listed(gatewayWire) });
export const gatewayAnswerWire = z.looseObject({ Appliance: gatewayWire });
export const dnsWire = z.looseObject({ sim_group: present(maybe(z.looseObject({ dns_1: text, dns_2: text }))) });
export const simRoutesWire = z.looseObject({
  sim_routes: listed(z.looseObject({ iccid: text, prefix: text, resource_id: id })),
});
const chatWire = (member: string) => maybe(z.looseObject({ enabled: flag, [member]: text }));
/** Both dialects' names for the chat notification, because answers may come in either. */
export const trafficMonitoringWire = z.looseObject({
  traffic_monitoring_config: present(
    maybe(
      z.looseObject({
        traffic_quota_in_mb: number,
        auto_traffic_shaping: flag,
        bandwidth_limit_in_kbps: number,
        email_config: maybe(z.looseObject({ enabled: flag })),
        chat_config: chatWire('chat_url'),
        slack_config: chatWire('slack_url'),
      }),
    ),
  ),
});
export type TrafficMonitoringWire = z.infer<typeof trafficMonitoringWire>;
export const trafficStatusWire = z.looseObject({
  traffic_status: maybe(z.looseObject({ uplink_bytes: number, downlink_bytes: number, traffic_shaping: flag })),
});
export const gatewaySimsWire = z.looseObject({ ...pageShape, sim: listed(simStatusWire) });
