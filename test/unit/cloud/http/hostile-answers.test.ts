import type { ServerResponse } from 'node:http';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { systemClock } from '../../../../src/clock.ts';
import type { CloudClient, CloudClientOptions } from '../../../../src/cloud/client.ts';
import { createLimiter } from '../../../../src/cloud/limiter/limiter.ts';
import { clientOf, generousLimits } from '../../../support/client-of.ts';
import {
  type HTTPSServer,
  makeCertificates,
  startHTTPSServer,
  type TestCertificates,
} from '../../../support/https-server.ts';

const o = { lane: 'list' } as const;
const MiB = 1024 * 1024;

let certificates: TestCertificates;
let server: HTTPSServer;
let open: CloudClient[] = [];
beforeAll(async () => {
  certificates = await makeCertificates();
  server = await startHTTPSServer(certificates);
});
afterAll(() => server.close());
beforeEach(() => {
  server.requests.length = 0;
  return async () => {
    for (const client of open) await client.close();
    open = [];
  };
});

function client(options: Partial<CloudClientOptions> = {}): CloudClient {
  const made = clientOf(server, certificates, options);
  open.push(made);
  return made;
}

/** Answers with `piece` again and again, until so many bytes went out or the other side has had enough. */
function pour(piece: Buffer, total: number, head: (response: ServerResponse) => void) {
  const poured = { bytes: 0, cut: false };
  server.answer({
    raw(response) {
      head(response);
      response.on('close', () => (poured.cut = !response.writableFinished));
      const more = (): void => {
        while (!response.destroyed && poured.bytes < total) {
          poured.bytes += piece.length;
          if (!response.write(piece)) return void response.once('drain', more);
        }
        if (!response.destroyed) response.end();
      };
      more();
    },
  });
  return poured;
}

const chunked = (response: ServerResponse) => response.writeHead(200, { 'content-type': 'application/json' });
const blanks = Buffer.alloc(64 * 1024, ' ');

describe('an answer that is too large', () => {
  test('to a list is given up at 4 MiB, not kept, and says how large it may be', async () => {
    const poured = pour(blanks, 60 * MiB, chunked);
    await expect(client().sims.list({ from: 0, count: 1000 }, o)).rejects.toMatchObject({
      class: 'UnexpectedResponse',
      message:
        'GET /commonserviceitem: the answer is larger than 4 MiB, which is the most that is read of this operation',
      path: '(body)',
    });
    expect(server.requests).toHaveLength(1);
    expect(poured.bytes).toBeLessThan(40 * MiB);
  });

  test('to a read of one resource is given up at 512 KiB', async () => {
    pour(blanks, 2 * MiB, chunked);
    await expect(client().sites.certificate('s', {}, o)).rejects.toMatchObject({
      class: 'UnexpectedResponse',
      message:
        'GET /site/s/certificate: the answer is larger than 512 KiB, which is the most that is read of this operation',
    });
  });

  test('is refused before any of it is read when it says so itself', async () => {
    server.answer({
      raw(response) {
        response.writeHead(200, { 'content-length': String(60 * MiB) });
        response.flushHeaders();
      },
    });
    await expect(client().sims.list({ from: 0, count: 1000 }, o)).rejects.toMatchObject({
      class: 'UnexpectedResponse',
      message:
        'GET /commonserviceitem: the answer is 60 MiB large, and 4 MiB is the most that is read of this operation',
    });
  });

  test('to a creation leaves it open whether there is something now, and it is not repeated', async () => {
    pour(blanks, 2 * MiB, chunked);
    const creation = client().sims.create({ name: 'a', iccid: '8981', passCode: 'x' }, { lane: 'write' });
    await expect(creation).rejects.toMatchObject({
      class: 'OutcomeUnknown',
      message: expect.stringContaining('the answer is larger than 512 KiB'),
    });
    expect(server.requests).toHaveLength(1);
  });

  test('in many small pieces costs no more than in one', async () => {
    const before = process.memoryUsage();
    pour(Buffer.from('['.repeat(7)), 600 * 1024, chunked);
    await expect(client().sims.read('1', o)).rejects.toMatchObject({ class: 'UnexpectedResponse' });
    const { arrayBuffers } = process.memoryUsage();
    expect(arrayBuffers - before.arrayBuffers).toBeLessThan(32 * MiB);
  });

  test('of a refusal is cut off, and the refusal counts', async () => {
    const refusal = (status: number) => (response: ServerResponse) =>
      response.writeHead(status, { 'content-type': 'text/html', 'retry-after': '9'.repeat(400) });
    pour(blanks, 60 * MiB, refusal(401));
    await expect(client().sims.list({ from: 0, count: 1 }, o)).rejects.toMatchObject({ class: 'CredentialsRejected' });
    pour(blanks, 60 * MiB, refusal(429));
    await expect(client().sims.list({ from: 0, count: 1 }, o)).rejects.toMatchObject({
      class: 'Throttled',
      retryAfterSeconds: 3600,
    });
  });

  test('in its headers ends the request', async () => {
    server.answer({ headers: { 'x-large': 'x'.repeat(200_000) } });
    await expect(client({ random: () => 0 }).sims.read('1', o)).rejects.toMatchObject({
      class: 'Retryable',
      message: 'GET /commonserviceitem/1: the headers of the answer are too large',
    });
  });

  test('is taken where it is a picture of a screen', async () => {
    const image = Buffer.alloc(5 * MiB, 7);
    server.answer({
      raw(response) {
        response.writeHead(200, { 'content-type': 'image/png' });
        response.end(image);
      },
    });
    expect((await client().servers.snapshot('is1b', '1', o)).image.length).toBe(5 * MiB);
  });
});

