import { backoffDelay } from '../../backoff.ts';
import { type Clock, NO_LONGER_WANTED } from '../../clock.ts';
import { EdgelineError } from '../../errors.ts';
import type { CallOptions } from '../limiter/lanes.ts';
import { CONFIRM_AFTER_MILLISECONDS, type Doubt, doubtOf } from './doubt.ts';
import { fetchList } from './fetch.ts';
import { LEAST_ITEM_BYTES, type ListMemory, type ListShare } from './memory.ts';
import { type Asker, createObservers, isNew, rankOf } from './observers.ts';
import type { Page } from './page.ts';
import { createShown } from './shown.ts';
import type { ListChange, ListInformer, Snapshot } from './snapshot.ts';
import { createSpending } from './spending.ts';

export interface ListInformerOptions<T> {
  readonly fetchPage: (from: number, count: number, call: CallOptions) => Promise<Page<T>>;
  readonly idOf: (item: T) => string;
  readonly equal: (a: T, b: T) => boolean;
  readonly clock: Clock;
  readonly random: () => number;
  /** Between the end of a list and the begin of the next, give or take a tenth. */
  readonly intervalSeconds: number;
  /** After a list that succeeded the next poll comes no sooner than this, give or take as much; asked again and again. */
  readonly leastSeconds?: (() => number) | undefined;
  readonly pageSize: number;
  /** Between the begins of two lists asked for by observeAfter, so that a stream of creations shares lists; default 0. */
  readonly minimumGapMilliseconds?: number | undefined;
  /** Requests a second that may go now; lists that only what is new waits for take a part of them. By default any number. */
  readonly requestsPerSecond?: (() => number) | undefined;
  /** However few may go, such a list is taken within so long of the one before; default half a minute. */
  readonly longestMilliseconds?: number | undefined;
  /**
   * How many requests a party had of late: of those that wait for a list the one that had least pays for it. By default lists
   * are at the cost of the account.
   */
  readonly had?: ((party: string) => number) | undefined;
  /** The service gives the whole list in one answer and ignores `from`; default false. */
  readonly unpaged?: boolean | undefined;
  /** Told when a list ended: with why it failed, or undefined when it did not; after a failure, before who waits has another taken. */
  readonly onEnd?: ((error: unknown) => void) | undefined;
  /** Whether it is known why an item is not there any more; default never. */
  readonly explained?: ((id: string) => boolean) | undefined;
  /** Shared by all lists of the process; default without bounds. */
  readonly memory?: ListMemory | undefined;
}

/** The informer was stopped while somebody waited for a list. */
export class InformerStoppedError extends EdgelineError {
  readonly code = 'InformerStopped';

  constructor() {
    super('the list is not watched any more', 'Nothing to do: this process is stopping, or the account is gone.');
  }
}

interface Run {
  /** When it was begun, and from then on when its first page was asked for. Monotonic milliseconds. */
  startedAt: number;
  readonly abort: AbortController;
  /** Asked for by the poll, for nobody who confirms a write, and still without its first page. */
  idle: boolean;
  /** Its first page was asked for. */
  isSent: boolean;
  /** Who pays for the page that is asked for; undefined: the account. */
  payer: string | undefined;
}

/** See `longestMilliseconds`. */
const LONGEST_MILLISECONDS = 30_000;

/** After a failed list the next poll comes sooner than the interval: this long at first, doubled each time. */
const FIRST_RETRY_MILLISECONDS = 5000;

