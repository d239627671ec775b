import * as z from 'zod';
import { immutable, immutableOnceSet, listMap, requires, validations } from '../../kubernetes/cel.ts';
import { type KindDefinition, resourceOf } from '../../kubernetes/crd.ts';
import type { ManagedObject, ManagedStatus } from '../../reconcile/kind.ts';
import { managedColumns } from '../common/columns.ts';
import {
  isHostOfItsNetwork,
  isIPv4,
  isIPv4Prefix,
  isOneLine,
  nextHopsInside,
  noRouteToPrivateNetwork,
  routesApart,
} from '../common/rules.ts';
import { commonRules, commonSpec, commonStatus, edgelineAPI, secretKeyRef } from '../common/schema.ts';
import { monthlyTraffic, trafficDescription } from '../common/traffic.ts';

const privateInterface = z
  .object({
    ipAddress: z
      .string()
      .max(15)
      .describe('The gateway’s own IPv4 address there.')
      .meta(validations(...isIPv4('privateInterface.ipAddress', '10.0.0.1'))),
    networkMaskLength: z.int().min(8).max(29).describe('Length of the network’s mask in bits, for example 24.'),
  })
  .describe('The interface in the private network. Once set, removing it from the spec removes the interface.')
  .meta(validations(isHostOfItsNetwork('privateInterface')));

const staticRoute = z
  .object({
    prefix: z
      .string()
      .max(18)
      .describe('The network to reach, as CIDR.')
      .meta(validations(...isIPv4Prefix('staticRoutes prefix', '192.168.10.0/24'))),
    nextHop: z
      .string()
      .max(15)
      .describe('IPv4 address in the private network through which it is reached.')
      .meta(validations(...isIPv4('staticRoutes nextHop', '10.0.0.254'))),
  })
  .describe('One static route.');

