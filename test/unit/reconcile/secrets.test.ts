import { createServer, type ServerResponse } from 'node:http';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { systemClock } from '../../../src/clock.ts';
import { createKubeClient, type KubeClient } from '../../../src/kubernetes/client.ts';
import { createSecretReader } from '../../../src/reconcile/secrets.ts';
import { eventually } from '../../support/kubernetes.ts';
import { connectionTo } from '../kubernetes/fake-apiserver.ts';

/** Reads that came in and were not answered yet. */
const reads: ServerResponse[] = [];
const server = createServer((_, response) => void reads.push(response));
let client: KubeClient;
beforeEach(async () => {
  const port = await new Promise<number>((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      resolve(typeof address === 'object' && address ? address.port : 0);
    });
  });
  client = createKubeClient({
    connection: connectionTo(`http://127.0.0.1:${port}`),
    userAgent: 'edgeline/1',
    fieldManager: 'edgeline',
    clock: systemClock,
    random: () => 0,
  });
});
afterEach(async () => {
  await client.close();
  server.close();
});

function answer(resourceVersion: string): void {
  const metadata = { name: 'tls', namespace: 'web', uid: 'one', resourceVersion };
  reads
    .shift()
    ?.writeHead(200, { 'content-type': 'application/json' })
    .end(JSON.stringify({ apiVersion: 'v1', kind: 'Secret', metadata, data: {} }));
}

test('a read that began before a change was seen is shared by nobody who asks after it', async () => {
  let seen = '1';
  const reader = createSecretReader(client, () => seen);
  const read = async () => (await reader.read('web', 'tls'))?.resourceVersion;
  const before = [read(), read()];
  await eventually(() => expect(reads).toHaveLength(1));
  seen = '2';
  const after = [read(), read()];
  await eventually(() => expect(reads).toHaveLength(2));
  answer('1');
  answer('2');
  expect(await Promise.all([...before, ...after])).toEqual(['1', '1', '2', '2']);
});
