import { connect as connectTCP, type Socket } from 'node:net';
import { connect as connectTLS } from 'node:tls';

/** What came back: a whole answer, or the end of the connection. */
export interface RawAnswer {
  /** HTTP status; 0 when the connection ended without an answer. */
  readonly status: number;
  readonly body: string;
  /** False when nothing came in time. */
  readonly inTime: boolean;
}

/** Writes bytes as they are, which no HTTP client does, and reads one answer to them. */
export interface RawClient {
  send(bytes: Buffer): Promise<RawAnswer>;
  /** Writes the bytes and ends the connection without waiting. */
  abandon(bytes: Buffer): Promise<void>;
  close(): void;
}

export function createRawClient(server: { readonly port: number; readonly ca?: string }, patience: number): RawClient {
  let socket: Socket | undefined;

  function connection(): Promise<Socket> {
    if (socket && !socket.destroyed && socket.writable && socket.readable) return Promise.resolve(socket);
    return new Promise((resolve, reject) => {
      const { port, ca } = server;
      const made: Socket =
        ca === undefined
          ? connectTCP({ port, host: '127.0.0.1' }, () => resolve(made))
          : connectTLS({ port, host: '127.0.0.1', ca, servername: 'localhost' }, () => resolve(made));
      made.on('error', reject);
      made.setNoDelay(true);
      socket = made;
    });
  }

  async function once(bytes: Buffer): Promise<RawAnswer & { fresh: boolean }> {
    const reused = socket !== undefined && !socket.destroyed;
    const open = await connection();
    return new Promise((resolve) => {
      let received: Buffer = Buffer.alloc(0);
      const timer = setTimeout(() => end({ status: 0, body: '', inTime: false }, true), patience);
      const onData = (data: Buffer) => {
        received = received.length === 0 ? data : Buffer.concat([received, data]);
        const answer = answerIn(received);
        if (answer) end(answer, answer.closes || answer.rest > 0);
      };
      const onClose = () => end({ status: 0, body: '', inTime: true }, true);
      open.on('data', onData).once('close', onClose).once('end', onClose);
      open.write(bytes);
      function end(answer: RawAnswer, destroy: boolean): void {
        clearTimeout(timer);
        open.off('data', onData).off('close', onClose).off('end', onClose);
        if (destroy) open.destroy();
        resolve({ status: answer.status, body: answer.body, inTime: answer.inTime, fresh: !reused });
      }
    });
  }

  return {
    async send(bytes) {
      const answer = await once(bytes);
      // A connection that was kept may have been ended by the request before.
      return answer.status === 0 && answer.inTime && !answer.fresh ? once(bytes) : answer;
    },
    async abandon(bytes) {
      const open = await connection();
      await new Promise<void>((resolve) => open.write(bytes, () => resolve()));
      open.destroy();
    },
    close: () => socket?.destroy(),
  };
}

/** The first whole answer in the bytes. */
function answerIn(bytes: Buffer): (RawAnswer & { closes: boolean; rest: number }) | undefined {
  let from = 0;
  for (;;) {
    const headEnd = bytes.indexOf('\r\n\r\n', from);
    if (headEnd < 0) return undefined;
    const head = bytes.toString('latin1', from, headEnd);
    const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(head)?.[1] ?? 0);
    if (status >= 100 && status < 200) {
      from = headEnd + 4;
      continue;
    }
    const closes = /^connection: close/im.test(head);
    const start = headEnd + 4;
    const length = /^content-length: (\d+)/im.exec(head)?.[1];
    if (length !== undefined) {
      const end = start + Number(length);
      if (bytes.length < end) return undefined;
      return { status, body: bytes.toString('utf8', start, end), inTime: true, closes, rest: bytes.length - end };
    }
    if (/^transfer-encoding: chunked/im.test(head)) return chunked(bytes, start, status, closes);
    return { status, body: '', inTime: true, closes: true, rest: 0 };
  }
}

function chunked(bytes: Buffer, start: number, status: number, closes: boolean) {
  const parts: Buffer[] = [];
  for (let at = start; ; ) {
    const lineEnd = bytes.indexOf('\r\n', at);
    if (lineEnd < 0) return undefined;
    const size = Number.parseInt(bytes.toString('latin1', at, lineEnd), 16);
    const next = lineEnd + 2 + size + 2;
    if (bytes.length < next) return undefined;
    if (size === 0) {
      return { status, body: Buffer.concat(parts).toString('utf8'), inTime: true, closes, rest: bytes.length - next };
    }
    parts.push(bytes.subarray(lineEnd + 2, lineEnd + 2 + size));
    at = next;
  }
}
