import type { TransportAnswer } from '../../kubernetes/wire.ts';

/** A body that comes bit by bit, as that of a watch. */
export interface StreamBody {
  readonly body: TransportAnswer['body'];
  push(text: string): void;
  end(): void;
  fail(error: unknown): void;
}

/** `onLeft` is called once nobody reads any more, or there is nothing more to read. */
export function createStreamBody(onLeft: () => void): StreamBody {
  const chunks: Buffer[] = [];
  let over: { readonly error?: unknown } | undefined;
  let reader: { resolve(result: IteratorResult<Buffer>): void; reject(error: unknown): void } | undefined;

  function finish(how: { readonly error?: unknown }): void {
    if (over) return;
    over = how;
    const waiting = reader;
    reader = undefined;
    if (waiting) {
      if ('error' in how) waiting.reject(how.error);
      else waiting.resolve({ done: true, value: undefined });
    }
    onLeft();
  }

  const iterator: AsyncIterator<Buffer> = {
    async next() {
      const chunk = chunks.shift();
      if (chunk) return { done: false, value: chunk };
      if (!over) {
        return new Promise<IteratorResult<Buffer>>((resolve, reject) => {
          reader = { resolve, reject };
        });
      }
      if ('error' in over) throw over.error;
      return { done: true, value: undefined };
    },
    async return() {
      finish({});
      return { done: true, value: undefined };
    },
  };
  return {
    body: {
      [Symbol.asyncIterator]: () => iterator,
      async text() {
        throw new Error('a stream is not read as a text');
      },
    },
    push(text) {
      if (over) return;
      const chunk = Buffer.from(text);
      const waiting = reader;
      reader = undefined;
      if (waiting) waiting.resolve({ done: false, value: chunk });
      else chunks.push(chunk);
    },
    end: () => finish({}),
    fail: (error) => finish({ error }),
  };
}