describe('an answer of the right size', () => {
  const sims = (items: string) => `{"is_ok":true,"Total":1,"Count":1,"From":0,"CommonServiceItems":[${items}]}`;
  const raw = (text: string) =>
    server.answer({
      raw(response) {
        response.writeHead(200, { 'content-type': 'application/json' });
        response.end(text);
      },
    });

  test('that holds more values than a page can have is not parsed', async () => {
    raw(sims('{},'.repeat(1_000_000)));
    await expect(client().sims.list({ from: 0, count: 1000 }, o)).rejects.toMatchObject({
      class: 'UnexpectedResponse',
      message:
        'GET /commonserviceitem: the answer holds more than 150000 values, which is the most that is read of this operation',
    });
  });

  test('that is nested deeper than any is not parsed', async () => {
    raw('['.repeat(20_000) + ']'.repeat(20_000));
    await expect(client().sims.read('1', o)).rejects.toMatchObject({
      class: 'UnexpectedResponse',
      message: 'GET /commonserviceitem/1: the answer is nested more than 64 levels deep',
    });
  });

  test('whose brackets and commas stand in texts is read', async () => {
    const name = '[{,"\\'.repeat(1000);
    raw(`{"is_ok":true,"CommonServiceItem":${JSON.stringify({ ID: '1', Name: name })}}`);
    expect((await client().sims.read('1', o)).name).toBe(name);
  });

  test('with a thousand SIMs as large as they may be is read', async () => {
    const sim = (index: number) => ({
      ID: String(113_300_000_000 + index),
      Name: 'ü'.repeat(200),
      Description: 'ü'.repeat(512),
      Tags: Array.from({ length: 10 }, (_, tag) => `${tag}`.padEnd(32, 'x')),
      Status: { ICCID: '8981', sim: { iccid: '8981', imsi: Array.from({ length: 4 }, () => '440101234567890') } },
    });
    const items = Array.from({ length: 1000 }, (_, index) => sim(index));
    server.answer({ json: { is_ok: true, From: 0, Count: 1000, Total: 1000, CommonServiceItems: items } });
    expect((await client().sims.list({ from: 0, count: 1000 }, o)).items).toHaveLength(1000);
  });
});

