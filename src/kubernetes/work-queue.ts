import { backoffDelay, jittered } from '../backoff.ts';
import type { Clock } from '../clock.ts';
import type { Place } from '../waiting-line.ts';
import { createDelays } from './delays.ts';
import { createFairLine, type GroupMayGo, type MayGo } from './fair-line.ts';
import { createUnderWay, type Taken, type UnderWayLimits } from './under-way.ts';

/**
 * What goes first: deletions and what is as urgent, then what a person changed, what was observed, what is half made, what is
 * still to be made, and routine.
 */
export type Priority = 'deletion' | 'change' | 'observation' | 'begun' | 'creation' | 'resync';

/**
 * Something that was observed makes what failed due no sooner than so long after it failed, unless it would be due by then: it
 * may be what the pass itself has asked for, and then one would lead to the other without end. Milliseconds.
 */
const OBSERVED_MILLISECONDS = 10_000;

const PRIORITIES: readonly Priority[] = ['deletion', 'change', 'observation', 'begun', 'creation', 'resync'];

/**
 * The queue between watches and workers, with the guarantees of client-go's: a key is waiting at most once, is worked on
 * by one worker at a time, and a key added while worked on is worked on once more. Among keys of one priority groups take
 * turns, and the parties of a group in its turns; a group that has its share under way waits, and so does a party whose groups
 * together have it while others ask, so that nobody's keys wait for those of another.
 */
export interface WorkQueue<K extends string = string> {
  /**
   * Makes the key due now. A higher priority promotes a waiting key; a delay pending for it is dropped, but that of a retry,
   * for an observation, only some time after the failure. Default `change`.
   */
  add(key: K, priority?: Priority): void;
  /** Makes the key due later; with several delays the earliest holds, and a key already due stays due. */
  addAfter(key: K, milliseconds: number, priority?: Priority): void;
  /** Makes the key due after a delay that doubles with each call until `forget`; gives the milliseconds chosen. */
  retry(key: K, priority?: Priority): number;
  /** The key went well: its next `retry` begins with the shortest delay. */
  forget(key: K): void;
  /** The next key, waiting for one; undefined when shut down or aborted. `done` must follow. */
  get(signal?: AbortSignal): Promise<K | undefined>;
  done(key: K): void;
  /** Keys due and waiting for a worker. */
  readonly length: number;
  /** Keys being worked on. */
  readonly active: number;
  /** Wakes every waiting worker with undefined; whatever is still due is dropped. */
  shutDown(): void;
}

/** Told of what happens, for metrics. Seconds. */
export interface WorkQueueObserver {
  added?(): void;
  retried?(): void;
  started?(waitedSeconds: number): void;
  finished?(workedSeconds: number): void;
}

export interface WorkQueueOptions {
  clock: Clock;
  /** Uniform in [0, 1). */
  random: () => number;
  /** Milliseconds of the first retry; default 500. */
  baseBackoff?: number;
  /** Milliseconds no retry exceeds; default 5 minutes. */
  maxBackoff?: number;
  observer?: WorkQueueObserver;
  /** Whose a key is; asked when it becomes due. By default all are one group. */
  groupOf?: (key: string) => string;
  /** Whose it is within its group, and may be in others; by default all are one party's. */
  partyOf?: (key: string) => string;
  /** The priority a key has that is made due with this one; by default the same. */
  priorityOf?: (key: string, asked: Priority) => Priority;
  /** How many keys may be under way at a time; by default any number. */
  limits?: UnderWayLimits;
}

interface Entry<K> {
  readonly key: K;
  state: 'idle' | 'due' | 'active' | 'dirty';
  group: string;
  party: string;
  /** Where it stands while it is due. */
  place: Place<Entry<K>> | undefined;
  /** What it has taken while it is under way. */
  taken: Taken | undefined;
  /** Index into PRIORITIES, of what is due or dirty. */
  rank: number;
  failures: number;
  /** When it failed last; monotonic milliseconds. */
  failedAt: number;
  /** It is dirty because something was observed, and for nothing else. */
  isOnlyObserved: boolean;
  dueSince: number;
  startedAt: number;
}

