import { timestamp } from '../../kubernetes/objects.ts';
import type { Grant } from './brake-rule.ts';
import type { Account } from './schema.ts';

/** What an account has on record, as it was read last: it is asked for far more often than it changes. */
export interface Page {
  /** Of the account; undefined: none was read. */
  readonly uid: string | undefined;
  readonly of: readonly Stored[] | undefined;
  readonly grants: readonly Named[];
  readonly byName: ReadonlyMap<string, Named>;
}

export interface Named {
  readonly grant: Grant;
  readonly name: string;
  readonly moment: string;
}

/** As the status of an account has it. */
export type Stored = NonNullable<NonNullable<Account['status']>['brakes']>[number];

/** What is no time is as late as can be. */
export function grantOf({ action, namespace, key, at }: Stored): Grant {
  const time = Date.parse(at);
  return { action, namespace, key, at: Number.isNaN(time) ? Number.POSITIVE_INFINITY : time };
}

export function recordOf({ action, namespace, key, at }: Grant): Stored {
  return { action, namespace, key, at: timestamp(at) };
}

export function pageOf(uid: string | undefined, of: readonly Stored[] | undefined): Page {
  const grants = (of ?? []).map((one) => named(grantOf(one)));
  return { uid, of, grants, byName: new Map(grants.map((one) => [one.name, one])) };
}

export function named(grant: Grant): Named {
  const name = nameOf(grant);
  return { grant, name, moment: `${name} ${grant.at}` };
}

export function nameOf({ action, namespace, key }: Omit<Grant, 'at'>): string {
  return `${action} ${namespace}/${key}`;
}

export function isSame(one: Grant, other: Grant): boolean {
  return nameOf(one) === nameOf(other);
}
