import { type Turn, urgencies } from '../limiter/lanes.ts';
import { createFront } from './front.ts';

/** Whose work waits for a list, and for what. */
export interface Asker {
  readonly turn?: Turn | undefined;
  /** Where it is told who pays for a list. */
  readonly party?: string | undefined;
  /** `list`: it looks for something new, and confirms no write; `upload`: a certificate that was renewed waits for it. */
  readonly lane: 'upload' | 'verify' | 'list';
}

/** Who waits for a list that is begun later than a moment. Times are monotonic milliseconds. */
export interface Observers<S> {
  readonly size: number;
  /**
   * Resolves with the first list that is begun later than `after`; rejects with the signal's reason, or that of the list.
   * However often the same work asks for the same, it is one that waits.
   */
  wait(after: number, asker: Asker, signal: AbortSignal | undefined): Promise<S>;
  /** Ends the waiting of those whom a list begun at this time serves. */
  settle(startedAt: number, end: (observer: Observer<S>) => void): void;
  /** A list is of the lane and the turn of the most pressing work that waits for it. */
  mostPressing(): Asker | undefined;
  /** Whether anything new waits: a creation, or who looks for something. */
  hasNew(): boolean;
  /** Of those whose work waits, the party that had least: its requests go first, and so does the list that all wait for. */
  least(had: (party: string) => number): string | undefined;
  /** Later than this a list has to begin that serves all. */
  latest(): number;
}

export interface Observer<S> {
  resolve(list: S): void;
  reject(reason: unknown): void;
}

interface Waiting<S> extends Observer<S> {
  readonly after: number;
  readonly asker: Asker;
  readonly promise: Promise<S>;
  /** It waits no more. */
  leave(): void;
}

/** Those of one signal, which has one listener: it would look through all that it has for each that is added. */
interface Group<S> {
  readonly members: Map<string, Waiting<S>>;
  readonly abort: () => void;
}

export function createObservers<S>(): Observers<S> {
  const all = new Set<Waiting<S>>();
  const pressing = createFront(all, (one, other) => isMorePressing(one.asker, other.asker));
  const late = createFront(all, (one, other) => one.after > other.after);
  let news = 0;
  /** How many of each wait. */
  const parties = new Map<string, number>();
  const groups = new Map<AbortSignal | undefined, Group<S>>();

  function groupOf(signal: AbortSignal | undefined): Group<S> {
    const known = groups.get(signal);
    if (known) return known;
    const members = new Map<string, Waiting<S>>();
    const abort = () => {
      for (const member of members.values()) {
        member.leave();
        member.reject(signal?.reason);
      }
    };
    signal?.addEventListener('abort', abort, { once: true });
    const made = { members, abort };
    groups.set(signal, made);
    return made;
  }

  /** One more of this asker waits, or one less. */
  function count({ party, ...asker }: Asker, change: 1 | -1): void {
    if (isNew(asker)) news += change;
    if (party === undefined) return;
    const left = (parties.get(party) ?? 0) + change;
    if (left > 0) parties.set(party, left);
    else parties.delete(party);
  }

  return {
    get size() {
      return all.size;
    },
    wait(after, asker, signal) {
      const group = groupOf(signal);
      const key = `${after} ${rankOf(asker)} ${began(asker)} ${asker.party ?? ''}`;
      const known = group.members.get(key);
      if (known) return known.promise;
      const waiting: Waiting<S> = {
        after,
        asker,
        ...Promise.withResolvers<S>(),
        leave() {
          if (all.delete(waiting)) count(asker, -1);
          group.members.delete(key);
          if (group.members.size > 0) return;
          signal?.removeEventListener('abort', group.abort);
          groups.delete(signal);
        },
      };
      all.add(waiting);
      pressing.add(waiting);
      late.add(waiting);
      count(asker, 1);
      group.members.set(key, waiting);
      return waiting.promise;
    },
    settle(startedAt, end) {
      for (const one of all) {
        if (one.after >= startedAt) continue;
        one.leave();
        end(one);
      }
    },
    mostPressing: () => pressing.first()?.asker,
    hasNew: () => news > 0,
    least(had) {
      let found: { readonly party: string; readonly count: number } | undefined;
      for (const party of parties.keys()) {
        const count = had(party);
        if (!found || count < found.count) found = { party, count };
      }
      return found?.party;
    },
    latest: () => late.first()?.after ?? Number.NEGATIVE_INFINITY,
  };
}

/** How pressing work is; the smaller, the more. */
export function rankOf({ turn, lane }: Asker): number {
  if (lane === 'upload') return -1;
  return lane === 'list' ? urgencies.length : urgencies.indexOf(turn?.urgency ?? 'change');
}

/** Whether it is something new that asks, or is looked for. */
export function isNew({ turn, lane }: Asker): boolean {
  return lane === 'list' || (lane === 'verify' && turn?.urgency === 'creation');
}

function isMorePressing(one: Asker, other: Asker): boolean {
  return rankOf(one) < rankOf(other) || (rankOf(one) === rankOf(other) && began(one) < began(other));
}

function began({ turn }: Asker): number {
  return turn?.began ?? Number.NEGATIVE_INFINITY;
}
