import * as z from 'zod';
import { cidrField, idField, ipv4Field, maskLengthField, nameField } from '../fields.ts';
import type { GatewaySettings, TrafficMonitoring } from '../model.ts';
import { tagsField } from '../sim/schema.ts';

const text = z.string('write a string');
const flag = z.object(
  { Enabled: z.enum(['True', 'False'], 'write "True" or "False"') },
  'write an object with Enabled',
);
const whole = z.int('write a whole number');

const interfaceField = z.object({
  IPAddress: z.array(ipv4Field, 'write a list of one IPv4 address').length(1, 'write exactly one address'),
  NetworkMaskLen: maskLengthField,
});

const mobileGateway = z.object(
  {
    InternetConnection: flag.nullish(),
    InterDeviceCommunication: flag.nullish(),
    Interfaces: z
      .array(interfaceField.nullable(), 'write a list: null, then the private interface')
      .max(2, 'write at most two interfaces')
      .refine((interfaces) => (interfaces[0] ?? null) === null, 'write null at index 0')
      .nullish(),
    StaticRoutes: z
      .array(z.object({ Prefix: cidrField, NextHop: ipv4Field }), 'write a list of {Prefix, NextHop}')
      .nullish(),
  },
  'write an object',
);

const settingsField = z.object({ MobileGateway: mobileGateway }, 'write an object with MobileGateway');

/** Bodies of the mobile gateway operations (`api.md`, Mobile gateway operations). */
export const createGatewayBody = z.object(
  {
    Appliance: z.object(
      {
        Name: nameField,
        Description: text.nullish(),
        Tags: tagsField.nullish(),
        Class: z.literal('mobilegateway', 'write mobilegateway'),
        Plan: z.object({ ID: idField.refine((id) => id === '2', 'write 2, the only plan there is') }, 'write {ID: 2}'),
        Remark: z.object(
          {
            Servers: z
              .array(z.looseObject({}, 'write an empty object'), 'write a list of one empty object')
              .length(1, 'write a list of one empty object'),
            Switch: z.object({ Scope: z.literal('shared', 'write shared') }, 'write {Scope: shared}'),
          },
          'write an object with Servers and Switch',
        ),
        Settings: settingsField.nullish(),
      },
      'write an object',
    ),
  },
  'write an object',
);

export const changeGatewayBody = z.object({
  Appliance: z.object(
    {
      Name: nameField.optional(),
      Description: text.nullish(),
      Tags: tagsField.nullish(),
      Settings: settingsField.nullish(),
      SettingsHash: text.nullish(),
    },
    'write an object',
  ),
});

/** The settings a body holds. What it leaves out is not set: a PUT replaces. */
export function settingsOf(body: z.infer<typeof mobileGateway>): GatewaySettings {
  const second = body.Interfaces?.[1];
  const [ipAddress] = second?.IPAddress ?? [];
  return {
    internetConnection: body.InternetConnection ? body.InternetConnection.Enabled === 'True' : null,
    interDeviceCommunication: body.InterDeviceCommunication ? body.InterDeviceCommunication.Enabled === 'True' : null,
    privateInterface:
      second && ipAddress !== undefined ? { ipAddress, networkMaskLength: second.NetworkMaskLen } : null,
    staticRoutes: (body.StaticRoutes ?? []).map(({ Prefix, NextHop }) => ({ prefix: Prefix, nextHop: NextHop })),
  };
}

export const dnsBody = z.object({
  sim_group: z.object({ dns_1: ipv4Field, dns_2: ipv4Field }, 'write {dns_1, dns_2}'),
});

export const simRoutesBody = z.object({
  sim_routes: z.array(z.object({ resource_id: idField, prefix: cidrField }), 'write a list of {resource_id, prefix}'),
});

export const registerSimBody = z.object({
  sim: z.object({ resource_id: idField }, 'write an object with resource_id'),
});

const mail = z.object({ enabled: z.boolean('write true or false') }, 'write an object with enabled');
const chat = mail.extend({ chat_url: text.nullish() });
const slack = mail.extend({ slack_url: text.nullish() });

const monitoringBase = z.object({
  traffic_quota_in_mb: whole.min(1, 'write 1 or more'),
  auto_traffic_shaping: z.boolean('write true or false').optional(),
  bandwidth_limit_in_kbps: whole.min(0, 'write 0 or more').nullish(),
  email_config: mail.nullish(),
});

/** Each dialect has its own word for the chat: what the other one says has no meaning. */
export function monitoringBody(extended: boolean) {
  return extended
    ? z
        .object({ traffic_monitoring_config: monitoringBase.extend({ slack_config: slack.nullish() }) })
        .transform(({ traffic_monitoring_config: config }) =>
          monitoringOf(config, config.slack_config?.enabled, config.slack_config?.slack_url),
        )
    : z
        .object({ traffic_monitoring_config: monitoringBase.extend({ chat_config: chat.nullish() }) })
        .transform(({ traffic_monitoring_config: config }) =>
          monitoringOf(config, config.chat_config?.enabled, config.chat_config?.chat_url),
        );
}

function monitoringOf(
  config: z.infer<typeof monitoringBase>,
  enabled: boolean | undefined,
  url: string | null | undefined,
): TrafficMonitoring {
  return {
    quotaMB: config.traffic_quota_in_mb,
    autoTrafficShaping: config.auto_traffic_shaping ?? false,
    bandwidthLimitKbps: config.bandwidth_limit_in_kbps ?? null,
    email: config.email_config?.enabled ?? false,
    chat: enabled ?? false,
    chatURL: url ?? '',
  };
}

export const pageQuery = z
  .object({
    From: z.int('write a whole number').nonnegative('write 0 or more').default(0),
    Count: z.int('write a whole number').nonnegative('write 0 or more').default(0),
  })
  .default({ From: 0, Count: 0 });
