import { type Turn, urgencies } from '../limiter/lanes.ts';
import { createFront } from './front.ts';

/** Who waits for a list that is begun later than a moment. Times are monotonic milliseconds. */
export interface Observers<S> {
  readonly size: number;
  /**
   * Resolves with the first list that is begun later than `after`; rejects with the signal's reason, or that of the list.
   * However often the same work asks for the same, it is one that waits.
   */
  wait(after: number, turn: Turn | undefined, signal: AbortSignal | undefined): Promise<S>;
  /** Ends the waiting of those whom a list begun at this time serves. */
  settle(startedAt: number, end: (observer: Observer<S>) => void): void;
  /** The turn of a list is that of the most pressing work that waits for it. */
  mostPressing(): Turn | undefined;
  hasCreation(): boolean;
  /** Later than this a list has to begin that serves all. */
  latest(): number;
}

export interface Observer<S> {
  resolve(list: S): void;
  reject(reason: unknown): void;
}

interface Waiting<S> extends Observer<S> {
  readonly after: number;
  readonly turn: Turn | undefined;
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
  const pressing = createFront(all, (one, other) => isMorePressing(one.turn, other.turn));
  const late = createFront(all, (one, other) => one.after > other.after);
  let creations = 0;
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

  return {
    get size() {
      return all.size;
    },
    wait(after, turn, signal) {
      const group = groupOf(signal);
      const key = `${after} ${rankOf(turn)} ${began(turn)}`;
      const known = group.members.get(key);
      if (known) return known.promise;
      const waiting: Waiting<S> = {
        after,
        turn,
        ...Promise.withResolvers<S>(),
        leave() {
          if (all.delete(waiting) && isCreation(waiting)) creations--;
          group.members.delete(key);
          if (group.members.size > 0) return;
          signal?.removeEventListener('abort', group.abort);
          groups.delete(signal);
        },
      };
      all.add(waiting);
      pressing.add(waiting);
      late.add(waiting);
      if (isCreation(waiting)) creations++;
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
    mostPressing: () => pressing.first()?.turn,
    hasCreation: () => creations > 0,
    latest: () => late.first()?.after ?? Number.NEGATIVE_INFINITY,
  };
}

/** How pressing a turn is; the smaller, the more. */
export function rankOf(turn: Turn | undefined): number {
  return urgencies.indexOf(turn?.urgency ?? 'change');
}

function isCreation({ turn }: { readonly turn: Turn | undefined }): boolean {
  return turn?.urgency === 'creation';
}

function isMorePressing(one: Turn | undefined, other: Turn | undefined): boolean {
  return rankOf(one) < rankOf(other) || (rankOf(one) === rankOf(other) && began(one) < began(other));
}

function began(turn: Turn | undefined): number {
  return turn?.began ?? Number.NEGATIVE_INFINITY;
}
