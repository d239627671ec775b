import type { Clock } from '../clock.ts';
import { createWorkQueue, type Priority, type WorkQueue, type WorkQueueObserver } from '../kubernetes/work-queue.ts';
import { type ObjectKey, parseKey } from '../reconcile/reconciler.ts';

/** Kinds that come first and share nothing: they put on record what may be sent at all. */
const ACCOUNTS: ReadonlySet<string> = new Set(['CloudAccount', 'ClusterCloudAccount']);

/**
 * Passes under way at a time, most of them waiting for the service: of one account, line and priority as many as keep a
 * fast service busy, and in all as many as fit into memory beside everything else (some 10 kB each). Beyond these, some are spared
 * for who has few, so that a namespace whose accounts all stall leaves the others room.
 */
const LIMITS = { ofGroup: 32, inAll: 2048, spare: 512 };

/** The operator's queues, seen as one. */
export interface Queues {
  add(key: ObjectKey, priority?: Priority): void;
  addAfter(key: ObjectKey, milliseconds: number, priority?: Priority): void;
  /** Keys due and waiting for a worker. */
  readonly length: number;
  readonly all: readonly WorkQueue[];
  shutDown(): void;
}

export function createQueues(options: {
  readonly clock: Clock;
  readonly random: () => number;
  /** The account a managed resource uses, by their keys: accounts take turns, and the namespaces that share one. */
  readonly accountOf: (key: ObjectKey) => string;
  /** The priority of a managed resource that is made due with this one. */
  readonly priorityOf: (key: ObjectKey, asked: Priority) => Priority;
  /** The line that resources of a kind wait in. */
  readonly lineOf: (kind: string) => { readonly line: string };
  /** Told of what happens in the queue of that name. */
  readonly observe: (name: string, depth: () => number) => WorkQueueObserver;
}): Queues {
  const { clock, random, observe, accountOf, priorityOf, lineOf } = options;
  const accounts: WorkQueue = createWorkQueue({
    clock,
    random,
    observer: observe('accounts', () => accounts.length),
    partyOf: (key) => parseKey(key).namespace,
  });
  const managed: WorkQueue = createWorkQueue({
    clock,
    random,
    observer: observe('edgeline', () => managed.length),
    groupOf: (key) => `${lineOf(parseKey(key).kind).line} ${accountOf(key)}`,
    partyOf: (key) => parseKey(key).namespace,
    priorityOf,
    limits: LIMITS,
  });
  const all = [accounts, managed];
  const queueOf = (key: ObjectKey) => (ACCOUNTS.has(parseKey(key).kind) ? accounts : managed);

  return {
    add: (key, priority) => queueOf(key).add(key, priority),
    addAfter: (key, milliseconds, priority) => queueOf(key).addAfter(key, milliseconds, priority),
    get length() {
      return all.reduce((sum, queue) => sum + queue.length, 0);
    },
    all,
    shutDown: () => all.forEach((queue) => queue.shutDown()),
  };
}
