import { createServer as createPlainServer } from 'node:http';
import { type AddressInfo, createServer as createTCPServer, type Server } from 'node:net';
import { inspect } from 'node:util';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { CloudClientOptions } from '../../../../src/cloud/client.ts';
import { clientOf } from '../../../support/client-of.ts';
import {
  type HTTPSServer,
  makeCertificates,
  startHTTPSServer,
  type TestCertificates,
} from '../../../support/https-server.ts';

const o = { lane: 'write' } as const;

let certificates: TestCertificates;
let server: HTTPSServer;
beforeAll(async () => {
  certificates = await makeCertificates();
  server = await startHTTPSServer(certificates);
});
afterAll(() => server.close());
beforeEach(() => {
  server.requests.length = 0;
});

async function failureOf(
  baseURL: string,
  options: Partial<CloudClientOptions> = {},
  at: TestCertificates = certificates,
) {
  const client = clientOf({ baseURL }, at, options);
  try {
    await client.sims.create({ name: 'a', iccid: '8981', passCode: 'hunter2' }, o);
    throw new Error('did not fail');
  } catch (error) {
    return error;
  } finally {
    await client.close();
  }
}

async function listening(tcp: Server): Promise<number> {
  await new Promise<void>((resolve) => tcp.listen(0, 'localhost', resolve));
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a TCP server's address is never a pipe's name
  return (tcp.address() as AddressInfo).port;
}

describe('before the request left, even a create can be repeated, and the message says what is wrong', () => {
  const retryable = (message: string, advice: string) => ({
    class: 'Retryable',
    message: expect.stringContaining(message),
    advice: expect.stringContaining(advice),
  });

  test('nothing listens', async () => {
    const tcp = createTCPServer();
    const port = await listening(tcp);
    await new Promise((resolve) => tcp.close(resolve));
    expect(await failureOf(`https://localhost:${port}`)).toMatchObject({
      class: 'Retryable',
      message: 'POST /commonserviceitem: cannot connect to localhost: the connection was refused',
      advice: expect.stringContaining('baseURL'),
    });
  });

  test('no such host', async () => {
    expect(await failureOf('https://service.invalid')).toMatchObject(retryable('service.invalid: ', 'ame resolution'));
  });

  test('a certificate of an unknown authority', async () => {
    const other = await makeCertificates();
    expect(await failureOf(server.baseURL, {}, other)).toMatchObject(
      retryable('its certificate is not trusted', 'caBundleSecretRef'),
    );
    expect(await failureOf(server.baseURL, { ca: undefined })).toMatchObject(
      retryable('its certificate is not trusted', 'caBundleSecretRef'),
    );
  });

  test('a certificate for another name', async () => {
    const other = await makeCertificates(['elsewhere.example']);
    const elsewhere = await startHTTPSServer(other);
    expect(await failureOf(elsewhere.baseURL, {}, other)).toMatchObject(
      retryable('its certificate is for another name', 'baseURL'),
    );
    await elsewhere.close();
  });

  test('an expired certificate', async () => {
    const old = await makeCertificates(['localhost'], { notBefore: new Date(0), notAfter: new Date(1) });
    const expired = await startHTTPSServer(old);
    expect(await failureOf(expired.baseURL, {}, old)).toMatchObject(retryable('its certificate has expired', 'time'));
    await expired.close();
  });

  test('plain HTTP on the port', async () => {
    const plain = createPlainServer((_, response) => response.end());
    const port = await listening(plain);
    expect(await failureOf(`https://localhost:${port}`)).toMatchObject(retryable('', 'https only'));
    await new Promise((resolve) => plain.close(resolve));
  });

  test('a port that closes at once', async () => {
    const tcp = createTCPServer((socket) => socket.destroy());
    const port = await listening(tcp);
    expect(await failureOf(`https://localhost:${port}`)).toMatchObject(retryable('before TLS was established', 'port'));
    await new Promise((resolve) => tcp.close(resolve));
  });

  test('the environment cannot switch verification off', async () => {
    const other = await makeCertificates();
    process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = '0';
    try {
      expect(await failureOf(server.baseURL, {}, other)).toMatchObject({ class: 'Retryable' });
    } finally {
      delete process.env['NODE_TLS_REJECT_UNAUTHORIZED'];
    }
  });
});

