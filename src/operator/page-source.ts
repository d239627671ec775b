import type { Clock } from '../clock.ts';
import type { SimStatus } from '../cloud/sim/types.ts';
import type { PolledList } from '../kinds/cloud-account/lists.ts';
import type { LiveAccount } from '../kinds/cloud-account/registry.ts';
import { isTheSim } from '../kinds/sim/find.ts';
import type { KubeClient } from '../kubernetes/client.ts';
import type { Informer } from '../kubernetes/informer.ts';
import type { KubernetesObject } from '../kubernetes/objects.ts';
import type { ManagedObject } from '../reconcile/managed-object.ts';
import type { ObjectKey } from '../reconcile/reconciler.ts';
import type { Logger } from '../telemetry/log.ts';
import type { Informers } from './informers.ts';
import type { Queues } from './queues.ts';
import type { RecentChange } from './recent-changes.ts';
import type { Wiring } from './wiring.ts';

/** What this replica is at the moment. Times are epoch milliseconds. */
export type Role =
  | { readonly state: 'Starting' }
  /** Another replica acts, as far as is known the holder. */
  | { readonly state: 'StandingBy'; readonly holder: string | undefined }
  | { readonly state: 'Leading'; readonly since: number };

/** What one account is at the moment, with its times in epoch milliseconds. */
export interface AccountNow extends Omit<LiveAccount, 'polled'> {
  readonly polls: readonly {
    /** `SIMs`, `gateways in is1b`, `sites`. */
    readonly of: string;
    readonly takenAt: number | undefined;
    readonly fails: boolean;
  }[];
}

/** What a SIM is according to the last list. */
export interface SessionNow {
  /** When the list was asked for, epoch milliseconds. */
  readonly takenAt: number;
  readonly sim: SimStatus;
}

/**
 * What this replica has in memory, for whoever shows it: nothing is asked of the service for that, and of the cluster only
 * who is asking. What it gives out is shared: do not modify it.
 */
export interface PageSource {
  readonly clock: Clock;
  readonly log: Logger;
  readonly version: string;
  /** Of this replica. */
  readonly instance: string;
  /** Where it is reached. */
  readonly listen: string;
  /** The namespaces it looks after; undefined: all. */
  readonly namespaces: readonly string[] | undefined;
  role(): Role;
  /** When something last came from the apiserver, of the watch that has been silent longest; epoch milliseconds. */
  watchedAt(): number;
  /** Of that kind, accounts too; none of a kind that is not watched. */
  list(kind: string): readonly KubernetesObject[];
  get(kind: string, namespace: string | undefined, name: string): KubernetesObject | undefined;
  /** The key of the account that a resource uses; undefined of an account. */
  accountOf(object: KubernetesObject): ObjectKey | undefined;
  /** Undefined: it is not open, or the service has not taken its credentials. */
  account(key: ObjectKey): AccountNow | undefined;
  /** Of a Sim; undefined: no list has shown it, what has its ID is another or another's, or its account can't be used. */
  session(object: KubernetesObject): SessionNow | undefined;
  /** Keys that wait for a worker, and those that are worked on. */
  queue(): { readonly waiting: number; readonly active: number };
  /** What this process wrote, newest first. */
  changes(): readonly RecentChange[];
  /** The other installation that looks after it; undefined: none does. */
  rivalOf(object: KubernetesObject): string | undefined;
  /** A client for TokenReviews and SubjectAccessReviews; the same at each call. */
  reviewer(): Pick<KubeClient, 'create'>;
}

const listWords = { sims: 'SIMs', gateways: 'gateways', sites: 'sites' } satisfies Record<PolledList['list'], string>;

/** See {@link PageSource}. */
export function createPageSource({
  options,
  listen,
  informers,
  wiring,
  queue,
  changes,
  role,
  reviewer,
}: {
  readonly options: Pick<PageSource, 'clock' | 'log' | 'version' | 'instance' | 'namespaces'>;
  readonly listen: string;
  readonly informers: Informers;
  readonly wiring: Pick<Wiring, 'registry' | 'users' | 'sims' | 'rivalOf'>;
  readonly queue: Queues;
  readonly changes: { list(): readonly RecentChange[] };
  readonly role: () => Role;
  readonly reviewer: () => KubeClient;
}): PageSource & { close(): Promise<void> } {
  const { clock, log, version, instance, namespaces } = options;
  const { registry, users, sims, rivalOf } = wiring;
  const wall = (monotonic: number) => clock.now() - (clock.monotonic() - monotonic);
  const watched = new Map<string, Informer<KubernetesObject>>([
    ['CloudAccount', informers.accounts],
    ...(informers.clusterAccounts ? [['ClusterCloudAccount', informers.clusterAccounts] as const] : []),
    ...informers.managed,
  ]);
  const managed = ({ kind, metadata }: KubernetesObject): ManagedObject | undefined =>
    informers.managed.get(kind)?.get(metadata.namespace, metadata.name);
  let client: KubeClient | undefined;

  function accountOf(object: KubernetesObject): ObjectKey | undefined {
    const found = managed(object);
    return found && users.accountOf(found);
  }

  function pollOf({ list, zone, informer }: PolledList): AccountNow['polls'][number] {
    const snapshot = informer.snapshot();
    return {
      of: zone === undefined ? listWords[list] : `${listWords[list]} in ${zone}`,
      takenAt: snapshot && wall(snapshot.startedAt),
      fails: informer.lastError() !== undefined,
    };
  }

  return {
    clock,
    log,
    version,
    instance,
    listen,
    namespaces,
    role,
    watchedAt: () => wall(Math.min(...informers.all.map((informer) => informer.lastContact()))),
    list: (kind) => watched.get(kind)?.list() ?? [],
    get: (kind, namespace, name) => watched.get(kind)?.get(namespace, name),
    accountOf,
    account(key) {
      const live = registry.liveOf(key);
      if (!live) return undefined;
      const { polled, ...rest } = live;
      return { ...rest, polls: polled.map(pollOf) };
    },
    session(object) {
      const { namespace, name } = object.metadata;
      const found = informers.of.Sim.get(namespace, name);
      const session = found && registry.get(users.accountOf(found));
      const snapshot = session?.verified ? session.sims.snapshot() : undefined;
      const item = snapshot?.items.get(found?.status?.id ?? '');
      if (!session || !snapshot || !item?.status || !isTheSim(found, item)) return undefined;
      if (!sims.holders.has(found, session)) return undefined;
      return { takenAt: wall(snapshot.startedAt), sim: item.status };
    },
    queue: () => ({
      waiting: queue.length,
      active: queue.all.reduce((sum, one) => sum + one.active, 0),
    }),
    changes: () => changes.list(),
    rivalOf: (object) => rivalOf(object.kind, object)?.holder,
    reviewer: () => (client ??= reviewer()),
    close: async () => client?.close(),
  };
}
