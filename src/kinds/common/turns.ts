import type { Api } from '../../cloud/limiter/lanes.ts';
import { DEFAULT_REQUESTS_PER_SECOND, type Limits } from '../../cloud/limiter/limits.ts';
import { isPaused } from '../../reconcile/annotations.ts';
import type { ManagedObject } from '../../reconcile/managed-object.ts';
import { createNamespaceTurns, type NamespaceTurns, namespaceOf } from './namespace-turns.ts';

const HOUR_MILLISECONDS = 3_600_000;

/** What reading details of an account's objects of one kind may cost. */
export interface DetailRate {
  readonly api: Api;
  /** The part of the account's limit that it takes while there are few of them. */
  readonly share: number;
  /** With many it takes as much as it needs to see each within so many hours, but no more than this part of the limit. */
  readonly within?: { readonly hours: number; readonly share: number };
}

/**
 * The rates of all kinds. Together they leave more than two thirds of the cloud requests, and almost half of an hour of web
 * acceleration with a thousand sites, to everything that somebody waits for.
 */
export const detailRates = {
  /** Carriers of SIMs whose spec names some. */
  carriers: { api: 'cloud', share: 1 / 10 },
  /** Carriers of all other SIMs, which are only told. */
  otherCarriers: { api: 'cloud', share: 1 / 100 },
  /** Rates of SIMs, where they are asked for. */
  simRates: { api: 'cloud', share: 1 / 10 },
  gateways: { api: 'cloud', share: 1 / 10 },
  sites: { api: 'webaccel', share: 4 / 25, within: { hours: 11.5, share: 9 / 25 } },
  certificates: { api: 'webaccel', share: 2 / 25, within: { hours: 11.5, share: 9 / 50 } },
} as const satisfies Record<string, DetailRate>;

/** A higher limit than that has nothing read more often than so many times an hour: nobody asked for it. */
const OFTEN_ENOUGH_PER_HOUR = 6;

/** How many requests an hour go into details that take `total` requests to read once. Pure. */
export function requestsPerHour({ api, share, within }: DetailRate, limits: Limits, total: number): number {
  if (api === 'cloud') {
    const enough = Math.max(DEFAULT_REQUESTS_PER_SECOND * 3600 * share, total * OFTEN_ENOUGH_PER_HOUR);
    return Math.min(limits.cloudRequestsPerSecond * 3600 * share, enough);
  }
  const limit = limits.webAccelRequestsPerHour;
  const needed = within === undefined ? 0 : Math.min(total / within.hours, limit * within.share);
  return Math.max(limit * share, needed);
}

/** What the turns of one account's objects go by. Times are milliseconds. */
export interface TurnOptions<T> {
  /** When a pass read or wrote what is read in turn here, in this process: it had its turn then, whoever gave it. */
  readonly knownAt?: ((object: T) => number | undefined) | undefined;
  /** Monotonic. */
  readonly now: number;
  /** No object is read more often than this. */
  readonly least: number;
  /** Given the requests it takes to read all of them once. */
  readonly perHour: (total: number) => number;
  /** How many requests it takes to read this one. */
  readonly requestsFor: (object: T) => number;
}

interface Purse {
  at: number;
  requests: number;
  readonly namespaces: NamespaceTurns;
}

/**
 * Has details that no list shows read in turn, at a steady rate for each account: whoever waited longest is next, so
 * each is read again as soon as all the others were, and where several namespaces share an account, they take turns beside.
 * Where this process has not looked yet, the order is random, so that restarts don't favour the same few.
 */
export function createTurns(random: () => number) {
  const readAt = new Map<string, number>();
  /** Who asked last is last. */
  const purses = new Map<string, Purse>();

  function takenAt(uid: string): number {
    const known = readAt.get(uid);
    if (known !== undefined) return known;
    const before = -random() * HOUR_MILLISECONDS - HOUR_MILLISECONDS;
    readAt.set(uid, before);
    return before;
  }

  return {
    /** Those of an account whose turn it is; they count as read. */
    due<T extends ManagedObject>(account: string, objects: readonly T[], options: TurnOptions<T>): T[] {
      const { now, least, perHour, requestsFor, knownAt } = options;
      const purse = purses.get(account) ?? { at: now, requests: 0, namespaces: createNamespaceTurns() };
      purses.delete(account);
      purses.set(account, purse);
      for (const [other, { at }] of purses) {
        if (now - at <= HOUR_MILLISECONDS) break;
        if (other !== account) purses.delete(other);
      }
      const all = objects.filter(
        (object) =>
          object.status?.id !== undefined && object.metadata.deletionTimestamp === undefined && !isPaused(object),
      );
      const total = all.reduce((sum, object) => sum + requestsFor(object), 0);
      purse.requests += (perHour(total) * (now - purse.at)) / HOUR_MILLISECONDS;
      purse.at = now;
      const waiting = all
        .map((object) => ({
          object,
          at: Math.max(takenAt(object.metadata.uid), knownAt?.(object) ?? Number.NEGATIVE_INFINITY),
        }))
        .filter(({ at }) => now - at >= least)
        .sort((a, b) => a.at - b.at)
        .map(({ object }) => object);
      const chosen = purse.namespaces.take(waiting, new Set(all.map(namespaceOf)), (object) => {
        const cost = requestsFor(object);
        if (purse.requests < cost) return false;
        purse.requests -= cost;
        readAt.set(object.metadata.uid, now);
        return true;
      });
      // Nobody is left to spend the rest on, and saved up it would be a burst.
      if (chosen.length === waiting.length) purse.requests = 0;
      return chosen;
    },
    forget: (uid: string): void => void readAt.delete(uid),
  };
}
