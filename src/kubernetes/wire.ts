import { EdgelineError, messageOf } from '../errors.ts';
import { KubeError } from './errors.ts';

export type HttpMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** One HTTP request to the apiserver; `path` begins after the server's own path and carries the query. */
export interface TransportRequest {
  method: HttpMethod;
  path: string;
  headers: Record<string, string>;
  body?: string;
  signal?: AbortSignal | undefined;
  /** How long to wait for headers, and between any two parts of the body. Milliseconds. */
  timeoutMilliseconds: number;
  /**
   * Called when a connection is open and the request is written next, in the same turn of the event loop. Where it throws
   * nothing is sent, and the request ends with what it threw.
   */
  onWire?: (() => void) | undefined;
  /** Bodies that go on for minutes have connections of their own, so they never hold up a short request. */
  streaming?: boolean;
}

export interface TransportAnswer {
  readonly statusCode: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /**
   * Read once. Fails with what cut it; an error of code `UND_ERR_BODY_TIMEOUT` says that nothing came for
   * `timeoutMilliseconds`.
   */
  readonly body: AsyncIterable<Buffer> & { text(): Promise<string> };
}

/** The way to one apiserver. */
export interface Transport {
  /** Throws `KubeError` with reason `ConnectionFailed`, or the signal's reason when aborted. */
  send(request: TransportRequest): Promise<TransportAnswer>;
  close(): Promise<void>;
}

const NEVER_SENT = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'UND_ERR_CONNECT_TIMEOUT']);

/** What became of a request or a body that ended without the apiserver's word. */
export function connectionError(error: unknown, signal?: AbortSignal): unknown {
  if (signal?.aborted) return signal.reason;
  // Ours already: the apiserver's refusal, or a fence that let nothing through.
  if (error instanceof EdgelineError) return error;
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return new KubeError({
    status: 0,
    reason: 'ConnectionFailed',
    message: `no answer from the Kubernetes API server: ${messageOf(error) || code}`,
    notSent: NEVER_SENT.has(code),
    cause: error,
  });
}
