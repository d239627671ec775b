import type { DialectName } from '../../cloud/dialect.ts';
import type { Hold } from '../../reconcile/kind.ts';
import type { SecretValue } from '../../reconcile/secret-value.ts';
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
  readonly sentLastWeekGiB?: number | undefined;
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
export type SecretFact<T> = { readonly value: T; readonly digest: string } | { readonly hold: Hold };

/** What the spec asks for, with its Secrets read. */
export interface DesiredSite {
  readonly spec: SiteSpec;
  readonly credentials:
    | SecretFact<{ readonly accessKeyID: SecretValue; readonly secretAccessKey: SecretValue }>
    | undefined;
  readonly oneTimeURLSecret: SecretFact<SecretValue> | undefined;
}

/** Usage of one site in a month. */
export interface UsageFacts {
  /** YYYY-MM. */
  readonly month: string;
  readonly accessCount: number;
  readonly bytesSent: number;
  readonly cacheMissBytesSent: number;
  readonly cacheHitRatioPercent: number;
  readonly bytesCacheHitRatioPercent: number;
  readonly price: number;
}

/** A setting the service was sent, and what it showed in its answer instead. */
export interface NotTaken {
  readonly field: string;
  readonly desired: string;
  readonly observed: string;
}

/** Everything a WebAccelSite's plan and status follow from. Plain data. */
export interface SiteFacts {
  readonly desired: DesiredSite;
  readonly applied: SiteApplied;
  readonly found?: readonly string[] | undefined;
  readonly pending: readonly string[];
  readonly observed: ObservedSite | undefined;
  readonly notTaken: readonly NotTaken[];
  /** Undefined: not known yet; what the status has stays. */
  readonly usage: UsageFacts | undefined;
  readonly dialect: DialectName;
}
