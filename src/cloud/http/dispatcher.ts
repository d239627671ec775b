import { Agent, buildConnector, type Dispatcher } from 'undici';
import { ConnectFailure } from './connection-errors.ts';
import { secureContextWith } from './tls.ts';

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

/** Connections are kept alive and verified always; HTTP/1.1. */
export const httpsDispatcher: CreateDispatcher = ({ ca, timeoutSeconds, connections }) => {
  const secureContext = secureContextWith(ca);
  const connect = buildConnector({
    timeout: CONNECT_TIMEOUT_MILLISECONDS,
    allowH2: false,
    rejectUnauthorized: true,
    ...(secureContext && { secureContext }),
  });
  return new Agent({
    connections,
    allowH2: false,
    headersTimeout: timeoutSeconds * 1000,
    bodyTimeout: timeoutSeconds * 1000,
    connect: (target, callback) =>
      connect(target, (error, socket) => {
        if (error) callback(new ConnectFailure('not connected', { cause: error }), null);
        else callback(null, socket);
      }),
  });
};
