import type { Clock } from '../clock.ts';
import { type DialectName, dialectOf } from './dialect.ts';
import { createGatewayApi, type GatewayApi } from './gateway/api.ts';
import { type AnswerPool, createAnswerPool } from './http/answer-pool.ts';
import { basicAuthorization } from './http/auth-basic.ts';
import { type AuthenticationScheme, createAuthenticator } from './http/authenticator.ts';
import { type Blame, createBlame } from './http/blame.ts';
import { createBreaker } from './http/breaker.ts';
import { createCaller } from './http/caller.ts';
import type { Circuit } from './http/circuit.ts';
import { type CreateDispatcher, httpsDispatcher } from './http/dispatcher.ts';
import { createSender, type RequestEvent } from './http/sender.ts';
import { parseBaseURL } from './http/tls.ts';
import { createTransport } from './http/transport.ts';
import type { Limiter } from './limiter/limiter.ts';
import { createRawApi, type RawApi } from './raw/api.ts';
import { createServerApi, type ServerApi } from './server/api.ts';
import { createSimApi, type SimApi } from './sim/api.ts';
import { createSiteApi, type SiteApi } from './site/api.ts';

export type { CallOptions } from './limiter/lanes.ts';
export type { RequestEvent };

export interface CloudClientOptions {
  /** Scheme and host of the service; https only. */
  readonly baseURL: string;
  readonly accessToken: string;
  readonly accessTokenSecret: string;
  readonly authentication: AuthenticationScheme;
  /** PEM bundle, added to the system's roots. */
  readonly ca?: string | undefined;
  readonly dialect: DialectName;
  /** Shared by all clients of one account. */
  readonly limiter: Pick<Limiter, 'acquire' | 'throttled' | 'overloaded'> & Partial<Pick<Limiter, 'acquireNow'>>;
  readonly clock: Clock;
  /** In [0, 1), for jitter. */
  readonly random: () => number;
  /** What nobody can foresee, another each time (Surroundings). */
  readonly nonce: () => string;
  readonly userAgent: string;
  /**
   * Throws when nothing may be written. Called in the turn of the event loop in which each non-GET is written to an open
   * connection, repetitions included; where it throws nothing is sent.
   */
  readonly beforeWrite?: (() => void) | undefined;
  /** Throws while no request may leave, as without the Lease. Called before each waits for its turn, and then as `beforeWrite` is. */
  readonly mayLeave?: (() => void) | undefined;
  /** Called for each HTTP request on the wire. */
  readonly onRequest?: ((event: RequestEvent) => void) | undefined;
  /** For one request from sending to the last byte of its answer; default 30. */
  readonly requestTimeoutSeconds?: number | undefined;
  /** What carries the requests; default HTTPS. */
  readonly dispatcher?: CreateDispatcher | undefined;
  /** Connections kept to the service; default 16. */
  readonly connections?: number | undefined;
  /** Shared by all clients of one account. */
  readonly circuit?: Circuit | undefined;
  /** Shared by all clients of one account; default one of its own. */
  readonly blame?: Blame | undefined;
  /** Shared by all clients of the process; default one of its own. */
  readonly pool?: AnswerPool | undefined;
}

/** All operations of `api.md`. Every operation may throw any CloudError, what `beforeWrite` and `mayLeave` throw, and the signal's reason. */
export interface CloudClient {
  readonly sims: SimApi;
  readonly gateways: GatewayApi;
  readonly servers: ServerApi;
  readonly sites: SiteApi;
  /** What none of these is about. */
  readonly raw: RawApi;
  /** Closes all connections; calls under way fail. */
  close(): Promise<void>;
}

/** @throws ConfigurationError when baseURL or the CA bundle cannot be used; nothing is sent before the first call. */
export function createCloudClient(options: CloudClientOptions): CloudClient {
  const { clock, random, limiter, circuit, beforeWrite, mayLeave, onRequest, accessToken, accessTokenSecret } = options;
  const { origin, hostname, path } = parseBaseURL(options.baseURL);
  const requestTimeoutSeconds = options.requestTimeoutSeconds ?? 30;
  const transport = createTransport({
    origin,
    hostname,
    clock,
    requestTimeoutSeconds,
    dispatcher: (options.dispatcher ?? httpsDispatcher)({
      ca: options.ca,
      timeoutSeconds: requestTimeoutSeconds,
      connections: options.connections ?? 16,
    }),
    pool: options.pool ?? createAnswerPool(),
  });
  const authenticator = createAuthenticator(options.authentication, options, options.nonce);
  const sender = createSender({
    transport,
    authenticator,
    limiter,
    clock,
    circuit,
    breaker: createBreaker(clock),
    blame: options.blame ?? createBlame(clock),
    beforeWrite,
    mayLeave,
    onRequest,
  });
  const caller = createCaller({
    dialect: dialectOf(options.dialect),
    sender,
    basePath: path,
    clock,
    random,
    userAgent: options.userAgent,
    secrets: [
      basicAuthorization(accessToken, accessTokenSecret).slice('Basic '.length),
      accessTokenSecret,
      accessToken,
    ],
  });
  return {
    sims: createSimApi(caller),
    gateways: createGatewayApi(caller),
    servers: createServerApi(caller),
    sites: createSiteApi(caller),
    raw: createRawApi(caller),
    close: () => transport.close(),
  };
}
