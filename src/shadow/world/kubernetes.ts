import type { Transport, TransportAnswer, TransportRequest } from '../../kubernetes/wire.ts';
import { connectionError } from '../../kubernetes/wire.ts';
import type { Apiserver, ApiserverAnswer } from '../apiserver/apiserver.ts';
import type { Watch } from '../apiserver/watches.ts';
import type { ArmedFault, KubernetesRefusal } from './messages.ts';
import { type Network, type Sender, SocketError } from './network.ts';
import { createStreamBody } from './stream-body.ts';

/** Before a change, and after all that came before it. Milliseconds. */
const MOMENT = 0.001;

/** The watches of one process. */
export interface Watches {
  /** Cuts all connections. */
  cut(): void;
  /** For so long nothing comes on those that are open, and they do not end. Milliseconds. */
  freeze(milliseconds: number): void;
  /** What happened in the cluster up to this moment, the process was told, of each resource that it watches. */
  seenUntil(): number;
}

/** The way of one process to the apiserver, over the simulated network. */
export function createKubernetesTransport(
  network: Network,
  apiserver: Apiserver,
  from: Sender,
  now: () => number,
  wall: () => number,
): { transport(): Transport; readonly watches: Watches } {
  const open = new Set<{ cut(): void; freeze(milliseconds: number): void }>();
  /** By what each watches. */
  const seen = new Map<string, () => number>();
  /** What the `Date` of answers was last. */
  let date = { second: Number.NaN, text: '' };

  /** Lines come in their order, each a moment after it was sent. */
  function stream(watch: Watch, request: TransportRequest): TransportAnswer['body'] {
    const lines: { readonly text: string | undefined; readonly at: number }[] = [];
    const path = watchedBy(request.path);
    // What comes first happened before this watch was there.
    const before = seen.get(path)?.() ?? 0;
    let isFrozen = false;
    let stopSilence = () => {};
    const entry = {
      cut: () => body.fail(new SocketError('ECONNRESET')),
      freeze(milliseconds: number) {
        isFrozen = true;
        from.after(milliseconds, () => {
          isFrozen = false;
          for (let count = lines.length; count > 0; count--) deliver();
        });
      },
    };
    const onAbort = () => body.fail(request.signal?.reason);
    const body = createStreamBody(() => {
      open.delete(entry);
      const until = seenHere();
      if (seen.get(path) === seenHere) seen.set(path, () => until);
      watch.cancel();
      stopSilence();
      request.signal?.removeEventListener('abort', onAbort);
    });
    function listenForSilence(): void {
      stopSilence();
      stopSilence = from.after(request.timeoutMilliseconds, () => body.fail(new SocketError('UND_ERR_BODY_TIMEOUT')));
    }
    function deliver(): void {
      if (isFrozen || lines.length === 0) return;
      const line = lines.shift();
      listenForSilence();
      if (line?.text !== undefined) return body.push(line.text);
      endedAt = line?.at;
      body.end();
    }
    let endedAt: number | undefined;
    // A connection may end in the very moment of a change, and before it.
    const seenHere = () => endedAt ?? lines[0]?.at ?? now() - MOMENT;
    seen.set(path, seenHere);
    open.add(entry);
    request.signal?.addEventListener('abort', onAbort, { once: true });
    listenForSilence();
    let at = () => before;
    watch.subscribe({
      line(text) {
        lines.push({ text: text.endsWith('\n') ? text : `${text}\n`, at: at() });
        from.after(network.latency(), deliver);
      },
      end() {
        lines.push({ text: undefined, at: at() });
        from.after(network.latency(), deliver);
      },
    });
    at = () => now() - MOMENT;
    return body.body;
  }

  /** Until the first watch of something is there, nothing has been seen but what was listed before. */
  function noteWatch(target: string): void {
    const path = watchedBy(target);
    const query = target.split('?')[1];
    if (seen.has(path) || !new URLSearchParams(query).has('watch')) return;
    const asked = now() - MOMENT;
    seen.set(path, () => asked);
  }

  function send(request: TransportRequest): Promise<TransportAnswer> {
    request.signal?.throwIfAborted();
    return new Promise((resolve, reject) => {
      let giveUp = () => {};
      const stopTimer = from.after(request.timeoutMilliseconds, () => end(new SocketError('UND_ERR_HEADERS_TIMEOUT')));
      const onAbort = () => end(request.signal?.reason);
      function settled(): void {
        stopTimer();
        request.signal?.removeEventListener('abort', onAbort);
      }
      function end(error: unknown): void {
        giveUp();
        settled();
        reject(connectionError(error, request.signal));
      }
      request.signal?.addEventListener('abort', onAbort, { once: true });
      const { method, path } = request;
      noteWatch(path);
      const asked = {
        method,
        path,
        user: from.name,
        ...(request.headers['content-type'] !== undefined && { contentType: request.headers['content-type'] }),
        ...(request.headers.accept !== undefined && { accept: request.headers.accept }),
        ...(request.body !== undefined && { body: request.body }),
      };
      giveUp = network.carry<ApiserverAnswer>(
        from,
        { to: 'kubernetes', verb: method, route: routeOf(method, path), target: path, body: request.body },
        {
          onWire: request.onWire,
          arrive: (fault) => dated(refusalOf(fault) ?? apiserver.handle(asked)),
          answered(answer) {
            settled();
            const { status, headers } = answer;
            if ('watch' in answer) resolve({ statusCode: status, headers, body: stream(answer.watch, request) });
            else resolve({ statusCode: status, headers, body: whole(answer.body) });
          },
          failed: end,
        },
      );
    });
  }

  /** As every answer is; in whole seconds. */
  function dated(answer: ApiserverAnswer): ApiserverAnswer {
    const second = Math.floor(wall() / 1000);
    if (second !== date.second) date = { second, text: new Date(second * 1000).toUTCString() };
    return { ...answer, headers: { ...answer.headers, date: date.text } };
  }

  return {
    transport: () => ({ send: async (request) => send(request), close: async () => {} }),
    watches: {
      cut: () => [...open].forEach((watch) => watch.cut()),
      freeze: (milliseconds) => [...open].forEach((watch) => watch.freeze(milliseconds)),
      // What changes in this very moment, before or after it is asked, has reached nobody yet.
      seenUntil: () => Math.min(now() - MOMENT, ...[...seen.values()].map((until) => until())),
    },
  };
}

