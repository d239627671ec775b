import * as z from 'zod';
import { delayField } from './fields.ts';

const milliseconds = z.number('write milliseconds').nonnegative('write 0 or more');
const count = z.int('write a whole number').nonnegative('write 0 or more');

/** What `GET /settings` of the control port shows and `PATCH /settings` changes. */
export const settingsSchema = z.strictObject({
  /** Milliseconds of real time added to every answer. */
  delay: delayField,
  /** Milliseconds a new gateway is `migrating`, in simulated time. */
  migratingTime: milliseconds,
  /** Milliseconds a new SIM or gateway answers early operations with 409 `still_creating`, in simulated time. */
  stillCreatingMs: milliseconds,
  /** How many requests on a new ID answer 404 before it is found. */
  notFoundAfterCreate: count,
  /** Milliseconds a new SIM or gateway is in no list and answers 404 to whatever names its ID, in simulated time. */
  shownAfterCreate: milliseconds,
  /** Milliseconds for which nothing goes through a new SIM, in simulated time. */
  silentAfterCreate: milliseconds,
  /** Accept a second SIM with an ICCID that is already registered, instead of 409 `conflict`. */
  allowDuplicateICCID: z.boolean('write true or false'),
  /** Refuse a SIM IP address outside the private network of its gateway, where the gateway has one. */
  ipMustBeInSubnet: z.boolean('write true or false'),
  /** Requests of the web acceleration API an account may make in any hour. */
  webAccelLimit: count,
  /** Requests of all other APIs an account may make in any second; null: as many as it likes. */
  cloudLimit: z.int('write a whole number, or null').min(1, 'write 1 or more, or null').nullable(),
  /** Elements a page of a list holds at most. */
  pageLimit: z.int('write a whole number').min(1, 'write 1 or more'),
  /** Sites the site list shows at most (its `CountLimit`). */
  siteCountLimit: z.int('write a whole number').min(1, 'write 1 or more'),
  /** Milliseconds a Digest nonce is good for, in simulated time. */
  nonceLifetime: milliseconds,
  /** Requests the log keeps; the oldest go first. Counts are kept for all. */
  requestLogLimit: count,
  /** Bytes of JSON those may have in all; a longer body is left out of the log. */
  requestLogBytes: count,
});

export type Settings = z.infer<typeof settingsSchema>;

export const defaultSettings: Settings = {
  delay: 0,
  migratingTime: 2_000,
  stillCreatingMs: 0,
  notFoundAfterCreate: 0,
  shownAfterCreate: 0,
  silentAfterCreate: 0,
  allowDuplicateICCID: false,
  ipMustBeInSubnet: false,
  webAccelLimit: 500,
  cloudLimit: null,
  pageLimit: 10_000,
  siteCountLimit: 1_000,
  nonceLifetime: 300_000,
  requestLogLimit: 100_000,
  requestLogBytes: 33_554_432,
};
