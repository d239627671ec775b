import * as z from 'zod';
import { immutable, listMap, requires, validations } from '../../kubernetes/cel.ts';
import { type KindDefinition, resourceOf } from '../../kubernetes/crd.ts';
import type { ManagedObject, ManagedStatus } from '../../reconcile/managed-object.ts';
import { managedColumns } from '../common/columns.ts';
import { formerSimStatus } from '../common/former.ts';
import { isBytes } from '../common/quantity.ts';
import { isIPv4, isName } from '../common/rules.ts';
import { commonRules, commonSpec, commonStatus, edgelineAPI, INTENDED, secretKeyRef } from '../common/schema.ts';

const carrier = z
  .object({
    name: z.string().min(1).max(64).describe('Carrier name as the service writes it, for example KDDI or SoftBank.'),
    allow: z.boolean().describe('Whether the SIM may use it.'),
  })
  .describe('One carrier.');

/** The spec of a Sim. */
export const simSpec = z
  .object({
    ...commonSpec,
    iccid: z
      .string()
      .min(10)
      .max(40)
      .describe(
        'ICCID printed on the SIM, digits only. The natural key: creation and adoption use it. Cannot be changed.',
      )
      .meta(
        validations(
          {
            rule: "self.matches('^[0-9]{1,22}$')",
            message:
              'iccid must be 10 to 22 digits, without spaces or letters, in quotes, for example "8981040000000000001"',
          },
          immutable('iccid cannot be changed: it names the physical SIM. Create another Sim for another ICCID'),
        ),
      ),
    displayName: z
      .string()
      .min(1)
      .max(64)
      .optional()
      .describe(
        'Name at the service. Without it, metadata.name. Used at creation; a later change needs an account with dialect Extended.',
      )
      .meta(validations(...isName('displayName'))),
    passCodeSecretRef: secretKeyRef
      .optional()
      .describe(
        'The SIM’s pass code, needed to register a SIM that the account does not have yet; not needed to take one over.',
      ),
    activated: z
      .boolean()
      .optional()
      .describe('Whether the SIM is active. Once this resource has set it, removing it deactivates the SIM.'),
    gatewayRef: z
      .object({ name: z.string().min(1).max(253).describe('Name of the MobileGateway, in the same namespace.') })
      .optional()
      .describe(
        'The gateway to register the SIM with. Once this resource has registered the SIM there, removing it unregisters the SIM.',
      ),
    ipAddress: z
      .string()
      .max(15)
      .optional()
      .describe('IPv4 address of the SIM. Needs gatewayRef; no two SIMs of a gateway have the same.')
      .meta(validations(...isIPv4('ipAddress', '10.0.0.17'))),
    imeiLock: z
      .string()
      // Longer than it may be, so that the rule says what is wrong with one that is written as on the device.
      .max(64)
      .optional()
      .describe(
        'IMEI of the only device that may use the SIM. Once this resource has set it, removing it unlocks the SIM.',
      )
      .meta(
        validations({
          rule: "self.matches('^[0-9]{14,16}$')",
          message:
            'imeiLock must be the 14 to 16 digits of the device’s IMEI, in quotes, for example "356938035643809"',
        }),
      ),
    carriers: z
      .array(carrier)
      .min(1)
      .max(16)
      .optional()
      .describe(
        'Carriers the SIM may or may not use. Carriers not listed are left as they are; removing an entry that this resource has set allows it again.',
      )
      .meta({
        ...listMap('name'),
        ...validations({
          rule: 'self.exists(c, c.allow)',
          message: 'carriers must allow at least one carrier: the service refuses a SIM that may use none',
        }),
      }),
    dataLimit: z
      .object({
        monthly: z
          .string()
          .min(1)
          .max(20)
          .describe('Bytes of a calendar month, sent and received together, such as 500Mi or 2G.')
          .meta(validations(...isBytes('monthly'))),
        action: z
          .enum(['Warn', 'Deactivate'])
          .describe(
            'What happens beyond it: Warn says so in the condition WithinDataLimit; Deactivate has the SIM inactive, too, until the service counts the next month.',
          ),
      })
      .optional()
      .describe(
        'How much may go through the SIM in a month; the service itself never stops a SIM. See docs/data-limits.md.',
      ),
    expectOnlineWithin: z
      .string()
      .min(2)
      .max(20)
      .optional()
      .describe(
        'For how long the SIM may be without a session before the condition Online says so, such as 30m, 2h or 1d. Nothing is written at the service.',
      )
      .meta(
        validations({
          rule: "self.matches('^([1-9][0-9]{0,2}d)?([1-9][0-9]{0,3}h)?([1-9][0-9]{0,4}m)?$')",
          message:
            'expectOnlineWithin must be days, hours and minutes, in that order, such as 30m, 2h, 1h30m or 1d: the service is asked once a minute',
        }),
      ),
  })
  .describe('What the SIM should be like.')
  .meta(
    validations(
      ...commonRules,
      requires(
        'ipAddress',
        'gatewayRef',
        'ipAddress needs gatewayRef: a SIM has an address only in the network of a gateway; name a gateway, or remove both',
      ),
    ),
  );

const appliedCarrier = z.object({
  name: z.string().max(64).describe('Carrier name.'),
  allow: z.boolean().describe('Whether the SIM may use it.'),
});

