import { KubeError, reasonForStatus } from './errors.ts';
import { parseJson } from './json.ts';

/** One line of a watch. A bookmark carries a resource version and nothing else. */
export type WatchEvent<T> =
  | { type: 'ADDED' | 'MODIFIED' | 'DELETED'; object: T }
  | { type: 'BOOKMARK'; resourceVersion: string };

/** The `metav1.Status` of an error. */
export interface StatusBody {
  kind?: string;
  message?: string;
  reason?: string;
  code?: number;
  details?: { name?: string; kind?: string; retryAfterSeconds?: number };
  metadata?: { continue?: string };
}

const NEWLINE = 0x0a;

/**
 * Splits a body of newline-separated JSON as it arrives. An object that spans chunks is joined once, when its end
 * comes; a line cut off by the end of the body is dropped, for the next watch brings it again.
 */
export async function* readLines(body: AsyncIterable<Buffer>): AsyncGenerator<string> {
  let parts: Buffer[] = [];
  for await (const chunk of body) {
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, start)) {
      const tail = chunk.subarray(start, end);
      start = end + 1;
      if (parts.length === 0) {
        if (tail.length > 0) yield tail.toString('utf8');
        continue;
      }
      parts.push(tail);
      const line = Buffer.concat(parts).toString('utf8');
      parts = [];
      yield line;
    }
    if (start < chunk.length) parts.push(chunk.subarray(start));
  }
}

/** Reads a watch's body. Throws `KubeError` when the apiserver ends it with an error, such as 410. */
export async function* readWatch<T>(body: AsyncIterable<Buffer>, kind: string): AsyncGenerator<WatchEvent<T>> {
  for await (const line of readLines(body)) {
    const event = parseEvent<T>(line, kind);
    switch (event.type) {
      case 'ADDED':
      case 'MODIFIED':
      case 'DELETED':
        yield event;
        break;
      case 'BOOKMARK':
        yield { type: 'BOOKMARK', resourceVersion: event.object.metadata.resourceVersion };
        break;
      case 'ERROR':
        throw statusError(event.object.code ?? 500, event.object, kind);
      default:
        // An event type of the future changes nothing we keep.
        break;
    }
  }
}

type RawEvent<T> =
  | { type: 'ADDED' | 'MODIFIED' | 'DELETED'; object: T }
  | { type: 'BOOKMARK'; object: { metadata: { resourceVersion: string } } }
  | { type: 'ERROR'; object: StatusBody };

// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- the caller's type for the object inside
function parseEvent<T>(line: string, kind: string): RawEvent<T> {
  try {
    return parseJson<RawEvent<T>>(line);
  } catch (error) {
    throw new KubeError({
      status: 0,
      reason: 'UnexpectedAnswer',
      message: 'a line of the watch is not JSON',
      kind,
      cause: error,
    });
  }
}

/** Turns the body of an error answer into a `KubeError`; `body` may be a proxy's page that says nothing. */
export function statusError(
  status: number,
  body: StatusBody | undefined,
  kind?: string,
  objectName?: string,
  retryAfterSeconds?: number,
): KubeError {
  const retryAfter = retryAfterSeconds ?? body?.details?.retryAfterSeconds;
  return new KubeError({
    status,
    reason: body?.reason || reasonForStatus(status),
    message: body?.message || `the Kubernetes API server answered ${status}`,
    ...(kind === undefined ? {} : { kind }),
    ...(objectName === undefined ? {} : { objectName }),
    ...(retryAfter === undefined ? {} : { retryAfterSeconds: retryAfter }),
  });
}
