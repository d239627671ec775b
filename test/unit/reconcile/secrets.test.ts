import { createServer, type ServerResponse } from 'node:http';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { systemClock } from '../../../src/clock.ts';
import { createKubeClient, type KubeClient } from '../../../src/kubernetes/client.ts';
import { createTransport } from '../../../src/kubernetes/transport.ts';
import { createSecretReader, type SecretContent, SecretRefusedError } from '../../../src/reconcile/secrets.ts';
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
    transport: createTransport(connectionTo(`http://127.0.0.1:${port}`)),
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

function answer(
  { name, resourceVersion }: { name: string; resourceVersion: string },
  data: object,
  type?: string,
): void {
  const metadata = { name, namespace: 'web', uid: 'one', resourceVersion };
  reads
    .shift()
    ?.writeHead(200, { 'content-type': 'application/json' })
    .end(JSON.stringify({ apiVersion: 'v1', kind: 'Secret', metadata, data, type }));
}

it('a read that began before a change was seen is shared by nobody who asks after it', async () => {
  let seen = '1';
  const reader = createSecretReader(client, () => seen, systemClock);
  const read = async () => (await reader.read('web', 'tls'))?.resourceVersion;
  const before = [read(), read()];
  await eventually(() => expect(reads).toHaveLength(1));
  seen = '2';
  const after = [read(), read()];
  await eventually(() => expect(reads).toHaveLength(2));
  answer({ name: 'tls', resourceVersion: '1' }, {});
  answer({ name: 'tls', resourceVersion: '2' }, {});
  expect(await Promise.all([...before, ...after])).toEqual(['1', '1', '2', '2']);
});

it.each([
  ['kubernetes.io/service-account-token', false],
  ['kubernetes.io/dockerconfigjson', false],
  ['helm.sh/release.v1', false],
  ['kubernetes.io/basic-auth', true],
  ['Opaque', true],
])('a Secret of the type %s is read: %s', async (type, isRead) => {
  const reading = createSecretReader(client, () => '1', systemClock).read('fleet', 's');
  const told = reading.then(
    (secret) => secret?.type,
    (error: unknown) => (error instanceof SecretRefusedError ? 'refused' : error),
  );
  await eventually(() => expect(reads).toHaveLength(1));
  answer({ name: 's', resourceVersion: '1' }, {}, type);
  await expect(told).resolves.toBe(isRead ? type : 'refused');
});

/** A Secret that holds these bytes under `key`. */
async function holding(value: string | Buffer): Promise<SecretContent> {
  const data = { key: Buffer.from(value).toString('base64') };
  const reading = createSecretReader(client, () => '1', systemClock).read('fleet', 's');
  await eventually(() => expect(reads).toHaveLength(1));
  answer({ name: 's', resourceVersion: '1' }, data);
  const secret = await reading;
  if (!secret) throw new Error('there is a Secret');
  return secret;
}

const refused =
  'The value under "key" in the Secret s in namespace fleet has line breaks or other control characters in it, or is not UTF-8';

describe('a value in a Secret', () => {
  it.each([
    ['0123', '0123', '0123'],
    ['0123\n', '0123', '0123'],
    ['0123\r\n', '0123', '0123'],
    ['\uFEFF0123\n\n', '0123', '\uFEFF0123'],
    [' any text \n', 'any text', ' any text '],
    ['\n', undefined, undefined],
    [' ', undefined, ' '],
    ['', undefined, undefined],
  ])('%j is %j as a word and %j as a line', async (value, word, line) => {
    const secret = await holding(value);
    expect([secret.word('key')?.reveal(), secret.line('key')?.reveal()]).toEqual([word, line]);
  });

  it.each(['constructor', '__proto__', 'toString'])('is not there under %s, which every object has', async (key) => {
    const secret = await holding('0123');
    expect([secret.get(key), secret.word(key), secret.line(key)]).toEqual([undefined, undefined, undefined]);
  });

  it.each([
    ['two lines', 'truck 17\n0123'],
    ['a NUL', '01\u000023'],
    ['UTF-16, as a shell of Windows writes it', Buffer.from('0123', 'utf16le')],
    ['no text', Buffer.from([0xff, 0xfe, 0x30])],
  ])('of %s is refused, and not shown', async (_, value) => {
    const secret = await holding(value);
    for (const read of [() => secret.word('key'), () => secret.line('key')]) expect(read).toThrow(refused);
  });
});