/** The spec of a MobileGateway. */
export const gatewaySpec = z
  .object({
    ...commonSpec,
    zone: z
      .string()
      .min(1)
      .max(16)
      .describe('Zone of the gateway, for example is1b. Cannot be changed.')
      .meta(
        validations(
          {
            rule: "self.matches('^[a-z]{2}[0-9][a-z]$')",
            message: 'zone must be a zone of the service, for example is1b',
          },
          immutable('zone cannot be changed: a gateway lives where it was created. Create another one there'),
        ),
      ),
    displayName: z
      .string()
      .min(1)
      .max(64)
      .optional()
      .describe(
        'Name at the service, used at creation. Without it, metadata.name. It cannot be changed later; if it differs, Synced says so.',
      )
      .meta(validations(isOneLine('displayName'))),
    planID: z
      .int()
      .min(1)
      .max(1_000_000)
      .optional()
      .describe('Plan at the service; 2 is the only known plan. Needed to create a gateway, not to take one over.'),
    internetConnection: z
      .boolean()
      .optional()
      .describe('Whether SIMs reach the Internet through it. Once set, removing it switches that off.'),
    interDeviceCommunication: z
      .boolean()
      .optional()
      .describe('Whether SIMs of the gateway reach one another. Once set, removing it switches that off.'),
    privateInterface: privateInterface.optional(),
    staticRoutes: z
      .array(staticRoute)
      .max(64)
      .optional()
      .describe('Static routes into the private network. Once set, removing the list removes them.')
      .meta(listMap('prefix')),
    dns: z
      .object({
        primary: z
          .string()
          .max(15)
          .describe('IPv4 address of the first resolver.')
          .meta(validations(...isIPv4('dns.primary', '8.8.8.8'))),
        secondary: z
          .string()
          .max(15)
          .describe('IPv4 address of the second resolver.')
          .meta(validations(...isIPv4('dns.secondary', '8.8.4.4'))),
      })
      .optional()
      .describe('DNS resolvers the SIMs use. The service has no way to remove them once set.'),
    simRoutes: z
      .array(
        z
          .object({
            prefix: z
              .string()
              .max(18)
              .describe('The network behind the SIM, as CIDR.')
              .meta(validations(...isIPv4Prefix('simRoutes prefix', '192.168.20.0/24'))),
            simRef: z
              .object({ name: z.string().min(1).max(253).describe('Name of the Sim, in the same namespace.') })
              .describe('The Sim in front of the network; its gatewayRef must name this gateway.'),
          })
          .describe('One route to a network behind a SIM.'),
      )
      .max(256)
      .optional()
      .describe('Routes to networks behind SIMs. Once set, removing the list removes them.')
      .meta(listMap('prefix')),
    trafficMonitoring: z
      .object({
        quotaMB: z.int().min(1).max(1_000_000_000).describe('Traffic of a month, in megabytes, at which it acts.'),
        autoTrafficShaping: z
          .boolean()
          .optional()
          .describe('Whether traffic beyond the quota is slowed down. Without it, no.'),
        bandwidthLimitKbps: z
          .int()
          .min(1)
          .max(1_000_000)
          .optional()
          .describe('Bandwidth to which it is slowed down, in kbps.'),
        email: z.boolean().optional().describe('Whether an e-mail is sent. Without it, no.'),
        chatWebhookSecretRef: secretKeyRef.optional().describe('The Secret with the URL of a chat webhook to notify.'),
      })
      .optional()
      .describe('What happens when the traffic of a month reaches a quota. Once set, removing it switches it off.')
      .meta(
        validations({
          rule: '!has(self.autoTrafficShaping) || !self.autoTrafficShaping || has(self.bandwidthLimitKbps)',
          message:
            'trafficMonitoring.autoTrafficShaping needs bandwidthLimitKbps: the bandwidth that is left beyond the quota',
        }),
      ),
  })
  .describe('What the gateway should be like.')
  .meta(
    validations(
      ...commonRules,
      immutableOnceSet(
        'planID',
        'planID cannot be changed: the service has no operation for it. Create another gateway',
      ),
      requires(
        'staticRoutes',
        'privateInterface',
        'staticRoutes needs privateInterface: the next hops are in that network',
      ),
      nextHopsInside(),
      noRouteToPrivateNetwork('staticRoutes'),
      noRouteToPrivateNetwork('simRoutes'),
      routesApart(),
    ),
  );

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
    creation: z
      .object({
        name: z.string().max(253).describe('Name the gateway was to get.'),
        requestedAt: z.string().max(64).describe('When the request was about to be sent.'),
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
    traffic: monthlyTraffic
      .extend({ shaping: z.boolean().describe('Whether traffic is being slowed down.') })
      .optional()
      .describe(trafficDescription),
    settingsHash: z.string().max(128).optional().describe('The service’s hash of the settings.'),
  })
  .describe('What was observed.');

export type GatewaySpec = z.infer<typeof gatewaySpec>;
export type GatewayApplied = z.infer<typeof gatewayApplied>;
type GatewayStatusFields = z.infer<typeof gatewayStatus>;
/** The status fields that the operator keeps for itself. */
export type GatewayMark = 'creation' | 'configPending' | 'booted';

/** A MobileGateway as the apiserver stores it. */
export interface MobileGateway extends ManagedObject {
  spec: GatewaySpec;
  status?: ManagedStatus<GatewayStatusFields>;
}

export const gatewayDefinition: KindDefinition = {
  kind: 'MobileGateway',
  plural: 'mobilegateways',
  singular: 'mobilegateway',
  shortNames: ['mgw'],
  scope: 'Namespaced',
  ...edgelineAPI,
  description: 'A mobile gateway: where SIMs meet the Internet and a private network.',
  spec: gatewaySpec,
  status: gatewayStatus,
  columns: [
    { name: 'Zone', type: 'string', jsonPath: '.spec.zone', description: 'Zone' },
    {
      name: 'Availability',
      type: 'string',
      jsonPath: '.status.availability',
      description: 'Availability at the service',
    },
    { name: 'Instance', type: 'string', jsonPath: '.status.instanceStatus', description: 'Whether it runs' },
    { name: 'Sims', type: 'integer', jsonPath: '.status.sims.registered', description: 'SIMs registered with it' },
    ...managedColumns('Whether the gateway works as its spec says'),
  ],
};

export const gatewayResource = resourceOf(gatewayDefinition);
