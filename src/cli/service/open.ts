import type { Clock } from '../../clock.ts';
import { type CloudClient, createCloudClient } from '../../cloud/client.ts';
import type { DialectName } from '../../cloud/dialect.ts';
import { createCircuit } from '../../cloud/http/circuit.ts';
import { createHTTPSDispatcher } from '../../cloud/http/dispatcher.ts';
import { proxyOf } from '../../cloud/http/proxy.ts';
import { digesterOf, identityOf } from '../../kinds/cloud-account/members.ts';
import { accessOf } from '../../kinds/cloud-account/settings.ts';
import type { Session } from '../session.ts';
import { type AccountChoice, type FoundAccount, findAccount, openSettings } from './account.ts';
import { createClaims } from './claims.ts';
import { createGentleLimiter, type GentleLimiter } from './gentle.ts';
import type { Hour } from './hour.ts';
import { createReads, type ServiceReads } from './reads.ts';
import { stopOf } from './stopped.ts';
import { ALLOWED_HOSTS, refuseUntrusted } from './trust.ts';

/** Web acceleration requests that a command sends, unless it is told of another number. */
export const MOST_REQUESTS = 50;

/** An account of the service, as a person at a terminal may use it. */
export interface ServiceAccess extends Pick<GentleLimiter, 'reserve' | 'usage'> {
  readonly account: FoundAccount;
  readonly dialect: DialectName;
  /** The same as the operator's session has: what is recorded of secrets can be compared. Neither shows any. */
  readonly identity: string;
  digest(value: string): string;
  readonly client: CloudClient;
  readonly reads: ServiceReads;
  /** What is known of the account's hour of web acceleration; no request is sent for it. */
  hour(): Promise<Hour>;
  close(): Promise<void>;
}

export interface OpenOptions {
  /** Where the account is; undefined: that of the session. */
  readonly namespace?: string | undefined;
  readonly account?: AccountChoice | undefined;
  /** Web acceleration requests, at most; default {@link MOST_REQUESTS}. */
  readonly maxRequests?: number | undefined;
  /** False: nothing is asked of the service. */
  readonly sends?: false;
  /** What may write. Undefined: nothing is written. */
  readonly writing?: WritingOptions | undefined;
  /** The service asked for a pause of so many seconds. */
  readonly onPause?: ((seconds: number) => void) | undefined;
}

export interface WritingOptions {
  /** Also through an account that a person has stopped. */
  readonly evenIfStopped: boolean;
  /** Right before a request that may change something is sent. */
  readonly onWrite: () => void;
}

interface ServiceSurroundings {
  readonly clock: Clock;
  readonly random: () => number;
  readonly nonce: () => string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly version: string;
}

/**
 * Opens an account with the permissions of whoever runs the command, through the operator's own client. Nothing is sent
 * to the service yet. What writes throws `AccountStopped` if a person has stopped the account, or the namespace.
 * @throws ClusterError, AccountUnusable, ConfigurationError
 */
export async function openService(
  session: Session,
  options: OpenOptions,
  surroundings: ServiceSurroundings,
): Promise<ServiceAccess> {
  const { clock, random, nonce, environment, version } = surroundings;
  const { writing } = options;
  const namespace = options.namespace ?? session.namespace ?? 'default';
  const found = await findAccount(session, namespace, options.account);
  const stop = writing && !writing.evenIfStopped ? await stopOf(session, found, namespace) : undefined;
  const settings = await openSettings(session, found);
  const identity = identityOf(settings);
  const digest = digesterOf(settings);
  if (options.sends !== false) refuseUntrusted(found, digest(identity), environment[ALLOWED_HOSTS]);
  const { dialect, limits } = settings;
  const claims = createClaims({ session, found, signer: { identity, digest }, limits, clock, random });
  const limiter = createGentleLimiter({
    clock,
    claims,
    cloudRequestsPerSecond: limits.cloudRequestsPerSecond,
    most: options.maxRequests ?? MOST_REQUESTS,
    onPause: options.onPause ?? (() => undefined),
  });
  const client = createCloudClient({
    ...accessOf(settings),
    limiter,
    clock,
    random,
    nonce,
    userAgent: `edgeline/${version}`,
    dispatcher: createHTTPSDispatcher(proxyOf(environment)),
    circuit: createCircuit({ clock }),
    beforeWrite() {
      if (stop) throw stop;
      writing?.onWrite();
    },
    connections: 2,
  });
  return {
    account: found,
    dialect,
    identity,
    digest,
    client,
    reads: createReads(client),
    reserve: limiter.reserve,
    usage: limiter.usage,
    hour: claims.hour,
    close: () => client.close(),
  };
}
