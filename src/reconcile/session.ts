import type { CloudClient } from '../cloud/client.ts';
import type { DialectName } from '../cloud/dialect.ts';
import type { Gateway } from '../cloud/gateway/types.ts';
import type { Lane } from '../cloud/limiter/lanes.ts';
import type { HourFor } from '../cloud/limiter/limiter.ts';
import type { ListInformer, ObservedList } from '../cloud/list/snapshot.ts';
import type { SimItem } from '../cloud/sim/types.ts';
import type { Site } from '../cloud/site/types.ts';

/**
 * A working connection to one account of the service. Accounts that name the same base URL and access token share
 * their limiter, their circuit and their cloud informers, however many resources describe them.
 */
export interface AccountSession {
  /** The same for all accounts that are one at the service; holds no secret. */
  readonly identity: string;
  /** Where the service is, however its URL is spelled: what has an ID there has it for all its accounts. */
  readonly service: string;
  readonly client: CloudClient;
  readonly dialect: DialectName;
  /** All SIMs of the account with their live status. */
  readonly sims: ListInformer<SimItem>;
  /** All mobile gateways of one zone. Polled from the first use on where the zone is known to exist, else once there was a list. */
  gateways(zone: string): ObservedList<Gateway>;
  /** Whether a zone is known to exist: anybody may name any. */
  isZone(zone: string): boolean;
  /** All sites of the account, as far as the service lists them. Polled from the first use on. */
  sites(): ListInformer<Site>;
  /** What the hour of web acceleration has for a request of this lane, of a namespace. */
  hourFor(lane: Lane, party: string | undefined): HourFor;
  /** When this process last changed, or may have changed, what has that ID. */
  readonly changes: {
    note(id: string): void;
    /** Monotonic milliseconds; -Infinity: not of late. */
    at(id: string): number;
  };
  /** Whether this process has deleted that ID at the service of late. */
  wasDeleted(id: string): boolean;
  /** A keyed digest of a secret value: comparable over restarts, useless to whoever reads the status. */
  digest(value: string): string;
}
