import { createHmac, createSecretKey, hash as hashOf, timingSafeEqual } from 'node:crypto';
import { ApiError } from './api-error.ts';
import type { Account, Simulation } from './simulation.ts';
import { splitOnce } from './url-text.ts';

const realm = 'Simulated service';
const algorithms = { 'SHA-256': 'sha256', MD5: 'md5' } as const;
type Algorithm = keyof typeof algorithms;
const WIDEST_GAP_REQUESTS = 10_000;

interface NonceUse {
  readonly expires: number;
  highest: number;
  /** Counts below the highest that have not come yet: several connections share a nonce, so they come out of order. */
  readonly missing: Set<number>;
}

/** Checks `Authorization` by HTTP Basic or by Digest (RFC 7616); `api.md`, Authentication. */
export interface Authenticator {
  /** The account of the request; throws 401 with the challenges. */
  authenticate(method: string, target: string, authorization: string | undefined): Account;
}

/** `nonceKey` seals the nonces: whoever has it can make some. */
export function createAuthenticator(simulation: Simulation, nonceKey: Buffer): Authenticator {
  const key = createSecretKey(nonceKey);
  const basic = new Map<string, Account>();
  for (const account of simulation.accounts) {
    const pair = Buffer.from(`${account.accessToken}:${account.accessTokenSecret}`).toString('base64');
    basic.set(digest('sha256', pair), account);
  }
  const uses = new Map<string, NonceUse>();
  let issued = 0;

  function newNonce(): string {
    const text = `${simulation.clock.now().toString(36)}.${(issued++).toString(36)}`;
    return `${text}.${createHmac('sha256', key).update(text).digest('hex').slice(0, 32)}`;
  }

  function refuse(message: string, stale = false): ApiError {
    const challenges = Object.keys(algorithms).map(
      (algorithm) =>
        `Digest realm="${realm}", qop="auth", algorithm=${algorithm}, nonce="${newNonce()}"${stale ? ', stale=true' : ''}`,
    );
    const headers = { 'WWW-Authenticate': [...challenges, `Basic realm="${realm}", charset="UTF-8"`] };
    return new ApiError(401, 'unauthorized', message, { headers });
  }

  function issueTime(nonce: string): number | undefined {
    const [time = '', number = '', seal = ''] = nonce.split('.');
    const right = createHmac('sha256', key).update(`${time}.${number}`).digest('hex').slice(0, 32);
    return same(seal, right) ? Number.parseInt(time, 36) : undefined;
  }

  function useNonce(nonce: string, count: number): void {
    const now = simulation.clock.now();
    const issuedAt = issueTime(nonce);
    if (issuedAt === undefined) throw refuse('the nonce is none of this server', true);
    const expires = issuedAt + simulation.settings.nonceLifetime;
    if (now >= expires) {
      uses.delete(nonce);
      throw refuse('the nonce has expired', true);
    }
    const use = uses.get(nonce) ?? { expires, highest: 0, missing: new Set<number>() };
    if (count <= use.highest && !use.missing.delete(count)) throw refuse('the nonce count was used before');
    if (count - use.highest > WIDEST_GAP_REQUESTS) throw refuse('the nonce count leaps');
    for (let skipped = use.highest + 1; skipped < count; skipped++) use.missing.add(skipped);
    use.highest = Math.max(use.highest, count);
    if (!uses.has(nonce)) {
      if (uses.size > 1000) for (const [old, { expires }] of uses) if (now >= expires) uses.delete(old);
      uses.set(nonce, use);
    }
  }

  function byDigest(method: string, target: string, text: string): Account {
    // A target with raw quotes comes unescaped from some clients, so it is looked for as it is first.
    const asItIs = `uri="${target}"`;
    const given = digestParameters(text.replace(asItIs, ''));
    if (text.includes(asItIs)) given.set('uri', target);
    const algorithm = given.get('algorithm') ?? 'MD5';
    if (!isAlgorithm(algorithm)) throw refuse('the digest algorithm is none of those offered');
    if (given.get('qop') !== 'auth') throw refuse('write qop=auth');
    if (given.get('realm') !== realm) throw refuse('the realm is another');
    if (given.get('uri') !== target) throw refuse('the uri of the digest is not the request target');
    const [user = '', nonce = '', cnonce = '', count = ''] = ['username', 'nonce', 'cnonce', 'nc'].map((name) =>
      given.get(name),
    );
    if (!/^[0-9a-f]{8}$/i.test(count) || Number.parseInt(count, 16) === 0) throw refuse('write nc as 8 hex digits');
    if (!cnonce) throw refuse('write a cnonce');
    const account = simulation.accountsByToken.get(user);
    if (!account) throw refuse('the access token or its secret is wrong');
    const hash = (value: string) => digest(algorithms[algorithm], value);
    const secretPart = hash(`${user}:${realm}:${account.accessTokenSecret}`);
    const expected = hash(`${secretPart}:${nonce}:${count}:${cnonce}:auth:${hash(`${method}:${target}`)}`);
    if (!same(given.get('response') ?? '', expected)) throw refuse('the access token or its secret is wrong');
    useNonce(nonce, Number.parseInt(count, 16));
    return account;
  }

  return {
    authenticate(method, target, authorization) {
      if (authorization === undefined) throw refuse('authentication is required');
      const [scheme, rest] = splitOnce(authorization, ' ');
      switch (scheme.toLowerCase()) {
        case 'basic': {
          const account = basic.get(digest('sha256', rest.trim()));
          if (!account) throw refuse('the access token or its secret is wrong');
          return account;
        }
        case 'digest':
          return byDigest(method, target, rest);
        default:
          throw refuse('authenticate with Basic or Digest');
      }
    },
  };
}

function digest(algorithm: 'sha256' | 'md5', text: string): string {
  return hashOf(algorithm, text, 'hex');
}

function isAlgorithm(text: string): text is Algorithm {
  return Object.hasOwn(algorithms, text);
}

function same(one: string, other: string): boolean {
  const [left, right] = [Buffer.from(one), Buffer.from(other)];
  return left.length === right.length && timingSafeEqual(left, right);
}

/** The `name=value` and `name="value"` pairs of a Digest header. */
function digestParameters(text: string): Map<string, string> {
  const found = new Map<string, string>();
  const pair = /^[\s,]*([a-z0-9_-]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s,"]+))/i;
  let rest = text;
  for (let match = pair.exec(rest); match; match = pair.exec(rest)) {
    const [whole, name = '', quoted, plain] = match;
    rest = rest.slice(whole.length);
    found.set(name.toLowerCase(), quoted === undefined ? (plain ?? '') : quoted.replaceAll(/\\(.)/g, '$1'));
  }
  return found;
}
