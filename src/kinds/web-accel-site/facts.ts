import type { DialectName } from '../../cloud/dialect.ts';
import type { Drift } from '../../reconcile/managed-object.ts';
import type { SecretValue } from '../../reconcile/secret-value.ts';
import type { SiteHold } from './reasons.ts';
import type { SiteSpec } from './schema.ts';
import type { ObservedSettings, SiteApplied } from './status-schema.ts';

/** Which site it is, and what the list shows of it. */
export interface SiteIdentity {
  readonly id: string;
  readonly createdAt?: string | undefined;
  readonly name: string;
  readonly domain: string;
  readonly asciiDomain: string;
  readonly subdomain: string;
  readonly domainType: string;
  readonly status: string;
  /** Milliseconds since the epoch. */
  readonly certificateNotBefore?: number | undefined;
  readonly certificateNotAfter?: number | undefined;
}

/** The site as the service has it. */
export interface ObservedSite extends SiteIdentity {
  /** Whether the account's list shows it: then changes made elsewhere are seen within a poll. */
  readonly listed: boolean;
  /** Undefined: not read yet, because nothing depends on it. */
  readonly settings?: ObservedSettings | undefined;
  /** The rules; undefined: not read yet. */
  readonly accessControl?: readonly string[] | undefined;
}

/** A secret of the spec: its value and keyed digest, or why it can't be had. */
export type SecretFact<T> = { readonly value: T; readonly digest: string } | { readonly hold: SiteHold };

/** The credentials of a bucket. */
export interface OriginCredentials {
  readonly accessKeyID: SecretValue;
  readonly secretAccessKey: SecretValue;
}

/** What the spec asks for, with its Secrets read. */
export interface DesiredSite {
  readonly spec: SiteSpec;
  readonly credentials: SecretFact<OriginCredentials> | undefined;
  readonly oneTimeURLSecret: SecretFact<SecretValue> | undefined;
}

/** What was sent in the last write of each sort, and what the service showed of it in its answer. */
export interface SiteAnswers {
  readonly settings?: { readonly sent: readonly Drift[]; readonly shown: ObservedSettings };
  readonly accessControl?: { readonly sent: readonly Drift[]; readonly shown: readonly string[] };
}

/** Everything a WebAccelSite's plan and status follow from. Plain data. */
export interface SiteFacts {
  readonly desired: DesiredSite;
  readonly applied: SiteApplied;
  readonly found?: readonly string[] | undefined;
  readonly pending: readonly string[];
  readonly observed: ObservedSite | undefined;
  readonly answers: SiteAnswers;
  readonly dialect: DialectName;
}
