import { createHash } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { CloudClient } from '../../../../src/cloud/client.ts';
import { CloudError } from '../../../../src/cloud/errors.ts';
import type { RequestEvent } from '../../../../src/cloud/http/sender.ts';
import { clientOf } from '../../../support/client-of.ts';
import {
  type Answer,
  type HTTPSServer,
  makeCertificates,
  type RecordedRequest,
  startHTTPSServer,
  type TestCertificates,
} from '../../../support/https-server.ts';
import { ManualClock } from '../../../support/manual-clock.ts';

const o = { lane: 'verify' } as const;
const status = { is_ok: true, sim: {} };
const refusal = {
  is_fatal: true,
  serial: 's1',
  status: '401 Unauthorized',
  error_code: 'unauthorized',
  error_msg: 'no',
};

let certificates: TestCertificates;
let server: HTTPSServer;
beforeAll(async () => {
  certificates = await makeCertificates();
  server = await startHTTPSServer(certificates);
});
afterAll(() => server.close());

/** A server side of Digest: which nonce is valid, how often it was used, and what it answers. */
class DigestGuard {
  nonce = 'n1';
  password = 'token-secret';
  #seen = new Set<string>();

  answer(request: RecordedRequest): Answer {
    const header = request.headers.authorization ?? '';
    const parameters = new Map(
      Array.from(header.matchAll(/(\w+)=(?:"([^"]*)"|([^\s,]+))/g), (m) => [m[1], m[2] ?? m[3] ?? '']),
    );
    const of = (name: string) => parameters.get(name) ?? '';
    const hash = (text: string) => createHash('sha256').update(text).digest('hex');
    const a1 = hash(`token:r:${this.password}`);
    const a2 = hash(`${request.method}:${request.target}`);
    const expected = hash(`${a1}:${of('nonce')}:${of('nc')}:${of('cnonce')}:auth:${a2}`);
    if (header === '' || of('response') !== expected || of('uri') !== request.target) return this.#challenge(false);
    if (of('nonce') !== this.nonce) return this.#challenge(true);
    const use = `${of('nonce')} ${of('nc')}`;
    if (this.#seen.has(use)) return this.#challenge(false);
    this.#seen.add(use);
    return { json: status };
  }

  #challenge(stale: boolean): Answer {
    const rest = `realm="r", qop="auth", nonce="${this.nonce}"${stale ? ', stale=true' : ''}`;
    const challenges = [`Digest algorithm=MD5, ${rest}`, `Digest algorithm=SHA-256, ${rest}`];
    return { status: 401, json: refusal, headers: { 'www-authenticate': challenges } };
  }
}

describe('Digest', () => {
  let guard: DigestGuard;
  let client: CloudClient;
  let events: RequestEvent[];
  beforeEach(() => {
    guard = new DigestGuard();
    server.requests.length = 0;
    server.answer((request) => guard.answer(request));
    events = [];
    client = clientOf(server, certificates, { authentication: 'Digest', onRequest: (event) => events.push(event) });
    return () => client.close();
  });
  const codes = () => events.map((event) => event.code);

  test('asks for a challenge once, then needs one round trip a request', async () => {
    for (let i = 0; i < 3; i++) await client.sims.status('1', o);
    expect(codes()).toEqual(['challenge', '200', '200', '200']);
  });

  test('each request has another nonce of the client, as they are given', async () => {
    let given = 0;
    const counted = clientOf(server, certificates, { authentication: 'Digest', nonce: () => `own-${++given}` });
    for (let i = 0; i < 2; i++) await counted.sims.status('1', o);
    await counted.close();
    const headers = server.requests.map(({ headers: { authorization } }) => authorization ?? '');
    expect(headers.map((header) => /cnonce="([^"]*)"/.exec(header)?.[1])).toEqual([undefined, 'own-1', 'own-2']);
  });

  test('many at once share one challenge', async () => {
    await Promise.all(Array.from({ length: 20 }, () => client.sims.status('1', o)));
    expect(codes().filter((code) => code === 'challenge')).toHaveLength(1);
    expect(server.requests).toHaveLength(21);
  });

  test('a stale nonce is renewed without an error', async () => {
    await client.sims.status('1', o);
    guard.nonce = 'n2';
    await Promise.all(Array.from({ length: 5 }, () => client.sims.status('1', o)));
    await client.sims.status('1', o);
    expect(codes().slice(0, 2)).toEqual(['challenge', '200']);
    expect(codes().filter((code) => code === '200')).toHaveLength(7);
  });

  test('the query is part of what is signed', async () => {
    await client.sims.sessionLog('1', { count: 3 }, o).catch(() => {});
    expect(codes()).toEqual(['challenge', '200']);
  });

  test('wrong credentials are refused after one answer to a fresh challenge', async () => {
    guard.password = 'another';
    await expect(client.sims.status('1', o)).rejects.toMatchObject({
      class: 'CredentialsRejected',
      status: 401,
      serial: 's1',
    });
    expect(codes()).toEqual(['challenge', '401']);
  });

  test('credentials that become wrong are tried once more with a fresh nonce, for the server may have lost the old', async () => {
    await client.sims.status('1', o);
    guard.password = 'another';
    await expect(client.sims.status('1', o)).rejects.toMatchObject({ class: 'CredentialsRejected' });
    expect(codes()).toEqual(['challenge', '200', 'challenge', '401']);
  });

  test('a server that calls every nonce stale is not asked for ever', async () => {
    server.answer({
      status: 401,
      json: refusal,
      headers: { 'www-authenticate': 'Digest nonce="x", qop="auth", stale=true' },
    });
    await expect(client.sims.status('1', o)).rejects.toMatchObject({ class: 'CredentialsRejected' });
    expect(server.requests).toHaveLength(4);
  });

  test('a nonce that expires while its request waits for its turn says nothing of the credentials', async () => {
    const clock = new ManualClock();
    const slow = clientOf(server, certificates, {
      authentication: 'Digest',
      clock,
      limiter: {
        acquire: async () => {
          await clock.sleep(6000);
          guard.nonce = `n${server.requests.length}`;
          return { sent() {}, release() {} };
        },
        throttled() {},
        overloaded() {},
      },
    });
    const asked = slow.sims.status('1', o);
    asked.catch(() => undefined);
    // Longer than four exchanges take: then it is told, and tried by whoever asked.
    for (let second = 0; second < 30; second++) {
      await clock.advance(1000);
      await setTimeout(2);
    }
    await expect(asked).rejects.toMatchObject({
      class: 'Retryable',
      message: expect.stringContaining('expired while the request waited'),
    });
    expect(server.requests).toHaveLength(4);
    await slow.close();
  });

  test('nonces that are good once, and that many use at once, say nothing of the credentials', async () => {
    const used = new Set<string>();
    server.answer((request) => {
      const [, nonce] = /nonce="(\w+)"/.exec(String(request.headers['authorization'])) ?? [];
      if (nonce !== undefined && nonce === guard.nonce && !used.has(nonce)) {
        used.add(nonce);
        return { json: { is_ok: true, sim: {} } };
      }
      guard.nonce = `n${server.requests.length}`;
      const challenge = `Digest realm="r", qop="auth", nonce="${guard.nonce}", stale=true`;
      return { status: 401, json: refusal, headers: { 'www-authenticate': challenge } };
    });
    const classes = async (call: Promise<unknown>) =>
      await call.then(
        () => 'done',
        (error: unknown) => (error instanceof CloudError ? error.class : 'another'),
      );
    const all = await Promise.all(Array.from({ length: 24 }, () => classes(client.sims.status('1', o))));
    expect(new Set(all)).toEqual(new Set(['done', 'Retryable']));
  });

  test('each request on the wire takes a permit, the challenge too', async () => {
    const permits: string[] = [];
    const counting = clientOf(server, certificates, {
      authentication: 'Digest',
      limiter: {
        acquire: async (_api, lane) => {
          permits.push(lane);
          return { sent() {}, release: () => permits.push('released') };
        },
        throttled() {},
        overloaded() {},
      },
    });
    await counting.sims.status('1', o);
    await counting.close();
    expect(permits).toEqual(['verify', 'released', 'verify', 'released']);
  });

  test('a request that was only challenged waits for its turn again, and says so', async () => {
    const told: string[] = [];
    await client.sims.status('1', { ...o, onQueued: () => told.push('waits'), onSent: () => told.push('leaves') });
    expect(told).toEqual(['waits', 'leaves', 'waits', 'leaves']);
  });
});

test('an account set to Digest says so when the service offers only Basic', async () => {
  const client = clientOf(server, certificates, { authentication: 'Digest' });
  server.answer({ status: 401, json: refusal, headers: { 'www-authenticate': 'Basic realm="r"' } });
  await expect(client.sims.status('1', o)).rejects.toMatchObject({
    class: 'CredentialsRejected',
    advice: expect.stringContaining('authentication'),
  });
  await client.close();
});