describe('after the request left, a create may have happened', () => {
  const unknown = (message: string) => ({ class: 'OutcomeUnknown', message: expect.stringContaining(message) });

  test('a cut connection', async () => {
    server.answer({ raw: (response) => response.socket?.destroy() });
    expect(await failureOf(server.baseURL)).toMatchObject(unknown('broke before the answer was complete'));
    expect(server.requests).toHaveLength(1);
  });

  test('a cut body', async () => {
    server.answer({
      raw(response) {
        response.writeHead(200, { 'content-length': '100' });
        response.write('{"is_ok"');
        setTimeout(() => response.socket?.destroy(), 10);
      },
    });
    expect(await failureOf(server.baseURL)).toMatchObject(unknown('broke before the answer was complete'));
  });

  test('no answer in time', async () => {
    server.answer({ raw: () => {} });
    expect(await failureOf(server.baseURL, { requestTimeoutSeconds: 0.1 })).toMatchObject(
      unknown('no answer within 0.1 s'),
    );
  });

  test('an answer that trickles past the time', async () => {
    let timer: NodeJS.Timeout | undefined;
    server.answer({
      raw(response) {
        response.writeHead(200);
        timer = setInterval(() => response.write(' '), 20);
        response.on('close', () => clearInterval(timer));
      },
    });
    expect(await failureOf(server.baseURL, { requestTimeoutSeconds: 0.2 })).toMatchObject(
      unknown('no answer within 0.2 s'),
    );
  });

  test.each([
    ['nothing', ''],
    ['a page', '<html>hunter2</html>'],
    ['half of the JSON', '{"is_ok":true,"CommonServiceItem":{"ID"'],
    ['no success after all', '{"is_ok":false}'],
    ['no SIM', '{"is_ok":true}'],
  ])('200 with %s', async (_, text) => {
    server.answer({ raw: (response) => void response.end(text) });
    const error = await failureOf(server.baseURL);
    expect(error).toMatchObject({ class: 'OutcomeUnknown' });
    expect(inspect(error)).not.toContain('hunter2');
  });

  test('a signal while it is under way', async () => {
    const stop = new AbortController();
    server.answer({ raw: () => stop.abort(new Error('stopping')) });
    const client = clientOf(server, certificates);
    const call = client.sims.create({ name: 'a', iccid: '8981', passCode: 'x' }, { ...o, signal: stop.signal });
    await expect(call).rejects.toMatchObject({ class: 'OutcomeUnknown' });
    const readStop = new AbortController();
    server.answer({ raw: () => readStop.abort(new Error('stopping')) });
    await expect(client.sims.read('1', { lane: 'list', signal: readStop.signal })).rejects.toThrow('stopping');
    await expect(client.sims.read('1', { lane: 'list', signal: readStop.signal })).rejects.toThrow('stopping');
    await client.close();
  });
});

test('connections are kept', async () => {
  const before = server.connections();
  server.answer({ json: { is_ok: true, sim: {} } });
  const client = clientOf(server, certificates, { connections: 3 });
  for (let i = 0; i < 5; i++) await client.sims.status('1', o);
  // Not one: the pool may take a second before the first is quite free again.
  expect(server.connections() - before).toBeLessThanOrEqual(2);
  await Promise.all(Array.from({ length: 30 }, () => client.sims.status('1', o)));
  expect(server.connections() - before).toBeLessThanOrEqual(3);
  await client.close();
});

test('a connection is not lost to an error answer', async () => {
  const before = server.connections();
  const client = clientOf(server, certificates);
  for (const status of [400, 404, 409, 429, 400, 404, 409, 429]) {
    server.answer({ status, json: { error_code: 'x', error_msg: 'y'.repeat(100_000) } });
    await client.sims.setIP('1', '10.0.0.1', o).catch(() => {});
  }
  expect(server.connections() - before).toBeLessThanOrEqual(2);
  await client.close();
});

describe('what cannot be configured', () => {
  test.each([
    ['http://localhost', 'baseURL begins with http://, but the service takes https only'],
    ['localhost', 'baseURL is not a URL'],
    ['https://user:hunter2@localhost', 'baseURL holds a user name or password, which belong in the Secret'],
    ['https://localhost/?a=b', 'baseURL holds a query or a fragment'],
  ])('the base URL %s', async (baseURL, message) => {
    expect(() => clientOf({ baseURL }, certificates)).toThrow(
      expect.objectContaining({
        message,
        code: 'InvalidConfiguration',
        class: 'Rejected',
        advice: expect.stringContaining('spec.baseURL'),
      }),
    );
  });

  test.each([
    ['without a certificate', 'hunter2', 'it holds no certificate'],
    [
      'with a broken one',
      '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----',
      "it holds a certificate that can't be read (number 1 of 1)",
    ],
  ])('a CA bundle %s', (_, ca, message) => {
    expect(() => clientOf(server, certificates, { ca })).toThrow(
      expect.objectContaining({
        message: expect.stringContaining(message),
        code: 'InvalidConfiguration',
        advice: expect.stringContaining('caBundleSecretRef'),
      }),
    );
  });

  test('a base URL may have a path', async () => {
    server.answer({ json: { is_ok: true, sim: {} } });
    const client = clientOf({ baseURL: `${server.baseURL}/proxy/` }, certificates);
    await client.sims.status('1', o);
    await client.close();
    expect(server.requests[0]?.target).toBe('/proxy/cloud/zone/is1a/api/cloud/1.1/commonserviceitem/1/sim/status');
  });
});
