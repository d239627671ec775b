import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Clock } from '../../../src/clock.ts';
import type { KubeConnection } from '../../../src/kubernetes/config.ts';
import type { KubernetesObject } from '../../../src/kubernetes/objects.ts';

export interface Widget extends KubernetesObject {
  spec?: { size: number };
}

export interface SeenRequest {
  method: string;
  path: string;
  query: Record<string, string>;
  headers: IncomingMessage['headers'];
  body: string;
}

type Answer = { status: number; body?: object | string; headers?: Record<string, string> } | 'cut' | 'hang';

/**
 * Plays the apiserver for one kind of object, with a history to watch and everything that can go wrong: its answers can
 * be replaced one by one, its watches be cut, ended or left silent, its history be forgotten.
 */
export async function startFakeApiserver() {
  const objects = new Map<string, Widget>();
  const history: { version: number; type: string; object: Widget }[] = [];
  const watches = new Set<{ response: ServerResponse; namespace: string | undefined }>();
  const deaf = new Set<ServerResponse>();
  const requests: SeenRequest[] = [];
  const scripted: { matches: (request: SeenRequest) => boolean; answer: Answer }[] = [];
  let version = 100;
  let oldest = 0;
  let uids = 0;

  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://localhost');
    let body = '';
    request.on('data', (chunk: Buffer) => {
      body += chunk.toString();
    });
    request.on('end', () => {
      const seen: SeenRequest = {
        method: request.method ?? '',
        path: url.pathname,
        query: Object.fromEntries(url.searchParams),
        headers: request.headers,
        body,
      };
      requests.push(seen);
      const index = scripted.findIndex(({ matches }) => matches(seen));
      const script = index === -1 ? undefined : scripted.splice(index, 1)[0];
      if (script) play(script.answer, response);
      else serve(seen, response);
    });
  });

  function play(answer: Answer, response: ServerResponse): void {
    if (answer === 'hang') return;
    if (answer === 'cut') {
      response.destroy();
      return;
    }
    json(response, answer.status, answer.body ?? status(answer.status), answer.headers);
  }

  function serve(request: SeenRequest, response: ServerResponse): void {
    const namespace = /\/namespaces\/([^/]+)\/widgets/.exec(request.path)?.[1];
    const inScope = (object: Widget) => namespace === undefined || object.metadata.namespace === namespace;
    if (request.query.watch === 'true') {
      const from = Number(request.query.resourceVersion);
      response.writeHead(200, { 'content-type': 'application/json' });
      response.flushHeaders();
      if (from < oldest) {
        response.end(
          line('ERROR', { kind: 'Status', code: 410, reason: 'Expired', message: 'too old resource version' }),
        );
        return;
      }
      for (const event of history) {
        if (event.version > from && inScope(event.object)) response.write(line(event.type, event.object));
      }
      const watch = { response, namespace };
      watches.add(watch);
      response.on('close', () => watches.delete(watch));
      return;
    }
    const fields = new Map(
      (request.query.fieldSelector ?? '').split(',').map((field) => {
        const [name = '', value = ''] = field.split('=');
        return [name, value] as const;
      }),
    );
    const isSelected = ({ metadata }: Widget) =>
      (fields.get('metadata.name') ?? metadata.name) === metadata.name &&
      (fields.get('metadata.namespace') ?? metadata.namespace) === metadata.namespace;
    const all = [...objects.values()].filter((object) => inScope(object) && isSelected(object));
    const [at = 0, listVersion = version] = (request.query.continue ?? '').split(':').filter(Boolean).map(Number);
    const end = request.query.limit === undefined ? all.length : at + Number(request.query.limit);
    json(response, 200, {
      kind: 'WidgetList',
      metadata: {
        resourceVersion: String(listVersion),
        ...(end < all.length ? { continue: `${end}:${listVersion}` } : {}),
      },
      items: all.slice(at, end),
    });
  }

  function publish(type: string, object: Widget): void {
    history.push({ version: Number(object.metadata.resourceVersion), type, object });
    for (const { response, namespace } of watches) {
      if (namespace === undefined || namespace === object.metadata.namespace) response.write(line(type, object));
    }
  }

  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;

  return {
    requests,
    connection: connectionTo(`http://127.0.0.1:${port}`),
    /** How many watches are open. */
    get watching() {
      return watches.size;
    },
    /** The next request that matches gets this answer instead of the right one. */
    script(matches: (request: SeenRequest) => boolean, answer: Answer): void {
      scripted.push({ matches, answer });
    },
    /** Creates or changes an object and tells the watches; gives it as the apiserver would. */
    put(namespace: string, name: string, size: number, metadata: Partial<Widget['metadata']> = {}): Widget {
      const before = objects.get(`${namespace}/${name}`);
      const object: Widget = {
        apiVersion: 'example.dev/v1',
        kind: 'Widget',
        metadata: {
          name,
          namespace,
          uid: before?.metadata.uid ?? `uid-${++uids}`,
          resourceVersion: String(++version),
          ...metadata,
        },
        spec: { size },
      };
      objects.set(`${namespace}/${name}`, object);
      publish(before ? 'MODIFIED' : 'ADDED', object);
      return object;
    },
    remove(namespace: string, name: string): void {
      const before = objects.get(`${namespace}/${name}`);
      if (!before) throw new Error(`no ${namespace}/${name}`);
      objects.delete(`${namespace}/${name}`);
      publish('DELETED', { ...before, metadata: { ...before.metadata, resourceVersion: String(++version) } });
    },
    /** Sends a bookmark at a version ahead of every object. */
    bookmark(): string {
      version += 10;
      for (const { response } of watches) {
        response.write(line('BOOKMARK', { kind: 'Widget', metadata: { resourceVersion: String(version) } }));
      }
      return String(version);
    },
    /** Changes made from here on are not told to the watches open now, as over a connection half open. */
    deafen(): void {
      for (const watch of watches) deaf.add(watch.response);
      watches.clear();
    },
    cutWatches(): void {
      for (const response of deaf) response.destroy();
      for (const { response } of watches) response.destroy();
    },
    endWatches(): void {
      for (const { response } of watches) response.end();
    },
    /** Forgets the history: whoever watches from before now is told 410. */
    compact(): void {
      oldest = version;
      history.length = 0;
    },
    /** A backup of all objects; `restore` puts it back: versions begin again where they were, and watches are cut. */
    backUp(): { restore(): void } {
      const [saved, at] = [new Map(objects), version];
      return {
        restore: () => {
          objects.clear();
          for (const [key, object] of saved) objects.set(key, object);
          version = at;
          history.length = 0;
          for (const { response } of watches) response.destroy();
        },
      };
    },
    write(text: string): void {
      for (const { response } of watches) response.write(text);
    },
    async close(): Promise<void> {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

export type FakeApiserver = Awaited<ReturnType<typeof startFakeApiserver>>;

export const WIDGETS = { group: 'example.dev', version: 'v1', plural: 'widgets', kind: 'Widget', namespaced: true };

export function connectionTo(server: string): KubeConnection & { refreshed: number } {
  const tls = { skipVerify: false };
  return {
    server,
    tls: () => tls,
    headers: async () => ({ authorization: 'Bearer test' }),
    refreshed: 0,
    refresh() {
      this.refreshed++;
    },
    namespace: 'default',
  };
}

/** A clock that never waits, and remembers how long it was asked to. */
export function impatientClock(): Clock & { slept: number[] } {
  const slept: number[] = [];
  return {
    slept,
    now: () => Date.now(),
    monotonic: () => performance.now(),
    async sleep(milliseconds, signal) {
      slept.push(milliseconds);
      await new Promise((resolve) => setTimeout(resolve, 5));
      signal?.throwIfAborted();
    },
    after(milliseconds, action) {
      slept.push(milliseconds);
      const timer = setTimeout(action, 5);
      return () => clearTimeout(timer);
    },
  };
}

function status(code: number): object {
  return { kind: 'Status', apiVersion: 'v1', code, message: `answered ${code}` };
}

function line(type: string, object: object): string {
  return `${JSON.stringify({ type, object })}\n`;
}

function json(
  response: ServerResponse,
  code: number,
  body: object | string,
  headers: Record<string, string> = {},
): void {
  response.writeHead(code, { 'content-type': 'application/json', ...headers });
  response.end(typeof body === 'string' ? body : JSON.stringify(body));
}

/** Waits for something to become true, for at most twenty seconds. */
export async function until(condition: () => boolean, what = 'the condition'): Promise<void> {
  const deadline = performance.now() + 20_000;
  while (!condition()) {
    if (performance.now() > deadline) throw new Error(`waited in vain for ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}