function whole(text: string): TransportAnswer['body'] {
  return {
    async *[Symbol.asyncIterator]() {
      yield Buffer.from(text);
    },
    text: async () => text,
  };
}

const reasons: Readonly<Record<KubernetesRefusal, string>> = {
  403: 'Forbidden',
  409: 'Conflict',
  410: 'Expired',
  429: 'TooManyRequests',
  500: 'InternalError',
  503: 'ServiceUnavailable',
  504: 'Timeout',
};

function refusalOf(fault: ArmedFault | undefined): ApiserverAnswer | undefined {
  if (typeof fault?.fault !== 'object' || !('kubernetes' in fault.fault)) return undefined;
  const code = fault.fault.kubernetes;
  const status = {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    message: 'simulated',
    reason: reasons[code],
    code,
  };
  const headers = { 'content-type': 'application/json', ...(code === 429 && { 'retry-after': '1' }) };
  return { status: code, headers, body: JSON.stringify(status) };
}

const verbs: Readonly<Record<string, string>> = { POST: 'create', PUT: 'update', PATCH: 'patch', DELETE: 'delete' };

/** What a request is about, such as `patch sims/status`, `list secrets`, `watch sims`, `get leases`. */
export function routeOf(method: string, target: string): string {
  const [path = '', query = ''] = target.split('?');
  const parts = path.split('/').filter((part) => part !== '');
  const rest = parts.slice(parts[0] === 'api' ? 2 : 3);
  // `namespaces/a/sims/b/status`, but `namespaces/a` is a namespace itself.
  const [plural = '', name, subresource] = rest[0] === 'namespaces' && rest.length > 2 ? rest.slice(2) : rest;
  const resource = subresource === undefined ? plural : `${plural}/${subresource}`;
  if (method !== 'GET') return `${verbs[method] ?? method} ${resource}`;
  if (/(^|&)watch=(true|1)/.test(query)) return `watch ${resource}`;
  return `${name === undefined ? 'list' : 'get'} ${resource}`;
}

/** What a watch is of: a path, of which there may be several, each of one name. */
function watchedBy(target: string): string {
  const [path = '', query] = target.split('?');
  return `${path} ${new URLSearchParams(query).get('fieldSelector') ?? ''}`;
}
