import * as z from 'zod';
import { commonStatus, INTENDED } from '../common/schema.ts';

const monitoringApplied = z.object({
  quotaMB: z.int().min(0).describe('Quota in megabytes.'),
  autoTrafficShaping: z.boolean().describe('Whether traffic is slowed down.'),
  bandwidthLimitKbps: z.int().min(0).optional().describe('Bandwidth in kbps.'),
  email: z.boolean().describe('Whether an e-mail is sent.'),
  chat: z.boolean().describe('Whether a chat is notified.'),
});

const routeApplied = z.object({
  prefix: z.string().max(64).describe('The network.'),
  resourceID: z.string().max(64).describe('ID of the SIM.'),
});

const resolvers = z.object({
  primary: z.string().max(64).describe('First resolver.'),
  secondary: z.string().max(64).describe('Second resolver.'),
});

const interfaceShown = z.object({
  ipAddress: z.string().max(64).describe('IP address.'),
  networkMaskLength: z.int().min(0).describe('Mask length in bits.'),
});

const staticRoutesShown = (most: number) =>
  z
    .array(
      z.object({
        prefix: z.string().max(64).describe('Network.'),
        nextHop: z.string().max(64).describe('Next hop.'),
      }),
    )
    .max(most)
    .meta({ 'x-kubernetes-list-type': 'atomic' });

/** What a MobileGateway last wrote, by field. */
export const gatewayApplied = z
  .object({
    internetConnection: z.boolean().optional().describe('Internet connection.'),
    interDeviceCommunication: z.boolean().optional().describe('Traffic between SIMs.'),
    privateInterface: interfaceShown.optional().describe('Private interface.'),
    staticRoutes: staticRoutesShown(64).optional().describe('Static routes.'),
    dns: resolvers.optional().describe('DNS resolvers.'),
    simRoutes: z
      .array(routeApplied)
      .max(256)
      .optional()
      .describe('SIM routes.')
      .meta({ 'x-kubernetes-list-type': 'atomic' }),
    trafficMonitoring: monitoringApplied
      .extend({ chatWebhookDigest: z.string().max(128).optional().describe('Keyed digest of the webhook’s URL.') })
      .optional()
      .describe('Traffic monitoring.'),
  })
  .describe('What this resource last wrote at the service: a field that leaves the spec is unset only if it is here.');

const observedSettings = z
  .object({
    internetConnection: z.boolean().optional().describe('Internet connection.'),
    interDeviceCommunication: z.boolean().optional().describe('Traffic between SIMs.'),
    privateInterface: interfaceShown.optional().describe('Private interface.'),
    staticRoutes: staticRoutesShown(1024).optional().describe('Static routes.'),
  })
  .describe('The settings, as last observed.');

/** The status of a MobileGateway. */
export const gatewayStatus = z
  .object({
    ...commonStatus,
    applied: gatewayApplied.optional(),
    intended: gatewayApplied.optional().describe(INTENDED),
    creation: z
      .object({
        name: z.string().max(253).describe('Name the gateway was to get.'),
        requestedAt: z.string().max(64).describe('When the request was about to be sent.'),
        planID: z.int().optional().describe('Plan the gateway was to have.'),
        namesakes: z
          .array(z.string().max(64))
          .max(150)
          .optional()
          .describe(
            'IDs of gateways that had this name before, or that others had made a moment before: none of them is what was asked for.',
          ),
        seal: z.string().max(64).optional().describe('Proof that the operator itself wrote this.'),
      })
      .optional()
      .describe('The intent to create, stored before the request, so that the gateway can be found after a crash.'),
    configPending: z
      .boolean()
      .optional()
      .describe('Settings were sent that do not take effect until they are applied.'),
    booted: z
      .boolean()
      .optional()
      .describe(
        'Whether the gateway was started once after its creation; false if it is still to be started, absent if it is left as it is.',
      ),
    name: z.string().max(1024).optional().describe('Name at the service.'),
    planID: z.int().optional().describe('Plan, as observed.'),
    settings: observedSettings.optional(),
    availability: z.string().max(64).optional().describe('Availability, as the service names it.'),
    instanceStatus: z
      .string()
      .max(64)
      .optional()
      .describe(
        'up, down, or as the service names it. A new gateway stays down, and carries SIMs all the same, until it is started: in the Extended dialect by the operator, else in the control panel.',
      ),
    instanceStatusChangedAt: z
      .string()
      .max(64)
      .optional()
      .describe('When instanceStatus last changed, according to the service.'),
    wasUp: z
      .boolean()
      .optional()
      .describe('Whether the gateway was seen up. If it is down after that, somebody has stopped it.'),
    publicIP: z.string().max(64).optional().describe('Its address on the Internet.'),
    interfaces: z
      .array(
        z.object({
          ipAddress: z.string().max(64).optional().describe('Address.'),
          scope: z.string().max(64).optional().describe('shared or user.'),
          switchID: z.string().max(64).optional().describe('ID of the switch.'),
        }),
      )
      .max(16)
      .optional()
      .describe('Interfaces.')
      .meta({ 'x-kubernetes-list-type': 'atomic' }),
    sims: z
      .object({
        registered: z.int().min(0).describe('SIMs registered with the gateway.'),
        up: z.int().min(0).describe('Those with a session.'),
      })
      .optional()
      .describe('SIMs of the gateway; docs/reference/drift.md says how fresh this is.'),
    simRoutes: z
      .array(routeApplied)
      .max(256)
      .optional()
      .describe('SIM routes, as observed.')
      .meta({ 'x-kubernetes-list-type': 'atomic' }),
    dns: resolvers.optional().describe('DNS resolvers, where the service shows them.'),
    trafficMonitoring: monitoringApplied.optional().describe('Traffic monitoring, as observed.'),
    settingsHash: z.string().max(128).optional().describe('The service’s hash of the settings.'),
  })
  .describe('What was observed.');

export type GatewayApplied = z.infer<typeof gatewayApplied>;
