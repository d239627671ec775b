import { createHash, createHmac, createSecretKey, hkdfSync } from 'node:crypto';
import type { CloudClient } from '../../cloud/client.ts';
import type { Circuit } from '../../cloud/http/circuit.ts';
import { canonicalBaseURL } from '../../cloud/http/tls.ts';
import type { Limiter, Limits } from '../../cloud/limiter/limiter.ts';
import { parseKey } from '../../reconcile/reconciler.ts';
import type { AccountSession } from '../../reconcile/session.ts';
import type { AccountSettings } from './settings.ts';

/** A session, with what only the account's own reconciler looks at. */
export interface OpenSession extends AccountSession {
  readonly limiter: Limiter;
  readonly circuit: Circuit;
  /** The service has taken the credentials since the session was opened: lists are better taken with them than with others. */
  answered: boolean;
  /** What the account shows is what is on record, too; until then nothing else uses the session. */
  verified: boolean;
  /**
   * The account's status says which account of the service this is, or will once it has shown all. Nothing is made before: it
   * would be made again, in another account, if the process ended and the Secret was exchanged.
   */
  onRecord: boolean;
}

/** An account that is open. */
export interface Member {
  readonly fingerprint: string;
  /** Stands for what it authenticates with. */
  readonly credentials: string;
  readonly limits: Limits;
  readonly session: OpenSession;
}

/**
 * The client that takes the lists for all. One whose credentials were refused, or were never tried, takes none while there
 * is a better one: anybody may name the token, and what others wait for would fail with a stranger's wrong secret. One
 * that is paused takes none for others.
 */
export function listingClient(
  accounts: ReadonlyMap<string, Member>,
  isPaused: (account: string) => boolean,
): CloudClient {
  const rank = (key: string, member: Member) => rankOf(member) + (isPaused(key) ? 10 : 0);
  let best: Member | undefined;
  let least = Number.POSITIVE_INFINITY;
  for (const [key, member] of accounts) {
    if (best && rank(key, member) >= least) continue;
    best = member;
    least = rank(key, member);
  }
  if (!best) throw new TypeError('lists are taken only while an account is open');
  return best.session.client;
}

function rankOf({ session }: Member): number {
  const { circuit, verified, answered } = session;
  return (circuit.isOpen() ? 3 : 0) + (verified ? 0 : answered ? 1 : 2);
}

/**
 * The lowest limits of the accounts (by key) that the service knows: one that only names the same token must not slow down
 * those that have its secret. Before there is any, of all. Who may use them is known, and not who will: the one that comes
 * next finds something left of the hour.
 */
export function limitsOf(accounts: ReadonlyMap<string, Member>): Limits {
  const all = [...accounts];
  const verified = all.filter(([, { session }]) => session.verified);
  const members = verified.length > 0 ? verified : all;
  const counting = members.map(([, { limits }]) => limits);
  const namespaces = new Set(members.map(([key]) => parseKey(key).namespace));
  return {
    webAccelRequestsPerHour: Math.min(...counting.map((limits) => limits.webAccelRequestsPerHour)),
    cloudRequestsPerSecond: Math.min(...counting.map((limits) => limits.cloudRequestsPerSecond)),
    // A ClusterCloudAccount has none, and is for all that it selects.
    isShared: namespaces.size > 1 || namespaces.has(''),
  };
}

/** Whose the accounts (by key) of one token are: the namespace's, or the ClusterCloudAccount's own; of those that the service knows, if any. */
export function partyOf(accounts: ReadonlyMap<string, Member>): string {
  const all = [...accounts];
  const [key = ''] = all.find(([, { session }]) => session.verified) ?? all[0] ?? [];
  return parseKey(key).namespace || key;
}

/** Who the account is at the service, however its URL is spelled. */
export function identityOf({ baseURL, accessToken }: Pick<AccountSettings, 'baseURL' | 'accessToken'>): string {
  return digestOf(`${canonicalBaseURL(baseURL)}\n${accessToken.reveal()}`);
}

/** Digests keyed with the token's secret: comparable over restarts, useless to whoever reads a status. */
export function digesterOf({ accessTokenSecret }: Pick<AccountSettings, 'accessTokenSecret'>): OpenSession['digest'] {
  const key = createSecretKey(
    Buffer.from(hkdfSync('sha256', accessTokenSecret.reveal(), 'edgeline', 'applied secrets', 32)),
  );
  return (value) => createHmac('sha256', key).update(value).digest('base64url');
}

function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('base64url');
}

/** Of all that a session follows from. */
export function fingerprintOf(settings: AccountSettings): string {
  const { baseURL, authentication, ca, dialect, limits } = settings;
  const parts = [canonicalBaseURL(baseURL), credentialsOf(settings), authentication, ca ?? '', dialect, limits];
  return digestOf(JSON.stringify(parts));
}

/** Of what is sent to authenticate. */
export function credentialsOf({ accessToken, accessTokenSecret, authentication }: AccountSettings): string {
  return digestOf(JSON.stringify([accessToken.reveal(), accessTokenSecret.reveal(), authentication]));
}
