import type { Clock } from '../../clock.ts';
import type { KubeClient } from '../../kubernetes/client.ts';
import type { ClusterTime } from '../../kubernetes/cluster-time.ts';
import { isConflict } from '../../kubernetes/errors.ts';
import type { Informer } from '../../kubernetes/informer.ts';
import type { Resource } from '../../kubernetes/resource.ts';
import { newestOf } from '../../reconcile/newest.ts';
import type { ObjectKey } from '../../reconcile/reconciler.ts';
import { type AgedGrant, COUNTED_MILLISECONDS, type Grant, HOUR_MILLISECONDS } from './brake-rule.ts';
import { grantOf, isSame, type Named, named, nameOf, type Page, pageOf, recordOf, type Stored } from './ledger-page.ts';
import type { Account } from './schema.ts';
import { MOST_GRANTS } from './status-schema.ts';

/** Whether something is on record and may be done, is too much beside what is, or finds no room there. */
export type Entered = 'in' | 'too much' | 'no room';

/** An account, and where it lives. */
export interface LedgerAccount {
  readonly key: ObjectKey;
  readonly resource: Resource;
  readonly informer: Informer<Account>;
  readonly object: Account;
}

/** What is to be let through, if what is on record at that moment allows it. */
export interface Entry {
  readonly grant: Omit<Grant, 'at'>;
  /** When it was asked for, by the cluster's clock: it is later than that by now. Milliseconds since the epoch. */
  readonly askedAt: number;
  /** Whether it may be, beside these. Asked again if somebody else wrote meanwhile. */
  mayEnter(grants: readonly AgedGrant[]): boolean;
}

/**
 * Keeps on record, in the accounts' statuses, what was let through. Each write is conditional on the record that it was
 * decided by, so two processes never let through more than one would.
 */
export interface Ledger {
  /** What is on record of an account as last seen, and what this process has let through. */
  grants(key: ObjectKey, account: Account | undefined): readonly AgedGrant[];
  /** The one of these for the same. */
  find(key: ObjectKey, account: Account | undefined, grant: Omit<Grant, 'at'>): AgedGrant | undefined;
  /** Whether it was let through: then it is on record when this resolves. Many at once are one write. */
  enter(account: LedgerAccount, entry: Entry): Promise<Entered>;
  /** The same in this process alone, where there is no account to write to: its session ends with the process, too. */
  enterUnrecorded(key: ObjectKey, entry: Entry): Entered;
  /** The account is gone: nothing is kept of it but what counts if it is made anew. */
  forget(key: ObjectKey): void;
  /** What is to be on record of the account where it lacks something that counts, as when it was made anew; else undefined. */
  unrecorded(key: ObjectKey, account: Account): readonly Stored[] | undefined;
}

/** So many times a record is sent while others write, too. */
const TRIES = 6;

/** So far the cluster's clock may be behind what is on record, rather than that ahead of it. Milliseconds. */
const LONGEST_BEHIND_MILLISECONDS = 24 * HOUR_MILLISECONDS;

interface Asked {
  readonly entry: Entry;
  readonly account: LedgerAccount;
  resolve(entered: Entered): void;
  reject(error: unknown): void;
}

/** What a process knows of one account's grants. */
interface Book {
  page: Page;
  /** When each grant was seen first; monotonic milliseconds. */
  readonly seen: Map<string, number>;
  /** Those let through by this process, or on record of an account that is gone, when; they count even if it is made anew. */
  readonly own: Map<string, { readonly grant: Grant; readonly monotonic: number }>;
  readonly line: Asked[];
  isWriting: boolean;
}