describe('an answer without what was asked for', () => {
  const empty = { json: {} };
  const maintenance = { json: { status: 'maintenance' } };
  const bare = { json: { is_ok: true } };
  const unsaid = { json: { CommonServiceItems: [], Appliances: [], Sites: [], From: 0, Count: 0, Total: 0 } };
  const page = { from: 0, count: 1000 };
  test.each<[string, (c: CloudClient) => Promise<unknown>, object[]]>([
    ['SIMs', (c) => c.sims.list(page, o), [empty, maintenance, bare, unsaid]],
    ['gateways', (c) => c.gateways.list('is1b', page, o), [empty, maintenance, bare, unsaid]],
    ['sites', (c) => c.sites.list(o), [empty, maintenance, bare, unsaid]],
    ['SIMs of a gateway', (c) => c.gateways.sims('is1b', '9', page, o), [empty, maintenance, bare]],
    ['routes', (c) => c.gateways.simRoutes('is1b', '9', o), [empty, bare]],
    ['traffic monitoring', (c) => c.gateways.trafficMonitoring('is1b', '9', o), [empty, bare]],
    ['carriers', (c) => c.sims.carriers('1', o), [empty, bare]],
    ['rules', (c) => c.sites.acl('s', o), [empty, bare]],
    ['certificates', (c) => c.sites.certificate('s', {}, o), [empty, bare]],
    ['usage', (c) => c.sites.monthlyUsage({}, o), [empty, bare]],
  ])('is no list of %s, and does not say that there are none', async (_, call, answers) => {
    for (const answer of answers) {
      server.answer(answer);
      await expect(call(client())).rejects.toMatchObject({ class: 'UnexpectedResponse' });
    }
  });

  test('DNS that is unset is [], as the service says it, and without it nothing is known', async () => {
    const c = client({ dialect: 'Extended' });
    server.answer({ json: { is_ok: true, sim_group: [] } });
    expect(await c.gateways.dns('is1b', '9', o)).toBeUndefined();
    server.answer(bare);
    await expect(c.gateways.dns('is1b', '9', o)).rejects.toMatchObject({ class: 'UnexpectedResponse' });
  });
});

test('an answer that drips ends with the time of a request', async () => {
  server.answer({
    raw(response) {
      chunked(response);
      const drip = setInterval(() => response.write(' '), 20);
      response.on('close', () => clearInterval(drip));
    },
  });
  const limiter = createLimiter({ clock: systemClock, limits: generousLimits });
  const creation = client({ limiter, requestTimeoutSeconds: 0.3 }).gateways.registerSim('is1b', '9', '1', o);
  await expect(creation).rejects.toMatchObject({
    class: 'OutcomeUnknown',
    message: expect.stringContaining('no answer within 0.3 s'),
  });
});

test('a status that nobody uses is counted with others like it', async () => {
  const codes: string[] = [];
  const asking = client({ onRequest: ({ code }) => codes.push(code) });
  for (const status of [200, 404, 299, 460, 598, 999]) {
    server.answer({
      raw: (response) => void response.writeHead(status, { 'content-type': 'application/json' }).end('{"is_ok":true}'),
    });
    await asking.raw.send({ method: 'POST', api: 'cloud', zone: 'is1a', segments: ['x'] }, o).catch(() => undefined);
  }
  expect(codes).toEqual(['200', '404', '2xx', '4xx', '5xx', '9xx']);
});

test.each(['1e999', '-1e999', '"1e999"'])('a number that is none, %s, is no number of an answer', async (number) => {
  server.answer({
    raw: (response) =>
      void response
        .writeHead(200, { 'content-type': 'application/json' })
        .end(`{"is_ok":true,"sim":{"traffic_bytes_of_current_month":{"uplink_bytes":${number}}}}`),
  });
  await expect(client().sims.status('1', o)).rejects.toMatchObject({ class: 'UnexpectedResponse' });
});

test.each(['8.64e15', '-62135596800000', '""'])('a time is one: %s', async (time) => {
  server.answer({ json: JSON.parse(`{"is_ok":true,"Certificate":{"Current":{"ID":"1","NotAfter":${time}}}}`) });
  await expect(client().sites.certificate('s', {}, o)).resolves.toMatchObject({ current: { id: '1' } });
});

test.each(['8.65e15', '-1e300'])('what is no time is not taken for one: %s', async (time) => {
  server.answer({ json: JSON.parse(`{"is_ok":true,"Certificate":{"Current":{"ID":"1","NotAfter":${time}}}}`) });
  await expect(client().sites.certificate('s', {}, o)).rejects.toMatchObject({ class: 'UnexpectedResponse' });
});
