import * as z from 'zod';
import { isMoment, momentRange } from './dates.ts';
import {
  carriersField,
  cidrField,
  iccidField,
  imeiField,
  ipv4Field,
  maskLengthField,
  nameField,
  trafficField,
} from './fields.ts';
import { zones } from './zones.ts';

const text = z.string('write a string');
const flag = z.boolean('write true or false');
const whole = z.int('write a whole number');
const idText = z.string('write the ID as a string of digits').regex(/^\d{12}$/, 'write 12 digits, in quotes');
const zone = z.enum(zones, `write one of ${zones.join(', ')}`);
const object = 'write an object';
/** When it was made; without it, when it is put in. */
const createdAt = z.iso
  .datetime({ offset: true, error: 'write a time such as 2026-01-01T00:00:00Z' })
  .refine((text) => isMoment(Date.parse(text)), `write a time ${momentRange}`)
  .optional();

const simSeed = z.strictObject(
  {
    id: idText.optional(),
    createdAt,
    iccid: iccidField,
    name: nameField.optional(),
    description: text.optional(),
    tags: z.array(text, 'write a list of strings').optional(),
    activated: flag.default(false),
    /** The name or the ID of a gateway in this file. */
    gateway: text.optional(),
    ip: ipv4Field.optional(),
    imeiLock: imeiField.optional(),
    connectedIMEI: imeiField.optional(),
    /** Of the month so far. */
    traffic: trafficField.optional(),
    carriers: carriersField.optional(),
  },
  object,
);

const gatewaySeed = z.strictObject(
  {
    id: idText.optional(),
    createdAt,
    name: nameField,
    zone,
    planID: z.literal(2, 'write 2, the only plan there is').default(2),
    description: text.optional(),
    tags: z.array(text, 'write a list of strings').optional(),
    internetConnection: flag.optional(),
    interDeviceCommunication: flag.optional(),
    privateInterface: z
      .strictObject(
        { ipAddress: ipv4Field, networkMaskLength: maskLengthField },
        'write {ipAddress, networkMaskLength}',
      )
      .optional(),
    staticRoutes: z
      .array(z.strictObject({ prefix: cidrField, nextHop: ipv4Field }, 'write {prefix, nextHop}'), 'write a list')
      .default([]),
    dns: z.strictObject({ primary: ipv4Field, secondary: ipv4Field }, 'write {primary, secondary}').optional(),
    /** `sim` is the ICCID of a SIM in this file that is on this gateway. */
    simRoutes: z
      .array(z.strictObject({ sim: iccidField, prefix: cidrField }, 'write {sim, prefix}'), 'write a list')
      .default([]),
    trafficMonitoring: z
      .strictObject(
        {
          quotaMB: whole.min(1, 'write 1 or more'),
          autoTrafficShaping: flag.default(false),
          bandwidthLimitKbps: whole.min(0, 'write 0 or more').optional(),
          email: flag.default(false),
          chatURL: z.url('write a URL').optional(),
        },
        object,
      )
      .optional(),
    instanceStatus: z.enum(['up', 'down'], 'write up or down').default('down'),
  },
  object,
);

const siteSeed = z.strictObject(
  {
    id: idText.optional(),
    createdAt,
    name: nameField,
    /** The own domain; without it the site has a service-assigned subdomain only. */
    domain: text.min(1, 'write a domain').optional(),
    status: z.enum(['enabled', 'disabled'], 'write enabled or disabled').default('enabled'),
    /** The settings of `PUT /site/:id`, by the same names, numbers as numbers. */
    settings: z.record(z.string(), z.unknown(), object).default({}),
    accessControl: z.array(text, 'write a list of rules').default([]),
    certificate: z.strictObject({ chain: text, key: text }, 'write {chain, key}, both PEM').optional(),
  },
  object,
);

const serverSeed = z.strictObject(
  {
    id: idText.optional(),
    name: nameField,
    zone,
    planID: whole.min(1, 'write the number of a plan').default(1),
    power: z.enum(['up', 'down'], 'write up or down').default('up'),
  },
  object,
);

const worldSeed = {
  sims: z.array(simSeed, 'write a list').default([]),
  gateways: z.array(gatewaySeed, 'write a list').default([]),
  sites: z.array(siteSeed, 'write a list').default([]),
  servers: z.array(serverSeed, 'write a list').default([]),
};

/** What the service holds when it starts (docs/simulator.md). */
export const seedSchema = z.strictObject(
  {
    ...worldSeed,
    /** The right pass code by ICCID. Other SIMs take any. */
    passCodes: z
      .record(iccidField, z.string('write the pass code in quotes').min(1, 'write the pass code'), object)
      .default({}),
    /** More credentials, each with a world of its own. */
    accounts: z
      .array(
        z.strictObject(
          {
            name: nameField,
            accessToken: z.string('write a token').min(1, 'write a token'),
            accessTokenSecret: z.string('write a secret').min(1, 'write a secret'),
            /** The name of the account these are further credentials of: the same world. */
            sameAs: nameField.optional(),
            ...worldSeed,
          },
          object,
        ),
        'write a list',
      )
      .default([]),
  },
  object,
);

/** As written in the file: everything may be left out but what names a thing. */
export type Seed = z.input<typeof seedSchema>;
export type ParsedSeed = z.infer<typeof seedSchema>;
export type WorldSeed = Pick<ParsedSeed, 'sims' | 'gateways' | 'sites' | 'servers'>;

/** The seeds of single objects, for the control port. */
export const objectSeeds = { sims: simSeed, gateways: gatewaySeed, sites: siteSeed, servers: serverSeed };