export function createListInformer<T>(options: ListInformerOptions<T>): ListInformer<T> {
  const { clock, random, idOf } = options;
  const gap = options.minimumGapMilliseconds ?? 0;
  const spending = createSpending(options.longestMilliseconds ?? LONGEST_MILLISECONDS);
  const explained = options.explained ?? (() => false);
  const observers = createObservers<Snapshot<T>>();
  const listeners = new Set<(change: ListChange<T>) => void>();
  const listListeners: ((snapshot: Snapshot<T>) => void)[] = [];
  let snapshot: Snapshot<T> | undefined;
  const shown = createShown(options.equal);
  let doubt: Doubt | undefined;
  /** What the last whole list takes of the memory. */
  let held: ListShare | undefined;
  let seconds: number | undefined;
  let error: unknown;
  let failures = 0;
  let incompletes = 0;
  let polling = false;
  let stopped = false;
  let run: Run | undefined;
  let lastStart = Number.NEGATIVE_INFINITY;
  let cancelPoll: (() => void) | undefined;
  let cancelWanted: (() => void) | undefined;

  /** `isPoll`: it is due without who only looks for something, and goes as if nobody did. */
  function list(isPoll = false): void {
    cancelWanted?.();
    cancelWanted = undefined;
    lastStart = clock.monotonic();
    const current: Run = {
      startedAt: lastStart,
      abort: new AbortController(),
      idle: observers.size === 0 || (isPoll && observers.mostPressing()?.lane === 'list'),
      isSent: false,
      payer: undefined,
    };
    run = current;
    void take(current);
  }

  async function take(current: Run): Promise<void> {
    const share = options.memory?.open();
    const begunAt = current.startedAt;
    let requests = 0;
    let worked = 0;
    try {
      const fetched = await fetchList({
        idOf,
        unpaged: options.unpaged ?? false,
        async fetchPage(from) {
          // Who waits for a write to show up is more urgent than the poll, also half-way through it.
          const asker = current.idle ? undefined : observers.mostPressing();
          current.payer = asker && options.had && observers.least(options.had);
          let bytes = 0;
          let answeredAt = clock.monotonic();
          const page = await options.fetchPage(from, options.pageSize, {
            lane: asker?.lane ?? 'list',
            turn: asker?.turn,
            payer: current.payer,
            signal: current.abort.signal,
            onSent() {
              const now = clock.monotonic();
              current.isSent = true;
              cancelPoll?.();
              if (from === 0) current.startedAt = now;
              // What is due, or nothing new waits for, is at the cost of who changes things, not of what is made later.
              if (asker === undefined || !observers.hasNew()) return;
              spending.sent(options.requestsPerSecond?.() ?? Number.POSITIVE_INFINITY, requestsOfOne(), now);
            },
            onAnswer(size) {
              bytes = size;
              answeredAt = clock.monotonic();
            },
          });
          requests++;
          worked += clock.monotonic() - answeredAt;
          current.idle = false;
          share?.take(Math.max(bytes, page.items.length * LEAST_ITEM_BYTES));
          return page;
        },
      });
      if (run !== current) return share?.release();
      held?.release();
      held = share;
      const fetchedAt = clock.monotonic();
      seconds = (fetchedAt - begunAt) / 1000;
      succeeded({ startedAt: current.startedAt, ...fetched });
      spending.read(worked + clock.monotonic() - fetchedAt, requests);
    } catch (reason) {
      share?.release();
      if (run !== current) return;
      failed(current, reason);
    }
  }

  function succeeded(taken: Snapshot<T>): void {
    run = undefined;
    error = undefined;
    failures = 0;
    incompletes = taken.complete ? 0 : incompletes + 1;
    if (taken.complete) doubt = doubtOf(shown.items, taken, doubt, explained);
    const whole = incompletes > 0 ? { ...taken, incompletes } : taken;
    const next = doubt ? { ...whole, complete: false } : whole;
    snapshot = next;
    observers.settle(next.startedAt, (observer) => observer.resolve(next));
    planNext(doubt ? CONFIRM_AFTER_MILLISECONDS * 1.2 : options.intervalSeconds * 1000);
    announce(next);
    options.onEnd?.(undefined);
  }

  function failed(current: Run, reason: unknown): void {
    run = undefined;
    error = reason;
    observers.settle(current.startedAt, (observer) => observer.reject(reason));
    options.onEnd?.(reason);
    planNext(backoffDelay(FIRST_RETRY_MILLISECONDS, failures++, options.intervalSeconds * 1000));
  }

  function announce(next: Snapshot<T>): void {
    for (const change of shown.take(next, clock.monotonic())) for (const listener of listeners) tell(listener, change);
    for (const listener of listListeners) tell(listener, next);
  }

  function tell<News>(listener: (news: News) => void, news: News): void {
    try {
      listener(news);
    } catch (reason) {
      // One listener's mistake must keep neither the others nor the poll from going on.
      error = reason;
    }
  }

  /** `milliseconds`: until the next poll. */
  function planNext(milliseconds: number): void {
    if (stopped || run) return;
    if (polling) pollAfter(milliseconds);
    if (observers.size > 0) want(observers.latest());
  }

  function pollAfter(milliseconds: number): void {
    cancelPoll?.();
    cancelPoll = clock.after(milliseconds * (0.9 + 0.2 * random()), poll);
  }

  function poll(): void {
    const left = lastStart + leastMilliseconds() - clock.monotonic();
    if (left > options.intervalSeconds * 100) return pollAfter(Math.min(left, options.intervalSeconds * 1000));
    // Who looks for something pays for it, and may have to wait long for its turn, or has left: the account need not wait.
    if (run && !run.isSent && !run.idle && (observers.mostPressing()?.lane ?? 'list') === 'list') giveUp(run);
    if (!run) list(true);
  }

  function leastMilliseconds(): number {
    return snapshot && !doubt && failures === 0 ? (options.leastSeconds?.() ?? 0) * 1000 : 0;
  }

  function giveUp(one: Run): void {
    one.abort.abort(NO_LONGER_WANTED);
    run = undefined;
  }

  /** What is new is made of the requests that its lists leave; for anything else that is waited for, there is a list. */
  function affordableAt(): number {
    const asker = observers.mostPressing();
    return asker && isNew(asker) ? spending.openAt(requestsOfOne()) : Number.NEGATIVE_INFINITY;
  }

  /** Whether a list that is not under way yet goes sooner where this party pays for it. */
  function paysLess(party: string | undefined, { payer }: Run): boolean {
    const { had } = options;
    return had !== undefined && party !== undefined && payer !== undefined && had(party) < had(payer);
  }

  /** What a list takes. */
  function requestsOfOne(): number {
    return options.unpaged ? 1 : Math.max(1, Math.ceil(shown.items.size / options.pageSize));
  }

  /** Plans a list for those who wait; it has to begin later than the latest moment one of them asks for. */
  function want(latest: number): void {
    if (stopped || run || cancelWanted) return;
    const now = clock.monotonic();
    // Whoever waits for what a doubted list lacks would have it taken again and again, and none sooner counts.
    const confirmed = doubt ? doubt.since + CONFIRM_AFTER_MILLISECONDS - now : 0;
    const wait = Math.max(lastStart + gap - now, affordableAt() - now, latest >= now ? latest - now + 1 : 0, confirmed);
    if (wait <= 0) list();
    else {
      cancelWanted = clock.after(wait, () => {
        cancelWanted = undefined;
        if (!run) list();
      });
    }
  }

  return {
    snapshot: () => snapshot,
    hasShown: shown.has,
    lastError: () => error,
    lastSeconds: () => seconds,
    observeAfter(monotonic, signal, turn, party, lane = 'verify') {
      if (snapshot && snapshot.startedAt > monotonic) return Promise.resolve(snapshot);
      if (stopped) return Promise.reject(new InformerStoppedError());
      if (signal?.aborted) return Promise.reject(signal.reason);
      const asker: Asker = { turn, party, lane };
      const isMorePressing = !run?.isSent && rankOf(asker) < rankOf(observers.mostPressing() ?? { lane: 'list' });
      const observed = observers.wait(monotonic, asker, signal);
      // The poll is of the lane of those who look for something, and at no cost of theirs.
      if (run && (run.idle ? lane !== 'list' : isMorePressing || (!run.isSent && paysLess(party, run)))) {
        // It may wait long for its turn, as a poll or for the sake of others: this list is to go before.
        giveUp(run);
        lastStart = Number.NEGATIVE_INFINITY;
      }
      if (isMorePressing) {
        cancelWanted?.();
        cancelWanted = undefined;
      }
      want(monotonic);
      return observed;
    },
    start() {
      if (polling || stopped) return;
      polling = true;
      if (snapshot) planNext(options.intervalSeconds * 1000);
      else if (!run) list();
    },
    stop() {
      stopped = true;
      cancelPoll?.();
      cancelWanted?.();
      run?.abort.abort(NO_LONGER_WANTED);
      run = undefined;
      held?.release();
      observers.settle(Number.POSITIVE_INFINITY, (observer) => observer.reject(new InformerStoppedError()));
    },
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    onList: (listener) => void listListeners.push(listener),
  };
}
