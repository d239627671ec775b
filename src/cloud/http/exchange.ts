import type { Dispatcher } from 'undici';
import { AnswerGaveWay, AnswerTooLarge, errorBodyBytes } from './answer-bounds.ts';
import type { AnswerPool } from './answer-pool.ts';
import type { WireDispatcher } from './dispatcher.ts';

/** An answer as it came. */
export interface RawAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Buffer;
}

/** One request on its way. */
export interface Exchange {
  /** Rejects with what `onWire` threw, the reason given to `end`, AnswerTooLarge, AnswerGaveWay, or undici's errors. */
  readonly answer: Promise<RawAnswer>;
  /** Whether the request was written, in whole or in part. */
  isWritten(): boolean;
  /** Gives it up; what was not written yet never is. */
  end(reason: unknown): void;
}

/** Most answers are shorter, and what is smaller than this Node takes from a pool. */
const FIRST_BYTES = 2 * 1024;
const NOTHING: Buffer = Buffer.alloc(0);

/**
 * Sends a request. `onWire` is called when a connection is open and the request is written next, in the same turn of
 * the event loop; where it throws nothing is written. `bytes` bounds the body of a success; of another answer only the
 * beginning is read.
 */
export function startExchange(
  dispatcher: WireDispatcher,
  request: Dispatcher.DispatchOptions,
  options: { readonly bytes: number; readonly onWire: () => void; readonly pool: AnswerPool },
): Exchange {
  let isWritten = false;
  let isOver = false;
  let controller: Dispatcher.DispatchController | undefined;
  let status = 0;
  let headers: RawAnswer['headers'] = {};
  let body = NOTHING;
  let length = 0;
  let settle: { resolve(answer: RawAnswer): void; reject(reason: unknown): void } | undefined;
  const answer = new Promise<RawAnswer>((resolve, reject) => {
    settle = { resolve, reject };
  });
  const share = options.pool.join(() => end(new AnswerGaveWay('too much at once')));

  function end(reason: unknown): void {
    if (isOver) return;
    isOver = true;
    body = NOTHING;
    share.leave();
    settle?.reject(reason);
    controller?.abort(new Error('given up'));
  }

  function finish(): void {
    if (isOver) return;
    isOver = true;
    share.leave();
    settle?.resolve({ status, headers, body: body.subarray(0, length) });
  }

  /** Into one buffer that grows: pieces of one byte each would cost a hundred times what they hold. */
  function append(chunk: Buffer): void {
    if (length + chunk.length > body.length) {
      const most = Math.max(options.bytes, errorBodyBytes);
      const size = Math.min(most, Math.max(FIRST_BYTES, 2 * body.length, length + chunk.length));
      share.grow(size - body.length);
      if (isOver) return;
      const grown = Buffer.allocUnsafe(size);
      body.copy(grown, 0, 0, length);
      body = grown;
    }
    chunk.copy(body, length);
    length += chunk.length;
  }

  const isSuccess = () => status >= 200 && status < 300;
  dispatcher.dispatch(request, {
    onRequestStart(started) {
      if (isOver) throw new Error('given up before it was sent');
      // A connection that closes may make the dispatcher begin anew: whether to repeat is decided elsewhere.
      if (isWritten) throw new Error('the connection was closed');
      options.onWire();
      isWritten = true;
      controller = started;
    },
    onResponseStart(_, code, received) {
      if (code < 200) return;
      status = code;
      headers = received;
      const announced = Number(received['content-length']);
      if (isSuccess() && announced > options.bytes) end(new AnswerTooLarge(announced, options.bytes));
    },
    onResponseData(_, chunk) {
      if (isOver) return;
      const room = (isSuccess() ? options.bytes : errorBodyBytes) - length;
      if (chunk.length <= room) return append(chunk);
      if (isSuccess()) return end(new AnswerTooLarge(undefined, options.bytes));
      append(chunk.subarray(0, room));
      finish();
      controller?.abort(new Error('enough was read'));
    },
    onResponseEnd: () => finish(),
    onResponseError: (_, error) => end(error),
  });
  return { answer, isWritten: () => isWritten, end };
}
