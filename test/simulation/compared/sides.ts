import type { KubeConnection } from '../../../src/kubernetes/config.ts';
import { createTransport } from '../../../src/kubernetes/transport.ts';
import { readLines } from '../../../src/kubernetes/watch-stream.ts';
import type { Apiserver, ApiserverRequest } from '../../../src/shadow/apiserver/apiserver.ts';
import { ADMIN } from './parts.ts';

/** An answer, with its JSON read; text stays text. */
export interface Answer {
  readonly status: number;
  readonly body: unknown;
}

/** A watch under way: the events so far, as they are read. */
export interface Watching {
  readonly events: unknown[];
  stop(): void;
}

/** One of the two that are compared. */
export interface Side {
  ask(request: ApiserverRequest): Promise<Answer>;
  watch(request: ApiserverRequest): Promise<Watching>;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** The apiserver in memory. */
export function memorySide(server: Apiserver): Side {
  return {
    async ask(request) {
      const answer = server.handle(request);
      if ('watch' in answer) throw new Error('a watch was begun');
      return { status: answer.status, body: parsed(answer.body) };
    },
    async watch(request) {
      const answer = server.handle(request);
      if (!('watch' in answer)) throw new Error(answer.body);
      const events: unknown[] = [];
      answer.watch.subscribe({ line: (line) => void events.push(parsed(line)), end() {} });
      return { events, stop: () => answer.watch.cancel() };
    },
  };
}

/** The real one. Users other than the administrator are impersonated. */
export function realSide(connection: KubeConnection): Side & { close(): Promise<void> } {
  const transport = createTransport(connection);
  const headersOf = ({ accept = 'application/json', contentType, body, user }: ApiserverRequest) => ({
    accept,
    'user-agent': 'edgeline-test',
    ...(body === undefined ? {} : { 'content-type': contentType ?? 'application/json' }),
    ...(user === ADMIN ? {} : { 'impersonate-user': user }),
  });
  return {
    async ask(request) {
      const answer = await transport.send({
        method: request.method,
        path: request.path,
        headers: headersOf(request),
        ...(request.body === undefined ? {} : { body: request.body }),
        timeoutMilliseconds: 30_000,
      });
      return { status: answer.statusCode, body: parsed(await answer.body.text()) };
    },
    async watch(request) {
      const stopping = new AbortController();
      const answer = await transport.send({
        method: 'GET',
        path: request.path,
        headers: headersOf(request),
        signal: stopping.signal,
        streaming: true,
        timeoutMilliseconds: 300_000,
      });
      const events: unknown[] = [];
      const read = async () => {
        for await (const line of readLines(answer.body)) events.push(parsed(line));
      };
      read().catch(() => undefined);
      return { events, stop: () => stopping.abort(new Error('the test is over')) };
    },
    close: () => transport.close(),
  };
}
