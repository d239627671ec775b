import type { IncomingMessage } from 'node:http';
import { ApiError } from './api-error.ts';

const LARGEST_BODY_BYTES = 2 * 1024 * 1024;

/** The body as text; `''` without one; 413 beyond 2 MiB. */
export function readBody(request: IncomingMessage): Promise<string> {
  const { headers } = request;
  if (headers['content-length'] === undefined && headers['transfer-encoding'] === undefined) {
    request.resume();
    return Promise.resolve('');
  }
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    request.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size <= LARGEST_BODY_BYTES) chunks.push(chunk);
    });
    request.on('end', () => {
      if (size > LARGEST_BODY_BYTES) reject(new ApiError(413, 'request_too_large', 'the body: write at most 2 MiB'));
      else resolve(Buffer.concat(chunks).toString('utf8'));
    });
    request.on('error', reject);
  });
}
