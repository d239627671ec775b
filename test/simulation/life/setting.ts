import type { AccountOptions } from '../../../src/shadow/service/types.ts';
import type { Seed } from '../../../src/simulator/seed-schema.ts';
import type { Settings } from '../../../src/simulator/settings.ts';
import { at, type JsonObject } from './json.ts';
import type { Ref } from './script.ts';

export type ObjectSeeds = Pick<Seed, 'sims' | 'gateways' | 'sites' | 'servers'>;

/** How the operator is started, but for what is the same in every life. */
export interface Flags {
  /** The rates of SIMs are read. */
  readonly simRates?: true;
  /** People look at the status page. */
  readonly statusPage?: true;
  /** It looks after these alone. */
  readonly namespaces?: readonly string[];
  /** It may read the Secrets of these names alone. */
  readonly secretNames?: readonly string[];
  /** It may send credentials to these hosts alone. */
  readonly allowedHosts?: readonly string[];
}

/** What is there before the operator starts. */
export interface Setting {
  /** Credentials of the service; those with `sameAs` open an account that has others too. */
  readonly credentials: readonly AccountOptions[];
  /** By the name of the account. */
  readonly seed: Readonly<Record<string, ObjectSeeds>>;
  readonly passCodes: Readonly<Record<string, string>>;
  readonly service: Partial<Settings>;
  /** Namespaces, Secrets and accounts. */
  readonly objects: readonly { readonly ref: Ref; readonly manifest: JsonObject }[];
  /** Replicas of the operator. */
  readonly replicas: 1 | 2;
  readonly leaderElect: boolean;
  /** Absent: none. */
  readonly flags?: Flags;
  /** The log is written, and searched for secrets. */
  readonly logs: boolean;
  /** Wall clock at the start, milliseconds since the Unix epoch; absent: the same in every life. */
  readonly epoch?: number;
  /** Virtual milliseconds of trouble, after which nothing but the operator acts. */
  readonly trouble: number;
}

/** Whether an account may make only a few web acceleration requests an hour. */
export function isTight({ objects }: Setting): boolean {
  return objects.some(({ manifest }) => at(manifest, 'spec', 'limits', 'webAccelRequestsPerHour') !== undefined);
}