/** What a Sim last wrote, by field. */
export const simApplied = z
  .object({
    displayName: z.string().max(64).optional().describe('Name at the service.'),
    activated: z.boolean().optional().describe('Whether the SIM is active.'),
    gateway: z
      .object({
        id: z.string().max(64).describe('ID of the gateway.'),
        zone: z.string().max(16).describe('Zone of the gateway.'),
        simGroupID: z.string().max(64).optional().describe('The group the service put the SIM in with it.'),
      })
      .optional()
      .describe('The gateway the SIM is registered with.'),
    ipAddress: z.string().max(45).optional().describe('IP address.'),
    imeiLock: z.string().max(16).optional().describe('IMEI the SIM is locked to.'),
    carriers: z.array(appliedCarrier).max(16).optional().describe('Carriers.').meta(listMap('name')),
    dataLimit: z
      .enum(['Deactivated'])
      .optional()
      .describe('The SIM was deactivated because of spec.dataLimit, and is activated again when that no longer holds.'),
  })
  .describe('What this resource last wrote at the service: a field that leaves the spec is unset only if it is here.');

/** The status of a Sim. */
export const simStatus = z
  .object({
    ...commonStatus,
    applied: simApplied.optional(),
    intended: simApplied.optional().describe(INTENDED),
    lastHandledReconnectAt: z
      .string()
      .max(256)
      .optional()
      .describe('The last value of the annotation edgeline.dev/reconnect-at that was acted on.'),
    name: z.string().max(1024).optional().describe('Name at the service.'),
    iccid: z.string().max(32).optional().describe('ICCID at the service.'),
    imsi: z
      .array(z.string().max(32))
      .max(16)
      .optional()
      .describe('IMSIs.')
      .meta({ 'x-kubernetes-list-type': 'atomic' }),
    ip: z.string().max(45).optional().describe('IP address, as observed.'),
    sessionStatus: z.string().max(64).optional().describe('UP, DOWN, or as the service names it.'),
    registered: z.boolean().optional().describe('Whether the SIM is registered with a gateway.'),
    activated: z.boolean().optional().describe('Whether the SIM is active.'),
    imeiLock: z
      .object({
        locked: z.boolean().describe('Whether the SIM is locked to a device.'),
        imei: z.string().max(16).optional().describe('The IMEI it is locked to, where the service shows it.'),
      })
      .optional()
      .describe('The IMEI lock, as observed.'),
    connectedIMEI: z.string().max(32).optional().describe('IMEI of the device that uses the SIM.'),
    gatewayID: z.string().max(64).optional().describe('ID of the gateway the SIM is registered with.'),
    registeredAt: z.string().max(64).optional().describe('When it was registered.'),
    activatedAt: z.string().max(64).optional().describe('When it was last activated.'),
    deactivatedAt: z.string().max(64).optional().describe('When it was last deactivated.'),
    carriers: z
      .array(appliedCarrier.extend({ countryCode: z.string().max(16).optional().describe('Country of the carrier.') }))
      .max(64)
      .optional()
      .describe('Carriers, as last observed.')
      .meta({ 'x-kubernetes-list-type': 'atomic' }),
    availability: z.string().max(64).optional().describe('Availability, as the service names it.'),
    dataLimit: z
      .object({
        month: z.string().max(7).describe('The month, as YYYY-MM in the service’s time (UTC+9).'),
        exceededAt: z.string().max(64).describe('When it was seen first that it is over the limit.'),
        bytes: z.int().min(0).describe('What had gone through the SIM by then.'),
      })
      .optional()
      .describe('Present while the SIM is over the limit of spec.dataLimit.'),
    sessionDownSince: z
      .string()
      .max(64)
      .optional()
      .describe(
        'Since when the SIM, being active, was seen without a session, and not with one; only where spec.expectOnlineWithin is set.',
      ),
  })
  .describe('What was observed.');

export type SimSpec = z.infer<typeof simSpec>;
export type SimApplied = z.infer<typeof simApplied>;
type SimStatusFields = z.infer<typeof simStatus>;
/** The status fields that the operator keeps for itself. */
export const simMarks = ['lastHandledReconnectAt'] as const;
export type SimMark = (typeof simMarks)[number];

/** A Sim as the apiserver stores it. */
export interface Sim extends ManagedObject {
  spec: SimSpec;
  status?: ManagedStatus<SimStatusFields>;
}

export const simDefinition: KindDefinition = {
  kind: 'Sim',
  plural: 'sims',
  singular: 'sim',
  shortNames: [],
  scope: 'Namespaced',
  ...edgelineAPI,
  description: 'A SIM of the mobile connectivity service.',
  spec: simSpec,
  status: simStatus,
  formerStatus: formerSimStatus,
  selectable: [
    '.spec.iccid',
    '.spec.gatewayRef.name',
    '.spec.ipAddress',
    '.spec.imeiLock',
    '.status.id',
    '.status.sessionStatus',
    '.status.activated',
    '.status.connectedIMEI',
  ],
  columns: [
    { name: 'ICCID', type: 'string', jsonPath: '.spec.iccid', description: 'ICCID of the SIM' },
    { name: 'IP', type: 'string', jsonPath: '.status.ip', description: 'IP address' },
    { name: 'Session', type: 'string', jsonPath: '.status.sessionStatus', description: 'Session at the service' },
    { name: 'Gateway', type: 'string', jsonPath: '.spec.gatewayRef.name', description: 'Gateway the SIM belongs to' },
    ...managedColumns('Whether the SIM works as its spec says'),
  ],
};

export const simResource = resourceOf(simDefinition);