export function createWorkQueue<K extends string = string>(options: WorkQueueOptions): WorkQueue<K> {
  const {
    clock,
    random,
    observer,
    baseBackoff = 500,
    maxBackoff = 300_000,
    groupOf,
    partyOf,
    priorityOf,
    limits,
  } = options;
  const entries = new Map<K, Entry<K>>();
  const underWay = createUnderWay(limits);
  const lanes = PRIORITIES.map((_, rank) => {
    const mayGo = (group: string, party: string) => underWay.mayGo(group, party, rank);
    /** Groups that are full, and where all who wait have some under way. */
    const fullInVain = new Set<string>();
    const roomy: GroupMayGo = {
      group: (group) => underWay.groupHasPlace(group, rank) || !fullInVain.has(group),
      party: (party, group) => mayGo(group, party),
      inVain: (group) => void fullInVain.add(group),
    };
    /** Parties that wait here for groups alone that have some under way: there may be thousands of these to look at. */
    const withoutIdle = new Set<string>();
    const inVain = (party: string) => void withoutIdle.add(party);
    const modest: MayGo = { party: underWay.isModest, group: mayGo, inVain };
    const spared: MayGo = {
      party: (party) => underWay.mayHaveSpare(party, !withoutIdle.has(party)),
      group: (group, party) => mayGo(group, party) && underWay.isSpared(group, party),
      inVain,
    };
    return { rank, line: createFairLine<Entry<K>>(), withoutIdle, fullInVain, roomy, modest, spared };
  });
  const delays = createDelays<Entry<K>>(clock, makeDue);
  const waiters = new Set<(key: K | undefined) => void>();
  let due = 0;
  let shut = false;
  const rankOf = (key: K, asked: Priority) => PRIORITIES.indexOf(priorityOf?.(key, asked) ?? asked);

  function entryOf(key: K): Entry<K> {
    let entry = entries.get(key);
    if (!entry) {
      entry = {
        key,
        state: 'idle',
        group: '',
        party: '',
        place: undefined,
        taken: undefined,
        rank: 0,
        failures: 0,
        failedAt: 0,
        isOnlyObserved: false,
        dueSince: 0,
        startedAt: 0,
      };
      entries.set(key, entry);
    }
    return entry;
  }

  function dropIfIdle(entry: Entry<K>): void {
    if (entry.state === 'idle' && !delays.has(entry) && entry.failures === 0) entries.delete(entry.key);
  }

  function makeDue(entry: Entry<K>, rank: number, isObserved = false): void {
    delays.drop(entry);
    entry.isOnlyObserved = isObserved && (entry.state === 'active' || entry.isOnlyObserved);
    switch (entry.state) {
      case 'idle':
        enqueue(entry, rank);
        break;
      case 'due':
        if (rank < entry.rank) {
          if (entry.place) lanes[entry.rank]?.line.leave(entry.group, entry.party, entry.place);
          entry.rank = rank;
          join(entry);
          // The priority may have a place left where the old one had none.
          wakeOne();
        }
        break;
      case 'active':
        entry.state = 'dirty';
        entry.rank = rank;
        entry.dueSince = clock.monotonic();
        observer?.added?.();
        break;
      case 'dirty':
        entry.rank = Math.min(entry.rank, rank);
        break;
    }
  }

  function enqueue(entry: Entry<K>, rank: number): void {
    entry.state = 'due';
    entry.rank = rank;
    entry.dueSince = clock.monotonic();
    due++;
    observer?.added?.();
    lineUp(entry);
    wakeOne();
  }

  function lineUp(entry: Entry<K>): void {
    entry.group = groupOf?.(entry.key) ?? '';
    entry.party = partyOf?.(entry.key) ?? '';
    join(entry);
  }

  function join(entry: Entry<K>): void {
    const { group, party, rank } = entry;
    entry.place = lanes[rank]?.line.push(group, party, entry);
    if (underWay.isIdle(group)) lanes[rank]?.withoutIdle.delete(party);
    if (underWay.mayGo(group, party, rank)) lanes[rank]?.fullInVain.delete(group);
  }

  function giveBack({ taken, group }: Entry<K>): void {
    if (taken) underWay.giveBack(taken);
    for (const { fullInVain } of lanes) fullInVain.delete(group);
    if (!underWay.isIdle(group)) return;
    for (const { line, withoutIdle } of lanes) for (const party of line.partiesOf(group)) withoutIdle.delete(party);
  }

  /** Whether there was somebody to wake, and something to give. */
  function wakeOne(): boolean {
    const [waiter] = waiters;
    const key = waiter && take();
    if (key === undefined) return false;
    waiter?.(key);
    return true;
  }

  function shift({ line, roomy, modest, spared }: (typeof lanes)[number]): Entry<K> | undefined {
    if (underWay.isFull()) return line.shiftOf(spared);
    const first = underWay.isScarce() ? line.shiftOf(modest) : undefined;
    return first ?? line.shift(roomy);
  }

  function take(): K | undefined {
    for (const lane of lanes) {
      const entry = shift(lane);
      if (!entry) continue;
      entry.state = 'active';
      entry.place = undefined;
      entry.startedAt = clock.monotonic();
      entry.taken = underWay.take(entry.group, entry.party, lane.rank);
      due--;
      observer?.started?.((entry.startedAt - entry.dueSince) / 1000);
      return entry.key;
    }
    return undefined;
  }

  function delayUntil(entry: Entry<K>, at: number, rank: number): void {
    if (entry.state === 'idle' || entry.state === 'active') delays.put(entry, at, rank);
  }

  return {
    add(key, priority = 'change') {
      if (shut) return;
      const entry = entryOf(key);
      const isObserved = priority === 'observation';
      const soonest = entry.failedAt + OBSERVED_MILLISECONDS;
      const isEarly = isObserved && entry.state === 'idle' && delays.has(entry) && entry.failures > 0;
      if (isEarly && clock.monotonic() < soonest) delays.put(entry, soonest, rankOf(key, priority));
      else makeDue(entry, rankOf(key, priority), isObserved);
    },

    addAfter(key, milliseconds, priority = 'resync') {
      if (shut) return;
      const rank = rankOf(key, priority);
      if (milliseconds <= 0) makeDue(entryOf(key), rank);
      else delayUntil(entryOf(key), clock.monotonic() + milliseconds, rank);
    },

    retry(key, priority = 'observation') {
      const entry = entryOf(key);
      const chosen = Math.round(jittered(backoffDelay(baseBackoff, entry.failures++, maxBackoff), random));
      const isObserved = entry.state === 'dirty' && entry.isOnlyObserved;
      const milliseconds = isObserved ? Math.min(chosen, OBSERVED_MILLISECONDS) : chosen;
      if (isObserved) entry.state = 'active';
      entry.failedAt = clock.monotonic();
      observer?.retried?.();
      if (!shut) delayUntil(entry, clock.monotonic() + milliseconds, rankOf(key, priority));
      return milliseconds;
    },

    forget(key) {
      const entry = entries.get(key);
      if (!entry) return;
      entry.failures = 0;
      dropIfIdle(entry);
    },

    get(signal) {
      if (shut || signal?.aborted) return Promise.resolve(undefined);
      const key = take();
      if (key !== undefined) return Promise.resolve(key);
      return new Promise((resolve) => {
        const finish = (found: K | undefined) => {
          waiters.delete(finish);
          signal?.removeEventListener('abort', abort);
          resolve(found);
        };
        const abort = () => finish(undefined);
        signal?.addEventListener('abort', abort, { once: true });
        waiters.add(finish);
      });
    },

    done(key) {
      const entry = entries.get(key);
      if (!entry || (entry.state !== 'active' && entry.state !== 'dirty')) return;
      giveBack(entry);
      entry.taken = undefined;
      observer?.finished?.((clock.monotonic() - entry.startedAt) / 1000);
      const dirty = entry.state === 'dirty';
      entry.state = 'idle';
      if (dirty && !shut) {
        entry.state = 'due';
        due++;
        lineUp(entry);
      } else {
        dropIfIdle(entry);
      }
      // Where a party has nothing under way any more, the parts of all others are larger.
      while (wakeOne());
    },

    get length() {
      return due;
    },

    get active() {
      return underWay.size;
    },

    shutDown() {
      shut = true;
      delays.stop();
      for (const waiter of waiters) waiter(undefined);
    },
  };
}