export function createLedger(options: {
  readonly client: KubeClient;
  readonly clock: Clock;
  readonly time: Pick<ClusterTime, 'latest' | 'toOwn'>;
  /** Which of an account's grants still count. */
  readonly kept: (key: ObjectKey, grants: readonly AgedGrant[]) => readonly AgedGrant[];
}): Ledger {
  const { client, clock, time } = options;
  const books = new Map<ObjectKey, Book>();
  /** Accounts that were deleted, and of which something is still kept. */
  const gone = new Set<ObjectKey>();

  function bookOf(key: ObjectKey): Book {
    const found = books.get(key);
    if (found) return found;
    const book: Book = {
      page: pageOf(undefined, undefined),
      seen: new Map(),
      own: new Map(),
      line: [],
      isWriting: false,
    };
    books.set(key, book);
    return book;
  }

  /**
   * How long ago it was at least, whatever clocks say: of what this process let through it knows; otherwise the cluster's
   * clock and its own must both say so, unless it has itself known of it for longer.
   */
  function aged(book: Book, { grant, name, moment }: Named): AgedGrant {
    const now = clock.monotonic();
    const own = book.own.get(name);
    if (own && own.grant.at >= grant.at) return { ...grant, age: now - own.monotonic };
    const seen = book.seen.get(moment) ?? now;
    book.seen.set(moment, seen);
    const byClocks = Math.min(clock.now() - time.toOwn(grant.at), clock.now() - grant.at);
    return { ...grant, age: Math.max(now - seen, byClocks) };
  }

  function read(book: Book, account: Account | undefined): Page {
    const { brakes } = account?.status ?? {};
    const uid = account?.metadata.uid;
    if (book.page.of === brakes && book.page.uid === uid) return book.page;
    if (book.page.uid !== uid) keep(book);
    book.page = pageOf(uid, brakes);
    const moments = new Set(book.page.grants.map(({ moment }) => moment));
    for (const moment of book.seen.keys()) if (!moments.has(moment)) book.seen.delete(moment);
    return book.page;
  }

  /** What was on record of an account counts whatever has become of that. */
  function keep(book: Book): void {
    const now = clock.monotonic();
    for (const one of book.page.grants) {
      const { grant, age } = { grant: one.grant, age: aged(book, one).age };
      if (!book.own.has(one.name)) book.own.set(one.name, { grant, monotonic: now - age });
    }
    dropOld(book);
  }

  function grants(key: ObjectKey, account: Account | undefined): readonly AgedGrant[] {
    const book = bookOf(key);
    const page = read(book, account);
    const own = [...book.own].filter(([name]) => !page.byName.has(name)).map(([, { grant }]) => named(grant));
    return [...page.grants, ...own].map((one) => aged(book, one));
  }

  function find(key: ObjectKey, account: Account | undefined, grant: Omit<Grant, 'at'>): AgedGrant | undefined {
    const book = bookOf(key);
    const name = nameOf(grant);
    const own = book.own.get(name);
    const found = read(book, account).byName.get(name) ?? (own && named(own.grant));
    return found && aged(book, found);
  }

  function note(book: Book, entered: readonly Grant[]): void {
    const monotonic = clock.monotonic();
    for (const grant of entered) book.own.set(nameOf(grant), { grant, monotonic });
    dropOld(book);
  }

  /** The record goes on counting them, if need be. */
  function dropOld({ own }: Book): void {
    const now = clock.monotonic();
    for (const [name, { monotonic }] of own) if (now - monotonic > COUNTED_MILLISECONDS) own.delete(name);
  }

  function unrecorded(key: ObjectKey, account: Account): readonly Stored[] | undefined {
    const all = grants(key, account);
    const { byName } = bookOf(key).page;
    if (all.every((grant) => byName.has(nameOf(grant)))) return undefined;
    const kept = options.kept(key, all);
    if (kept.every((grant) => byName.has(nameOf(grant)))) return undefined;
    const now = time.latest();
    return kept.slice(-MOST_GRANTS).map((grant) => recordOf(Number.isFinite(grant.at) ? grant : { ...grant, at: now }));
  }

  /** Those that may enter one after the other, and the record with them. */
  function decide(key: ObjectKey, account: Account | undefined, entries: readonly Entry[]) {
    const kept = options.kept(key, grants(key, account));
    // A clock that is behind must not date what is let through before it was asked for, nor before what is on record.
    const soFar = time.latest() + LONGEST_BEHIND_MILLISECONDS;
    const asked = entries.map(({ askedAt }) => askedAt).filter((at) => !Number.isNaN(at));
    const before = kept.map(({ at }) => at).filter((at) => at <= soFar);
    const now =
      Math.ceil([...asked, ...before].reduce((one, other) => Math.max(one, other), time.latest()) / 1000) * 1000;
    // What is far ahead is not believed: a clock was.
    let all = kept.map((grant) => ({ ...grant, at: Math.min(grant.at, now) }));
    const entered = new Map<Entry, Grant>();
    const withoutRoom = new Set<Entry>();
    for (const entry of entries) {
      if (!entry.mayEnter(all)) continue;
      if (all.length >= MOST_GRANTS) {
        withoutRoom.add(entry);
        continue;
      }
      const grant = { ...entry.grant, at: now };
      entered.set(entry, grant);
      // One that is let through once more counts from now on.
      all = [...all.filter((other) => !isSame(other, grant)), { ...grant, age: 0 }];
    }
    const answerTo = (entry: Entry): Entered =>
      entered.has(entry) ? 'in' : withoutRoom.has(entry) ? 'no room' : 'too much';
    return { all, entered, answerTo };
  }

  async function write(book: Book, batch: readonly Asked[], seen: LedgerAccount, tries = 1): Promise<void> {
    const { key, resource, informer } = seen;
    const object = informer.get(seen.object.metadata.namespace, seen.object.metadata.name) ?? seen.object;
    const { all, entered, answerTo } = decide(
      key,
      object,
      batch.map(({ entry }) => entry),
    );
    if (entered.size > 0) {
      const { namespace, name, uid, resourceVersion } = object.metadata;
      const patch = { metadata: { uid, resourceVersion }, status: { brakes: all.map(recordOf) } };
      try {
        const written = await client.mergePatch<Account>(resource, namespace, name, patch, { subresource: 'status' });
        informer.put(written);
        const stored = new Set((written.status?.brakes ?? []).map((one) => nameOf(grantOf(one))));
        // An apiserver whose CRDs were rolled back drops it without a word: then it is on record nowhere.
        for (const [entry, grant] of entered) if (!stored.has(nameOf(grant))) entered.delete(entry);
      } catch (error) {
        if (!isConflict(error) || tries === TRIES) throw error;
        await newestOf({ client, resource, informer }, object, error);
        return write(book, batch, seen, tries + 1);
      }
      note(book, [...entered.values()]);
    }
    for (const { entry, resolve } of batch) resolve(answerTo(entry));
  }

  async function writeAll(book: Book): Promise<void> {
    book.isWriting = true;
    for (let batch = book.line.splice(0); batch.length > 0; batch = book.line.splice(0)) {
      const last = batch.at(-1);
      if (!last) break;
      try {
        await write(book, batch, last.account);
      } catch (error) {
        for (const { reject } of batch) reject(error);
      }
    }
    book.isWriting = false;
  }

  return {
    grants,
    find,
    enter(account, entry) {
      const book = bookOf(account.key);
      return new Promise((resolve, reject) => {
        book.line.push({ entry, account, resolve, reject });
        if (!book.isWriting) void writeAll(book);
      });
    },
    enterUnrecorded(key, entry) {
      const { entered, answerTo } = decide(key, undefined, [entry]);
      note(bookOf(key), [...entered.values()]);
      return answerTo(entry);
    },
    unrecorded,
    forget(key) {
      gone.add(key);
      for (const one of gone) {
        const book = books.get(one);
        if (book?.isWriting) continue;
        if (book) read(book, undefined);
        if (book) dropOld(book);
        if (book && book.own.size > 0) continue;
        books.delete(one);
        gone.delete(one);
      }
    },
  };
}
