import { createLeftHours } from '../kinds/cloud-account/left-hours.ts';
import { createAccountReconciler } from '../kinds/cloud-account/reconciler.ts';
import { createRecords } from '../kinds/cloud-account/records.ts';
import type { Account } from '../kinds/cloud-account/schema.ts';
import { cloudAccountResource, clusterCloudAccountResource } from '../kinds/cloud-account/schema.ts';
import type { Informer } from '../kubernetes/informer.ts';
import type { Resource } from '../kubernetes/resource.ts';
import { orAborted } from '../kubernetes/wait.ts';
import type { WorkQueue } from '../kubernetes/work-queue.ts';
import { keyOf, type ObjectKey, type Reconciler } from '../reconcile/reconciler.ts';
import { enqueueUsers, watchAccounts } from './watch-accounts.ts';
import type { Wiring } from './wiring.ts';

/** Accounts get this long to connect before everything else begins. Milliseconds. */
const ACCOUNTS_FIRST_MILLISECONDS = 5000;

/** Both kinds of account, connected to their watches. */
export interface WiredAccounts {
  readonly reconcilers: readonly Reconciler[];
  readonly informers: readonly (readonly [kind: string, informer: Informer<Account>, resource: Resource])[];
  /** Looks at all accounts, and resolves when each had its first try or after a moment. */
  connect(queue: Pick<WorkQueue, 'add'>, signal: AbortSignal): Promise<void>;
  /** Gives back what is reserved of each account's hour; call when nothing is sent any more. Never throws. */
  giveBack(): Promise<void>;
}

/** Connects CloudAccounts, and ClusterCloudAccounts where the operator looks after the whole cluster. */
export function wireAccounts(wiring: Wiring, allowedHosts: readonly string[] | undefined): WiredAccounts {
  const { informers, registry, users, secrets, enqueue, clock, time } = wiring;
  const { client, events, log } = wiring.engine;
  /** Before there is one to wait for them. */
  const tried = new Set<ObjectKey>();
  let isConnected = false;
  const kinds = [
    { kind: 'CloudAccount', resource: cloudAccountResource, informer: informers.accounts },
    { kind: 'ClusterCloudAccount', resource: clusterCloudAccountResource, informer: informers.clusterAccounts },
  ] as const;
  const watched = kinds.flatMap(({ informer, ...kind }) => (informer ? [{ ...kind, informer }] : []));
  const records = createRecords({
    kinds: watched,
    client,
    registry,
    time,
    left: createLeftHours({ client, namespace: wiring.home, time, clock, log }),
    isOthers: (kind, account) => wiring.rivalOf(kind, account) !== undefined,
  });
  /** Those that a start waits for. */
  const awaited = new Set<ObjectKey>();
  let allTried = (): void => {};
  function noteTried(key: ObjectKey): void {
    if (!isConnected) tried.add(key);
    if (awaited.delete(key) && awaited.size === 0) allTried();
  }

  const wired = watched.map(({ kind, resource, informer }) => {
    watchAccounts(wiring, kind, informer, records);
    const { giveBack, ...inner } = createAccountReconciler({
      kind,
      resource,
      informer,
      client,
      secrets,
      registry,
      users,
      accounts: wiring.engine.accounts,
      losses: wiring.losses,
      brakes: wiring.brakes,
      records,
      time,
      pauses: wiring.pauses,
      events,
      log,
      clock,
      allowedHosts,
      onChanged: (account) => enqueueUsers(users, account, enqueue),
    });
    const { reconcile } = wiring.own(inner);
    const reconciler: Reconciler = {
      kind,
      reconcile: (key, signal, slot) => reconcile(key, signal, slot).finally(() => noteTried(key)),
    };
    return { kind, informer, resource, reconciler, giveBack };
  });

  return {
    reconcilers: wired.map(({ reconciler }) => reconciler),
    informers: wired.map(({ kind, informer, resource }) => [kind, informer, resource]),

    async giveBack() {
      await Promise.all(wired.map(({ giveBack }) => giveBack()));
    },

    // They go first, so that at a start nobody has to wait, and say so, for an account that is about to connect.
    async connect(queue, signal) {
      const keys = wired.flatMap(({ kind, informer }) => informer.list().map(({ metadata }) => keyOf(kind, metadata)));
      for (const key of keys) queue.add(key, 'deletion');
      awaited.clear();
      for (const key of keys) if (!tried.has(key)) awaited.add(key);
      isConnected = true;
      tried.clear();
      if (awaited.size === 0) return;
      const { promise, resolve } = Promise.withResolvers<void>();
      allTried = resolve;
      const cancel = clock.after(ACCOUNTS_FIRST_MILLISECONDS, resolve);
      await orAborted(promise, signal).finally(cancel);
    },
  };
}
