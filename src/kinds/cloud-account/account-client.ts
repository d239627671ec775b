import type { Clock } from '../../clock.ts';
import { type CloudClient, type CloudClientOptions, createCloudClient } from '../../cloud/client.ts';
import type { AnswerPool } from '../../cloud/http/answer-pool.ts';
import type { Circuit } from '../../cloud/http/circuit.ts';
import type { CreateDispatcher } from '../../cloud/http/dispatcher.ts';
import { DecisionOutdatedError } from '../../reconcile/guard.ts';
import { type AccountSettings, accessOf } from './settings.ts';
import { keysWhere, type Shared } from './shared.ts';

/** What clients of accounts are made with. */
export interface AccountClientOptions {
  readonly clock: Clock;
  readonly random: () => number;
  readonly nonce: () => string;
  readonly userAgent: string;
  /** What carries the requests to the service. */
  readonly dispatcher: CreateDispatcher;
  /** Throws while this process does not lead: what it asks counts towards an hour of which whoever leads keeps the account. */
  readonly fence: () => void;
  readonly onRequest: NonNullable<CloudClientOptions['onRequest']>;
  /** The service stopped or began to answer these accounts (keys) as it should. */
  readonly onHealth: (accounts: string[]) => void;
  /** What an account (key) is paused by; undefined while it is not. */
  readonly pausedBy: (account: string) => string | undefined;
  readonly pool: AnswerPool;
}

/** The client of the accounts of an identity with the same settings: nothing leaves while all of them are paused. */
export function createAccountClient(
  entry: Shared,
  settings: AccountSettings,
  circuit: Circuit,
  options: AccountClientOptions,
): CloudClient {
  const client = createCloudClient({
    ...accessOf(settings),
    limiter: {
      acquire: entry.limiter.acquire,
      acquireNow: entry.limiter.acquireNow,
      throttled: (...of) => !isStranger() && entry.limiter.throttled(...of),
      overloaded: (...of) => !isStranger() && entry.limiter.overloaded(...of),
    },
    blame: {
      tells: entry.blame.tells,
      answered: (...of) => !isStranger() && entry.blame.answered(...of),
      refused: (...of) => (isStranger() ? 'object' : entry.blame.refused(...of)),
      unavailable: (...of) => !isStranger() && entry.blame.unavailable(...of),
    },
    circuit,
    pool: options.pool,
    clock: options.clock,
    random: options.random,
    nonce: options.nonce,
    userAgent: options.userAgent,
    dispatcher: options.dispatcher,
    mayLeave() {
      options.fence();
      // Its hour was kept, or not, without this request.
      if (entry.accounts.size === 0) throw new DecisionOutdatedError('the account was given up');
      let by: string | undefined;
      for (const [key, { session }] of entry.accounts) {
        if (session.client !== noting) continue;
        const paused = options.pausedBy(key);
        if (paused === undefined) return;
        by ??= paused;
      }
      if (by !== undefined) throw new DecisionOutdatedError(`the ${by} was paused`);
    },
    onRequest: (event) => {
      options.onRequest(event);
      if (event.code !== '401' && event.code !== '403') return;
      options.onHealth(keysWhere(entry, ({ session }) => session.circuit === circuit));
    },
  });
  const noting = entry.deletions.noting(client);

  /** Whoever may only name the token is answered as such: that tells nothing of those who have its secret. */
  function isStranger(): boolean {
    const verified = [...entry.accounts.values()].filter(({ session }) => session.verified);
    return verified.length > 0 && verified.every(({ session }) => session.client !== noting);
  }
  return noting;
}
