import * as z from 'zod';
import { immutable, immutableWhileSet, listMap, requires, validations } from '../../kubernetes/cel.ts';
import { type KindDefinition, resourceOf } from '../../kubernetes/crd.ts';
import type { ManagedObject, ManagedStatus } from '../../reconcile/managed-object.ts';
import { managedColumns } from '../common/columns.ts';
import { formerGatewayStatus } from '../common/former.ts';
import {
  isHostOfItsNetwork,
  isIPv4,
  isIPv4Prefix,
  isName,
  MASK_LENGTH,
  nextHopsInside,
  noRouteToPrivateNetwork,
  routesApart,
} from '../common/rules.ts';
import { commonRules, commonSpec, edgelineAPI, secretKeyRef } from '../common/schema.ts';
import { gatewayStatus } from './status-schema.ts';

const privateInterface = z
  .object({
    ipAddress: z
      .string()
      .max(15)
      .describe('The gateway’s own IPv4 address there.')
      .meta(validations(...isIPv4('privateInterface.ipAddress', '10.0.0.1'))),
    networkMaskLength: z
      .int()
      .min(MASK_LENGTH.least)
      .max(MASK_LENGTH.most)
      .describe('Length of the network’s mask in bits, for example 24.'),
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
            message: 'zone must be a zone of the service in small letters, for example is1b',
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
      .meta(validations(...isName('displayName'))),
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
      immutableWhileSet(
        'planID',
        'planID cannot be changed: the service has no operation for it. Create another gateway, or leave planID out',
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

export type GatewaySpec = z.infer<typeof gatewaySpec>;
/** The status fields that the operator keeps for itself. */
export const gatewayMarks = ['creation', 'configPending', 'booted'] as const;
export type GatewayMark = (typeof gatewayMarks)[number];

/** A MobileGateway as the apiserver stores it. */
export interface MobileGateway extends ManagedObject {
  spec: GatewaySpec;
  status?: ManagedStatus<z.infer<typeof gatewayStatus>>;
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
  formerStatus: formerGatewayStatus,
  selectable: ['.spec.zone', '.status.id', '.status.availability', '.status.instanceStatus', '.status.publicIP'],
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
