import { backoffDelay } from '../backoff.ts';
import type { ObjectKey } from './reconciler.ts';

/** The part of an hour's requests that all that is refused for now may take of it. */
const SHARE = 1 / 5;
/**
 * A namespace that has had something refused without end for so long shares one half of that with others of the kind; the other
 * half is for those of which something was refused lately, and is likely to be taken soon. Milliseconds.
 */
const LATELY_MILLISECONDS = 3_600_000;
/** What a namespace has not used of its part in an hour it may use at once, and so many tries at least. */
const LEAST_BURST = 5;
/** So many of these are left to what was refused first so lately, for it may well be taken at the next. */
const RESERVED = { tries: 3, milliseconds: 300_000 };
/** So that a process that has just begun bears an outage, too: such may be tried beside that with this part of an hour's once. */
const AT_FIRST = 1 / 2;
const FIRST_MILLISECONDS = 1000;
const HOUR_MILLISECONDS = 3_600_000;
/** One alone is tried again after this at the latest. Milliseconds. */
const LONGEST_MILLISECONDS = 300_000;
/**
 * Between two looks whether it may be tried: what was refused lately is looked after more often, and many more rarely, for each
 * look may read a Secret. Milliseconds.
 */
const LOOK_MILLISECONDS = { least: 1000, each: 5000, few: 60_000, most: 180_000 };
/** Who may try, and does not so long, as when something else is in its way, is passed over. Milliseconds. */
const OFFER_MILLISECONDS = 30_000;
/** Once one is taken, so many of those that wait with it may ask at once: the service may take these, too. */
const NEXT = 3;
/** Nobody asked for so long: it is gone, or wanted no more. Milliseconds. */
const LEFT_MILLISECONDS = 300_000;

/** Something that was refused, and in whose hour of requests. */
export interface Refused {
  /** Of the account. */
  readonly identity: string;
  /** A namespace. */
  readonly party: string;
  readonly uid: string;
  readonly key?: ObjectKey;
  /** So many tries are an hour's requests. */
  readonly limit: number;
  /** It failed in an earlier process, too, and since when. Monotonic milliseconds. */
  readonly since?: number | undefined;
}

/**
 * When what the service refused for now is sent again, where each try costs a request of an hour's: much that is refused
 * again and again must not use up what others need, nor that of one namespace what another's may take. A try that is taken
 * costs nothing of that: once the service takes such requests again, one follows the other. `now` is monotonic milliseconds.
 */
export interface Refusals {
  /** It was refused, so many times in a row by now. */
  refused(refused: Refused, times: number, now: number): void;
  /** 0: it may be tried; else after how many milliseconds that is worth asking again. */
  wait(refused: Refused, now: number): number;
  /** So many requests are about to find out what it would be tried with, as far as that is its turn. */
  reads(refused: Refused, requests: number, now: number): void;
  /**
   * It is about to be tried, with so many requests, of which so many may have been counted as a look. Whatever comes of that,
   * its next turn comes after those of others.
   */
  tries(refused: Refused, requests: number, now: number, looks?: number): void;
  /** It is refused no more, or there no more. Gives who may ask at once then. */
  taken(uid: string): ObjectKey[];
}

interface Entry {
  readonly key: ObjectKey | undefined;
  /** When it was refused first, of those in a row. */
  readonly since: number;
  readonly refusedAt: number;
  /** Tries in a row. */
  readonly times: number;
  readonly notBefore: number;
  askedAt: number;
  /** It may be tried until then. */
  offeredUntil: number;
  /** The requests of a try of it that is under way, as far as they were counted. */
  tried: number;
}

/** What may be tried of what time gave, and when that was counted last. */
interface Tries {
  tries: number;
  countedAt: number;
}

interface Party extends Tries {
  /** When something of it was refused first, with never an hour in which nothing was. */
  readonly since: number;
  /** By UID, whose turn comes first, first. */
  readonly entries: Map<string, Entry>;
}

/** Its tries are those of all its namespaces together: one that begins to fail has no more of what was not used than is left. */
interface Account extends Tries {
  /** What is left of the tries that a process has once. */
  first: number;
  readonly parties: Map<string, Party>;
}

