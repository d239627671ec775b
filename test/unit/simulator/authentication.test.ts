import { createHash } from 'node:crypto';
import { connect } from 'node:tls';
import { describe, expect, it } from 'vitest';
import { type Answer, credentials, fleet, refusal, truckID, useService } from './service.ts';

const path = '/cloud/zone/is1a/api/cloud/1.1/commonserviceitem';
const service = useService({
  seed: { ...fleet, accounts: [{ name: 'other', accessToken: 'other', accessTokenSecret: 'secret-of-other' }] },
});

function nonceOf(answer: Answer): string {
  const challenge = [answer.headers['www-authenticate']].flat().find((one) => one?.startsWith('Digest')) ?? '';
  return /nonce="([^"]+)"/.exec(challenge)?.[1] ?? '';
}

interface DigestOptions {
  readonly algorithm?: 'SHA-256' | 'MD5';
  readonly count?: number;
  readonly uri?: string;
  readonly secret?: string;
  readonly qop?: string;
}

function digestHeader(nonce: string, options: DigestOptions = {}): string {
  const { algorithm = 'SHA-256', count = 1, uri = path, secret = credentials[1], qop = 'auth' } = options;
  const hash = (text: string) =>
    createHash(algorithm === 'MD5' ? 'md5' : 'sha256')
      .update(text)
      .digest('hex');
  const [realm, cnonce, nc] = ['Simulated service', 'c1', count.toString(16).padStart(8, '0')];
  const response = hash(
    `${hash(`${credentials[0]}:${realm}:${secret}`)}:${nonce}:${nc}:${cnonce}:${qop}:${hash(`GET:${uri}`)}`,
  );
  return `Digest username="${credentials[0]}", realm="${realm}", nonce="${nonce}", uri="${uri}", algorithm=${algorithm}, qop=${qop}, nc=${nc}, cnonce="${cnonce}", response="${response}"`;
}

async function byDigest(nonce: string, options: DigestOptions = {}): Promise<Answer> {
  return service.call('GET', path, undefined, { headers: { authorization: digestHeader(nonce, options) } });
}

async function challenge(): Promise<Answer> {
  return service.call('GET', path, undefined, { headers: { authorization: '' } });
}

/** The status line of a request whose target is sent as it is. */
function rawStatus(target: string, authorization: string): Promise<string> {
  const { port } = new URL(service.baseURL);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), '127.0.0.1', { ca: service.ca, servername: 'localhost' }, () =>
      socket.write(`GET ${target} HTTP/1.1\r\nHost: x\r\nAuthorization: ${authorization}\r\nConnection: close\r\n\r\n`),
    );
    let text = '';
    socket.on('data', (data) => (text += data.toString('utf8')));
    socket.on('end', () => resolve(text.split('\r\n')[0] ?? ''));
    socket.on('error', reject);
  });
}

describe('Basic', () => {
  it('lets the pair in', async () => {
    expect((await service.call('GET', path)).status).toBe(200);
  });

  it.each([
    ['a wrong secret', ['token', 'wrong']],
    ['an unknown token', ['nobody', 'secret-of-token']],
  ] as const)('refuses %s with a JSON body and the challenges', async (_, as) => {
    const answer = await service.call('GET', path, undefined, { as });
    expect(answer.body).toEqual({
      is_fatal: false,
      serial: expect.stringMatching(/^[0-9a-f]{16}$/),
      status: '401 Unauthorized',
      error_code: 'unauthorized',
      error_msg: 'the access token or its secret is wrong',
    });
    expect(answer.status).toBe(401);
    expect([answer.headers['www-authenticate']].flat().map((one) => one?.replace(/nonce="[^"]+"/, 'nonce'))).toEqual([
      'Digest realm="Simulated service", qop="auth", algorithm=SHA-256, nonce',
      'Digest realm="Simulated service", qop="auth", algorithm=MD5, nonce',
      'Basic realm="Simulated service", charset="UTF-8"',
    ]);
  });
});

describe('Digest', () => {
  it.each(['SHA-256', 'MD5'] as const)('lets the pair in by %s, again and again with one nonce', async (algorithm) => {
    const nonce = nonceOf(await challenge());
    const statuses = [];
    for (const count of [1, 2, 3]) statuses.push((await byDigest(nonce, { algorithm, count })).status);
    expect(statuses).toEqual([200, 200, 200]);
  });

  it('takes nonce counts out of order, as several connections send them, but none twice', async () => {
    const nonce = nonceOf(await challenge());
    const answers = [];
    for (const count of [3, 1, 2, 2]) answers.push((await byDigest(nonce, { count })).status);
    expect(answers).toEqual([200, 200, 200, 401]);
  });

  it('calls an old nonce stale, and takes the new one', async () => {
    const nonce = nonceOf(await challenge());
    await service.control.advance(300);
    const answer = await byDigest(nonce);
    expect(refusal(answer)).toBe('401 unauthorized: the nonce has expired');
    expect(String(answer.headers['www-authenticate'])).toContain('stale=true');
    expect((await byDigest(nonceOf(answer))).status).toBe(200);
  });

  it.each<[string, DigestOptions, string]>([
    ['a wrong secret', { secret: 'wrong' }, 'the access token or its secret is wrong'],
    ['the uri of another request', { uri: `${path}/1` }, 'the uri of the digest is not the request target'],
    ['another qop', { qop: 'auth-int' }, 'write qop=auth'],
    ['a leap of the nonce count', { count: 1_000_000 }, 'the nonce count leaps'],
    ['nonce count 0', { count: 0 }, 'write nc as 8 hex digits'],
  ])('refuses %s', async (_, options, message) => {
    const answer = await byDigest(nonceOf(await challenge()), options);
    expect(refusal(answer)).toBe(`401 unauthorized: ${message}`);
    expect(String(answer.headers['www-authenticate'])).not.toContain('stale');
  });

  it.each([
    ['escaped', (uri: string) => uri.replaceAll('"', '\\"')],
    ['as they are', (uri: string) => uri],
  ])('takes raw quotes in the target, %s in its header', async (_, written) => {
    const target = `${path}?{"Count":1}`;
    const authorization = digestHeader(nonceOf(await challenge()), { uri: target }).replace(target, written(target));
    expect(await rawStatus(target, authorization)).toBe('HTTP/1.1 200 OK');
  });

  it('calls a nonce it never gave stale', async () => {
    const answer = await byDigest('made.up.nonce');
    expect(answer.status).toBe(401);
    expect(String(answer.headers['www-authenticate'])).toContain('stale=true');
  });
});

describe('accounts', () => {
  const other = { as: ['other', 'secret-of-other'] as const };

  it('see only their own', async () => {
    expect((await service.call('GET', '/commonserviceitem', undefined, other)).body).toEqual({
      is_ok: true,
      From: 0,
      Count: 0,
      Total: 0,
      CommonServiceItems: [],
    });
  });

  it('meet 403 at what belongs to another member', async () => {
    const answer = await service.call('GET', `/commonserviceitem/${truckID}`, undefined, other);
    expect(refusal(answer)).toBe(`403 forbidden: SIM ${truckID} belongs to another member`);
  });
});
