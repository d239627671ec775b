import type { Turn } from '../limiter/lanes.ts';
import type { Asker } from './observers.ts';

/** What one whole list showed. */
export interface Snapshot<T> {
  /** Monotonic milliseconds when the request for the first page left: everything written before is in it. */
  readonly startedAt: number;
  /** By ID. */
  readonly items: ReadonlyMap<string, T>;
  /**
   * False where the pages did not add up, the service lists no more, or much of what was known is missing that was not
   * missing before: what is not on it may exist all the same.
   */
  readonly complete: boolean;
  /** How many lists in a row did not add up, this one included; absent: this one does. */
  readonly incompletes?: number | undefined;
}

/** A change between two lists; `new` is absent where an item went, `old` where it came. */
export interface ListChange<T> {
  readonly id: string;
  readonly old?: T;
  readonly new?: T;
}

/** Watches a list of the service, which has no watch, by polling it: cost goes by pages, not by items. */
export interface ListInformer<T> {
  /** The last whole list; undefined before the first. */
  snapshot(): Snapshot<T> | undefined;
  /**
   * A snapshot whose list began strictly after the given monotonic milliseconds. However many ask, one list runs and one
   * more waits. Rejects when that list fails, with the signal's reason when aborted, and when the informer stops. `party`
   * says whose work it is, where a list is not the account's own; `lane`, that it confirms a write (the default), or only
   * looks for something new.
   */
  observeAfter(
    monotonic: number,
    signal?: AbortSignal,
    turn?: Turn,
    party?: string,
    lane?: Asker['lane'],
  ): Promise<Snapshot<T>>;
  /** Polls from now on, at once first where there was no list yet. */
  start(): void;
  /** Ends polling and the list under way. */
  stop(): void;
  /** Whether a list of the last minutes showed the item: what none has shown may be too new to be in any. */
  hasShown(id: string): boolean;
  /** Why the last list failed; undefined when it did not. */
  lastError(): unknown;
  /** How long the last whole list took from the moment it was begun, waiting for its turn included; undefined before the first. */
  lastSeconds(): number | undefined;
  /** Calls back for each item that came, went or changed; returns a function that ends it. */
  onChange(listener: (change: ListChange<T>) => void): () => void;
  /** Calls back with each list, whether or not it differs from the one before. */
  onList(listener: (snapshot: Snapshot<T>) => void): void;
}

/** A list as those see it who wait for it. */
export type ObservedList<T> = Pick<ListInformer<T>, 'snapshot' | 'observeAfter' | 'hasShown'>;
