import { readdirSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import * as z from 'zod';

/** The etcd of a control plane that was started with this directory for short-lived files. */
export interface Etcd {
  /** Forgets all that was before now. */
  compact(): Promise<void>;
}

/** Undefined where it has no socket there, as one of its own programs has none. */
export function etcdIn(directory: string): Etcd | undefined {
  const [place] = readdirSync(directory).filter((name) => /^ke\d+$/.test(name));
  if (place === undefined) return undefined;
  const socketPath = join(directory, place, 'c');
  const ask = (path: string, body: object) => asked(socketPath, path, JSON.stringify(body));
  return {
    async compact() {
      const { header } = z
        .object({ header: z.object({ revision: z.string() }) })
        .parse(JSON.parse(await ask('/v3/kv/range', { key: Buffer.from('/').toString('base64'), limit: 1 })));
      await ask('/v3/kv/compaction', { revision: header.revision, physical: true });
    },
  };
}

function asked(socketPath: string, path: string, body: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const sent = request({ socketPath, path, method: 'POST', headers: { host: 'localhost' } }, (answer) => {
      const parts: Buffer[] = [];
      answer.on('data', (part: Buffer) => parts.push(part));
      answer.on('end', () => {
        const text = Buffer.concat(parts).toString();
        if (answer.statusCode === 200) resolve(text);
        else reject(new Error(`etcd answers ${answer.statusCode} to ${path}: ${text}`));
      });
    });
    sent.on('error', reject);
    sent.end(body);
  });
}
