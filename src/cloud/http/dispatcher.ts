import { callbackify } from 'node:util';
import { Agent, buildConnector, type Dispatcher } from 'undici';
import { ConnectFailure } from './connection-errors.ts';
import { type ProxySettings, proxyFor } from './proxy.ts';
import { secureContextWith } from './tls.ts';
import { openTunnel } from './tunnel.ts';

/** What carries requests: as much of undici's interface as is used, so that something else can do it. */
export type WireDispatcher = Pick<Dispatcher, 'dispatch' | 'destroy'>;

/** @throws ConfigurationError when the CA bundle cannot be used */
export type CreateDispatcher = (options: {
  /** PEM bundle, added to the system's roots. */
  readonly ca: string | undefined;
  /** Until the headers of an answer, and between any two parts of its body. */
  readonly timeoutSeconds: number;
  /** Kept open at most. */
  readonly connections: number;
}) => WireDispatcher;

const CONNECT_TIMEOUT_MILLISECONDS = 10_000;

/**
 * Connections are kept alive and verified always; HTTP/1.1. Through a proxy, if there is one, TLS is with the service all
 * the same: the proxy sees its name, and nothing that is sent.
 */
export function createHTTPSDispatcher(proxy?: ProxySettings): CreateDispatcher {
  return ({ ca, timeoutSeconds, connections }) => {
    const secureContext = secureContextWith(ca);
    const connect = buildConnector({
      timeout: CONNECT_TIMEOUT_MILLISECONDS,
      allowH2: false,
      rejectUnauthorized: true,
      ...(secureContext && { secureContext }),
    });
    const connectThrough: buildConnector.connector = (target, callback) => {
      const port = target.port === '' ? '443' : target.port;
      const through = proxy && proxyFor(proxy, target.hostname, port);
      if (!through) return connect(target, callback);
      callbackify(openTunnel)(
        through,
        { hostname: target.hostname, port },
        CONNECT_TIMEOUT_MILLISECONDS,
        (error, httpSocket) => (error ? callback(error, null) : connect({ ...target, httpSocket }, callback)),
      );
    };
    return new Agent({
      connections,
      allowH2: false,
      headersTimeout: timeoutSeconds * 1000,
      bodyTimeout: timeoutSeconds * 1000,
      connect: (target, callback) =>
        connectThrough(target, (error, socket) => {
          if (error) callback(new ConnectFailure('not connected', { cause: error }), null);
          else callback(null, socket);
        }),
    });
  };
}

/** The same without a proxy. */
export const httpsDispatcher: CreateDispatcher = createHTTPSDispatcher();