/**
 * `random`: at least 0, and less than 1. `startedAt`: since when all that was tried is known; monotonic milliseconds.
 */
export function createRefusals(random: () => number, startedAt: () => number): Refusals {
  const accounts = new Map<string, Account>();

  const unused = (now: number) => ({ tries: LEAST_BURST, countedAt: Math.max(startedAt(), now - HOUR_MILLISECONDS) });

  function createAccount(limit: number, now: number): Account {
    const { tries, countedAt } = unused(now);
    const part = AT_FIRST * (1 - (now - countedAt) / HOUR_MILLISECONDS);
    return { tries, countedAt, first: limit * SHARE * part, parties: new Map() };
  }

  function accountOf(refused: Refused, now: number): Account {
    const { identity, limit } = refused;
    const account = accounts.get(identity) ?? createAccount(limit, now);
    accounts.set(identity, account);
    count(account, HOUR_MILLISECONDS / Math.max(1, limit * SHARE), now);
    return account;
  }

  /** Lets go of who does not ask any more, and of what need not be remembered: after an hour all tries are there again. */
  function clean(now: number): void {
    for (const [identity, { parties }] of accounts) {
      for (const [name, party] of parties) {
        for (const [uid, { askedAt, notBefore }] of party.entries) {
          if (Math.max(askedAt, notBefore) + LEFT_MILLISECONDS < now) party.entries.delete(uid);
        }
        if (party.entries.size === 0 && party.countedAt + HOUR_MILLISECONDS < now) parties.delete(name);
      }
      if (parties.size === 0) accounts.delete(identity);
    }
  }

  function partyOf(refused: Refused, now: number): Party {
    const { parties } = accountOf(refused, now);
    const { since = now } = refused;
    const known = parties.get(refused.party) ?? { ...unused(now), since, entries: new Map() };
    parties.set(refused.party, known);
    return known;
  }

  /** Milliseconds in which a namespace of an account may try one more, by the namespace. */
  function intervalsOf(refused: Refused, now: number): (party: Party) => number {
    const isRecent = ({ since }: Party) => since > now - LATELY_MILLISECONDS;
    const sharing = [...accountOf(refused, now).parties.values()].filter(({ entries }) => entries.size > 0);
    const recent = sharing.filter(isRecent).length;
    const share = recent > 0 && recent < sharing.length ? SHARE / 2 : SHARE;
    return (party) => {
      const alike = Math.max(1, isRecent(party) ? recent : sharing.length - recent);
      return (alike * HOUR_MILLISECONDS) / Math.max(1, refused.limit * share);
    };
  }

  function count(of: Tries, interval: number, now: number): void {
    const most = Math.max(LEAST_BURST, HOUR_MILLISECONDS / interval);
    of.tries = Math.min(most, of.tries + (now - of.countedAt) / interval);
    of.countedAt = now;
  }

  function take(refused: Refused, party: Party, requests: number, now: number): void {
    const account = accountOf(refused, now);
    const first = Math.min(account.first, Math.max(0, requests - Math.max(0, party.tries)));
    account.first -= first;
    party.tries -= requests - first;
    account.tries -= requests - first;
  }

  /** Counts what each namespace may try. */
  function settle(refused: Refused, now: number): void {
    clean(now);
    const intervalOf = intervalsOf(refused, now);
    for (const party of accountOf(refused, now).parties.values()) {
      // One of which nothing is refused is forgotten an hour after it was counted last.
      if (party.entries.size > 0) count(party, intervalOf(party), now);
    }
  }

  /** Puts it behind all others of its namespace. */
  function putLast({ entries }: Party, uid: string, entry: Omit<Entry, 'offeredUntil'>): Entry {
    const last = { ...entry, offeredUntil: Number.NEGATIVE_INFINITY };
    entries.delete(uid);
    entries.set(uid, last);
    return last;
  }

  const later = (now: number, times: number) => now + backoffDelay(FIRST_MILLISECONDS, times - 1, LONGEST_MILLISECONDS);

  /** The same of what was refused. */
  function enter(refused: Refused, party: Party, entry: Omit<Entry, 'offeredUntil'>, now: number): Entry {
    const isFirst = party.entries.size === 0;
    const entered = putLast(party, refused.uid, entry);
    if (!isFirst) return entered;
    // What it did not use while nothing of it failed, others may have used.
    count(party, intervalsOf(refused, now)(party), now);
    party.tries = Math.min(party.tries, Math.max(LEAST_BURST, accountOf(refused, now).tries));
    return entered;
  }

  function entryOf(refused: Refused, party: Party, now: number): Entry {
    const known = party.entries.get(refused.uid);
    // When it was refused first was before this process.
    const { key, since = Number.NEGATIVE_INFINITY } = refused;
    const made = {
      key,
      since,
      refusedAt: now,
      times: 1,
      notBefore: now,
      askedAt: now,
      tried: 0,
    };
    return known ?? enter(refused, party, made, now);
  }

  return {
    refused(refused, times, now) {
      const notBefore = later(now, times);
      const party = partyOf(refused, now);
      const before = refused.since ?? (times === 1 ? now : undefined);
      const since = before ?? party.entries.get(refused.uid)?.since ?? Number.NEGATIVE_INFINITY;
      const { key } = refused;
      enter(refused, party, { key, since, refusedAt: now, times, notBefore, askedAt: now, tried: 0 }, now);
      settle(refused, now);
    },
    wait(refused, now) {
      const party = partyOf(refused, now);
      const entry = entryOf(refused, party, now);
      entry.askedAt = now;
      settle(refused, now);
      if (entry.offeredUntil > now) return 0;
      if (now < entry.notBefore) return entry.notBefore - now;
      const entries = [...party.entries];
      const offered = entries.filter(([, { offeredUntil }]) => offeredUntil > now).length;
      const isNew = ({ since }: Entry) => since > now - RESERVED.milliseconds;
      const due = entries.filter(([, other]) => {
        if (isNew(entry) && !isNew(other)) return false;
        return other.notBefore <= now && other.offeredUntil <= now;
      });
      const place = due.findIndex(([uid]) => uid === refused.uid);
      const more = isNew(entry) ? accountOf(refused, now).first : -Math.min(RESERVED.tries, entries.length - 1);
      const left = party.tries - offered + more;
      // Who waits longest asks now and then only, and must not keep all others waiting until then.
      if (left >= 1 && place < due.length / 2) {
        putLast(party, refused.uid, entry).offeredUntil = now + OFFER_MILLISECONDS;
        return 0;
      }
      const turn = (place + 1 - left) * intervalsOf(refused, now)(party);
      const { least, each, few, most } = LOOK_MILLISECONDS;
      const longest = Math.min(most, Math.max(few, each * due.length));
      const look = Math.min(longest, Math.max(least, (now - entry.refusedAt) / 2));
      return Math.max(least, Math.min(turn, look)) * (0.75 + random() / 2);
    },
    reads(refused, requests, now) {
      const party = partyOf(refused, now);
      count(party, intervalsOf(refused, now)(party), now);
      const entry = entryOf(refused, party, now);
      if (entry.offeredUntil <= now) return;
      take(refused, party, requests, now);
      entry.tried += requests;
    },
    tries(refused, requests, now, looks = 0) {
      const party = partyOf(refused, now);
      count(party, intervalsOf(refused, now)(party), now);
      const { since, refusedAt, times: before, offeredUntil, tried: read } = entryOf(refused, party, now);
      // What was edited did not wait for its turn, and takes none.
      const tried = offeredUntil > now ? requests - Math.min(read, looks) : 0;
      take(refused, party, tried, now);
      const times = before + 1;
      const notBefore = later(now, times);
      putLast(party, refused.uid, {
        key: refused.key,
        since,
        refusedAt,
        times,
        notBefore,
        askedAt: now,
        tried: read + tried,
      });
    },
    taken(uid) {
      const next: ObjectKey[] = [];
      for (const account of accounts.values()) {
        for (const party of account.parties.values()) {
          const entry = party.entries.get(uid);
          if (!entry) continue;
          party.tries += entry.tried;
          account.tries += entry.tried;
          party.entries.delete(uid);
          next.push(...[...party.entries.values()].flatMap(({ key }) => key ?? []).slice(0, NEXT));
        }
      }
      return next;
    },
  };
}
