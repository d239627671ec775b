import { isIPv4 } from 'node:net';
import * as z from 'zod';

/** The leaves that bodies, the seed file and the control port have in common. Messages say what to write. */

export const iccidField = z.string('write the ICCID as a string of digits').regex(/^\d{1,22}$/, 'write digits only');
export const imeiField = z.string('write the IMEI as a string of digits').regex(/^\d{1,17}$/, 'write digits only');
export const nameField = z.string('write a name').min(1, 'write a name').max(512, 'write at most 512 characters');
export const ipv4Field = z.string('write an IPv4 address').refine(isIPv4, 'write an IPv4 address such as 192.0.2.10');
export const maskLengthField = z.int('write a whole number').min(8, 'write 8 to 29').max(29, 'write 8 to 29');
export const cidrField = z
  .string('write an IPv4 network')
  .refine((text) => parseCIDR(text) !== undefined, 'write an IPv4 network in CIDR form, such as 192.0.2.0/24');

const LONGEST_DELAY_MILLISECONDS = 2 ** 31 - 1;
/** Milliseconds of real time: no more than a timer can wait. */
export const delayField = z
  .number('write milliseconds')
  .nonnegative('write 0 or more')
  .max(LONGEST_DELAY_MILLISECONDS, `write at most ${LONGEST_DELAY_MILLISECONDS}`);

/** IDs may arrive as a string or as a number; inside they are strings. */
export const idField = z
  .union([z.string().regex(/^\d+$/), z.int().nonnegative()], 'write an ID: digits, as a string or a number')
  .transform(String);

export const carrierNames = ['KDDI', 'SoftBank', 'NTT DOCOMO'] as const;

export const carriersField = z
  .array(
    z.object({
      name: z.enum(carrierNames, 'write KDDI, SoftBank or NTT DOCOMO'),
      allow: z.boolean('write true or false'),
    }),
    'write a list of {name, allow}',
  )
  .refine((carriers) => carriers.some(({ allow }) => allow), 'allow at least one carrier')
  .refine(
    (carriers) => new Set(carriers.map(({ name }) => name)).size === carriers.length,
    'name each carrier only once',
  );

const bytes = z.int('write a whole number').nonnegative('write 0 or more');

/** What went through a SIM in a month. */
export const trafficField = z.strictObject(
  { uplinkBytes: bytes, downlinkBytes: bytes },
  'write an object with uplinkBytes and downlinkBytes',
);

/** An IPv4 network as two unsigned 32-bit integers. */
export interface Network {
  readonly base: number;
  readonly mask: number;
}

/** Reads `a.b.c.d/len`; undefined when the text is none. */
export function parseCIDR(text: string): Network | undefined {
  const [address = '', length = '', rest] = text.split('/');
  if (rest !== undefined || !isIPv4(address) || !/^\d{1,2}$/.test(length) || Number(length) > 32) return undefined;
  const mask = Number(length) === 0 ? 0 : (0xffffffff << (32 - Number(length))) >>> 0;
  return { base: (addressNumber(address) & mask) >>> 0, mask };
}

/** Whether the network holds the address. */
export function holds(network: Network, address: string): boolean {
  return (addressNumber(address) & network.mask) >>> 0 === network.base;
}

/** A valid IPv4 address as an unsigned 32-bit integer. */
function addressNumber(address: string): number {
  return address.split('.').reduce((sum, part) => sum * 256 + Number(part), 0);
}

/** The inverse of `addressNumber`. */
export function addressText(value: number): string {
  return [24, 16, 8, 0].map((shift) => (value >>> shift) & 255).join('.');
}
