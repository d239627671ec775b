import type { Clock } from '../clock.ts';
import { createWorkQueue, type Priority, type WorkQueue, type WorkQueueObserver } from '../kubernetes/work-queue.ts';
import { type ObjectKey, parseKey } from '../reconcile/reconciler.ts';

/**
 * Kinds with workers of their own. A worker waits while its request waits for a turn in the account's budget, for web
 * acceleration up to an hour: what waits there must not keep SIMs from being worked on, settings of sites not renewed
 * certificates, and nothing the accounts, which put on record what may be sent at all.
 */
const APART: ReadonlyMap<string, string> = new Map([
  ['CloudAccount', 'accounts'],
  ['ClusterCloudAccount', 'accounts'],
  ['WebAccelSite', 'sites'],
  ['SiteCertificate', 'certificates'],
]);
const OTHERS = 'edgeline';

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
  /** Told of what happens in the queue of that name. */
  readonly observe: (name: string, depth: () => number) => WorkQueueObserver;
}): Queues {
  const { clock, random, observe } = options;
  const byName = new Map(
    [OTHERS, ...new Set(APART.values())].map((name) => {
      const queue: WorkQueue = createWorkQueue({ clock, random, observer: observe(name, () => queue.length) });
      return [name, queue] as const;
    }),
  );
  const all = [...byName.values()];

  function queueOf(key: ObjectKey): WorkQueue | undefined {
    return byName.get(APART.get(parseKey(key).kind) ?? OTHERS);
  }

  return {
    add: (key, priority) => queueOf(key)?.add(key, priority),
    addAfter: (key, milliseconds, priority) => queueOf(key)?.addAfter(key, milliseconds, priority),
    get length() {
      return all.reduce((sum, queue) => sum + queue.length, 0);
    },
    all,
    shutDown: () => all.forEach((queue) => queue.shutDown()),
  };
}
