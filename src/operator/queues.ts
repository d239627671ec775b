import type { Clock } from '../clock.ts';
import type { Api } from '../cloud/limiter/lanes.ts';
import { createWorkQueue, type Priority, type WorkQueue, type WorkQueueObserver } from '../kubernetes/work-queue.ts';
import { type ObjectKey, parseKey } from '../reconcile/reconciler.ts';

/** Kinds that come first and share nothing: they put on record what may be sent at all. */
const ACCOUNTS: ReadonlySet<string> = new Set(['CloudAccount', 'ClusterCloudAccount']);

/**
 * Kinds whose requests wait in one line. Settings of sites and certificates are apart, because one of them may have its
 * share of passes wait for an hour: that must not keep certificates from being renewed, or SIMs from being worked on.
 */
const LINES: ReadonlyMap<string, { readonly line: string; readonly api: Api }> = new Map([
  ['Sim', { line: 'mobile', api: 'cloud' }],
  ['MobileGateway', { line: 'mobile', api: 'cloud' }],
  ['WebAccelSite', { line: 'sites', api: 'webaccel' }],
  ['SiteCertificate', { line: 'certificates', api: 'webaccel' }],
]);

/** The line that resources of the kind wait in, and whose limits it waits for. */
export function lineOf(kind: string): { readonly line: string; readonly api: Api } {
  return LINES.get(kind) ?? { line: kind, api: 'cloud' };
}

/**
 * Passes under way at a time, most of them waiting for the service: of one account, line and priority as many as keep a
 * fast service busy, and in all as many as fit into memory beside everything else (some 10 kB each).
 */
const LIMITS = { ofGroup: 32, inAll: 2048 };

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
  /** The account a managed resource uses, by their keys: accounts take turns. */
  readonly accountOf: (key: ObjectKey) => string;
  /** Told of what happens in the queue of that name. */
  readonly observe: (name: string, depth: () => number) => WorkQueueObserver;
}): Queues {
  const { clock, random, observe, accountOf } = options;
  const accounts: WorkQueue = createWorkQueue({ clock, random, observer: observe('accounts', () => accounts.length) });
  const managed: WorkQueue = createWorkQueue({
    clock,
    random,
    observer: observe('edgeline', () => managed.length),
    groupOf: (key) => `${lineOf(parseKey(key).kind).line} ${accountOf(key)}`,
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
