import { Agent, type Dispatcher, ProxyAgent } from 'undici';
import type { KubeConnection, KubeTls } from './config.ts';
import { connectionError, type Transport } from './wire.ts';

/** Requests in flight at once; the apiserver's own fairness sets in well below what more would bring. */
const CONNECTIONS = 16;

/** Keeps connections open to one apiserver, and opens new ones when its certificates change. */
export function createTransport(connection: KubeConnection): Transport {
  const url = new URL(connection.server);
  const basePath = url.pathname === '/' ? '' : url.pathname;
  let agents: { tls: KubeTls; short: Dispatcher; streaming: Dispatcher } | undefined;

  function current(): { short: Dispatcher; streaming: Dispatcher } {
    const tls = connection.tls();
    if (agents?.tls === tls) return agents;
    // Closing lets requests and watches under way come to their end.
    if (agents) void Promise.allSettled([agents.short.close(), agents.streaming.close()]);
    agents = {
      tls,
      short: createAgent(connection, tls, CONNECTIONS),
      streaming: createAgent(connection, tls, null),
    };
    return agents;
  }

  return {
    async send(request) {
      request.signal?.throwIfAborted();
      const headers = { ...(await connection.headers()), ...request.headers };
      // After headers(): a credential plugin may just have brought a new client certificate.
      const agent = request.streaming ? current().streaming : current().short;
      try {
        const answer = await (request.onWire ? agent.compose(rightBefore(request.onWire)) : agent).request({
          origin: url.origin,
          path: basePath + request.path,
          method: request.method,
          headers,
          body: request.body ?? null,
          signal: request.signal ?? null,
          headersTimeout: request.timeoutMilliseconds,
          bodyTimeout: request.timeoutMilliseconds,
        });
        if (answer.statusCode === 401) connection.refresh();
        return answer;
      } catch (error) {
        throw connectionError(error, request.signal);
      }
    },
    async close() {
      const closing = agents;
      agents = undefined;
      if (closing) await Promise.allSettled([closing.short.destroy(), closing.streaming.destroy()]);
    },
  };
}

/** Calls back right before a request is written; without that, minutes may pass between a check and the wire. */
function rightBefore(onWire: () => void): Dispatcher.DispatcherComposeInterceptor {
  return (dispatch) => (options, handler) =>
    dispatch(options, {
      onRequestStart(controller, context) {
        onWire();
        handler.onRequestStart?.(controller, context);
      },
      onRequestUpgrade: (...upgrade) => handler.onRequestUpgrade?.(...upgrade),
      onResponseStart: (...start) => handler.onResponseStart?.(...start),
      onResponseData: (...data) => handler.onResponseData?.(...data),
      onResponseEnd: (...end) => handler.onResponseEnd?.(...end),
      onResponseError: (...error) => handler.onResponseError?.(...error),
    });
}

function createAgent(connection: KubeConnection, tls: KubeTls, connections: number | null): Dispatcher {
  const material = {
    ...(tls.ca === undefined ? {} : { ca: tls.ca }),
    ...(tls.cert === undefined ? {} : { cert: tls.cert }),
    ...(tls.key === undefined ? {} : { key: tls.key }),
    ...(tls.servername === undefined ? {} : { servername: tls.servername }),
    rejectUnauthorized: !tls.skipVerify,
  };
  const shared = { connections, allowH2: false, keepAliveTimeout: 30_000, connectTimeout: 10_000 };
  if (connection.proxy !== undefined) {
    return new ProxyAgent({ uri: connection.proxy, requestTls: material, ...shared });
  }
  return new Agent({
    ...shared,
    connect: { ...material, timeout: 10_000, keepAlive: true, keepAliveInitialDelay: 30_000 },
  });
}
