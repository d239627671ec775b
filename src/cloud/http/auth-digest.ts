import { hash as hashOf } from 'node:crypto';

/** A challenge of `WWW-Authenticate: Digest …` that can be answered (RFC 7616). */
export interface DigestChallenge {
  readonly realm: string;
  readonly nonce: string;
  readonly opaque: string | undefined;
  readonly algorithm: DigestAlgorithm;
  /** Whether the server takes `qop=auth`; without it the old form of RFC 2069 is used. */
  readonly qopAuth: boolean;
  /** The nonce was too old, the credentials were not looked at. */
  readonly stale: boolean;
}

type DigestAlgorithm = 'SHA-256' | 'SHA-256-sess' | 'MD5' | 'MD5-sess';

/** Best first. */
const algorithms: readonly DigestAlgorithm[] = ['SHA-256', 'SHA-256-sess', 'MD5', 'MD5-sess'];

interface Challenge {
  readonly scheme: string;
  readonly parameters: ReadonlyMap<string, string>;
}

/**
 * Splits WWW-Authenticate headers into challenges. One header may hold several, separated by the same commas as their
 * parameters: a word followed by a space and no `=` begins a new one.
 */
export function parseChallenges(headers: readonly string[]): readonly Challenge[] {
  const challenges: { scheme: string; parameters: Map<string, string> }[] = [];
  const token = /^[\s,]*([!#$%&'*+.^_`|~0-9A-Za-z-]+)(?:\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s,"]+)))?/;
  for (const header of headers) {
    let rest = header;
    for (let match = token.exec(rest); match; match = token.exec(rest)) {
      const [whole, word = '', quoted, plain] = match;
      rest = rest.slice(whole.length);
      const value = quoted?.replace(/\\(.)/g, '$1') ?? plain;
      if (value === undefined) challenges.push({ scheme: word.toLowerCase(), parameters: new Map() });
      else challenges.at(-1)?.parameters.set(word.toLowerCase(), value);
    }
  }
  return challenges;
}

/** The strongest Digest challenge among the headers, or undefined where none can be answered. */
export function digestChallenge(headers: readonly string[]): DigestChallenge | undefined {
  const found: DigestChallenge[] = [];
  for (const { scheme, parameters } of parseChallenges(headers)) {
    const nonce = parameters.get('nonce');
    const name = (parameters.get('algorithm') ?? 'MD5').toUpperCase();
    const algorithm = algorithms.find((known) => known.toUpperCase() === name);
    const qop = parameters.get('qop');
    const qopAuth = qop?.split(',').some((word) => word.trim().toLowerCase() === 'auth') ?? false;
    if (scheme !== 'digest' || nonce === undefined || !algorithm || (qop !== undefined && !qopAuth)) continue;
    found.push({
      realm: parameters.get('realm') ?? '',
      nonce,
      opaque: parameters.get('opaque'),
      algorithm,
      qopAuth,
      stale: parameters.get('stale')?.toLowerCase() === 'true',
    });
  }
  return found.sort((a, b) => algorithms.indexOf(a.algorithm) - algorithms.indexOf(b.algorithm))[0];
}

/** What one request's answer to a challenge is made of. */
export interface DigestInput {
  readonly challenge: DigestChallenge;
  readonly username: string;
  readonly password: string;
  readonly method: string;
  /** The request target exactly as sent: path and query. */
  readonly uri: string;
  /** How often this nonce has been used, this time included. */
  readonly nonceCount: number;
  /** Of the client, another each time. It guards against chosen plaintext, so nobody may foresee it. */
  readonly cnonce: string;
}

/** The value of an Authorization header by RFC 7616 §3.4. Without `qop` it is the form of RFC 2069. */
export function digestAuthorization(input: DigestInput): string {
  const { challenge, cnonce } = input;
  const hashName = challenge.algorithm.startsWith('SHA-256') ? 'sha256' : 'md5';
  const hash = (text: string) => hashOf(hashName, text, 'hex');
  const user = hash(`${input.username}:${challenge.realm}:${input.password}`);
  const a1 = challenge.algorithm.endsWith('-sess') ? hash(`${user}:${challenge.nonce}:${cnonce}`) : user;
  const a2 = hash(`${input.method}:${input.uri}`);
  const count = input.nonceCount.toString(16).padStart(8, '0');
  const response = challenge.qopAuth
    ? hash(`${a1}:${challenge.nonce}:${count}:${cnonce}:auth:${a2}`)
    : hash(`${a1}:${challenge.nonce}:${a2}`);
  const parts = [
    `username=${quote(input.username)}`,
    `realm=${quote(challenge.realm)}`,
    `nonce=${quote(challenge.nonce)}`,
    `uri=${quote(input.uri)}`,
    `algorithm=${challenge.algorithm}`,
    `response="${response}"`,
  ];
  if (challenge.qopAuth) parts.push('qop=auth', `nc=${count}`, `cnonce=${quote(cnonce)}`);
  else if (challenge.algorithm.endsWith('-sess')) parts.push(`cnonce=${quote(cnonce)}`);
  if (challenge.opaque !== undefined) parts.push(`opaque=${quote(challenge.opaque)}`);
  return `Digest ${parts.join(', ')}`;
}

function quote(text: string): string {
  return `"${text.replace(/["\\]/g, '\\$&')}"`;
}
