import type { Clock } from '../clock.ts';
import type { AccountRegistry } from '../kinds/cloud-account/registry.ts';
import type { KubeClient } from '../kubernetes/client.ts';
import type { EventRecorder } from '../kubernetes/events.ts';
import { createHoldings, HOLDER_LEASE, type Holdings } from '../kubernetes/holdings.ts';
import type { AccountRef } from '../reconcile/managed-object.ts';
import { keyOf, type ObjectKey, parseKey, type Reconciler } from '../reconcile/reconciler.ts';
import { CommonReason } from '../reconcile/verdict.ts';
import type { Logger } from '../telemetry/log.ts';
import type { Informers } from './informers.ts';
import type { Reported } from './report-held.ts';

/** What this installation may act on beside others in the same cluster. */
export interface Installation {
  /** See {@link Holdings}; resolves when every namespace was tried once. */
  start(signal: AbortSignal): Promise<void>;
  /** Whether it may act for a resource of that namespace with that account. */
  holds(namespace: string, account: AccountRef): boolean;
  holdsNamespace(namespace: string): boolean;
  /** The same reconciler, for what is not another installation's. */
  own(reconciler: Reconciler): Reconciler;
  /** The namespace whose Lease decides about an object, and the other installation that has it; undefined: none has. */
  rivalOf(kind: string, object: Reported): { readonly namespace: string; readonly holder: string } | undefined;
}

/**
 * Decides by one Lease a namespace. A ClusterCloudAccount is in none; whoever holds the namespace of its Secrets, which has to
 * exist for it to be of use, has the account.
 */
export function createInstallation(options: {
  readonly client: KubeClient;
  readonly informers: Informers;
  readonly registry: Pick<AccountRegistry, 'close'>;
  readonly events: Pick<EventRecorder, 'record'>;
  readonly identity: string;
  readonly holdSeconds: number;
  readonly enqueue: (key: ObjectKey) => void;
  /** What this process remembers of a resource may be out of date. */
  readonly forget: (key: ObjectKey) => void;
  /** Another installation had the namespace until now. */
  readonly onTookOver: (namespace: string) => void;
  readonly clock: Clock;
  readonly random: () => number;
  readonly log: Logger;
}): Installation {
  const { client, informers, registry, events, identity, enqueue, forget, clock, random, log } = options;

  /** What had its turn while nobody held its namespace. */
  const turnedAway = new Map<string, Set<ObjectKey>>();

  function turnAway(place: string, key: ObjectKey): void {
    const { kind, namespace, name } = parseKey(key);
    const informer = informers.managed.get(kind);
    // Once it is taken from another all that is in it gets its turn.
    if (holdings.rivalOf(place) !== undefined) return;
    if (informer && !informer.get(namespace, name)) {
      // Anybody may make any number, and delete them.
      turnedAway.get(place)?.delete(key);
      forget(key);
      return;
    }
    const keys = turnedAway.get(place) ?? new Set();
    turnedAway.set(place, keys.add(key));
  }

  function* wanted(): Generator<string> {
    for (const informer of [informers.accounts, ...informers.managed.values()]) yield* informer.namespaces();
    for (const { spec } of informers.clusterAccounts?.list() ?? []) {
      if (spec.secretNamespace !== undefined) yield spec.secretNamespace;
    }
  }

  const accountsIn = (namespace: string) => [
    ...informers.accounts.byNamespace(namespace),
    ...(informers.clusterAccounts?.list() ?? []).filter(({ spec }) => spec.secretNamespace === namespace),
  ];

  const holdings: Holdings = createHoldings({
    client,
    leases: informers.holders,
    namespaces: informers.namespaces,
    hasLiving: (namespace, since) =>
      [informers.accounts, ...informers.managed.values()].some((informer) =>
        informer
          .byNamespace(namespace)
          .some(({ metadata }) => metadata.deletionTimestamp === undefined && wasMadeSince(metadata, since)),
      ),
    identity,
    seconds: options.holdSeconds,
    wanted,
    onKept(namespace) {
      // Nobody else did anything, and to look at all of it anew each time would be a lot of work for whoever has the Lease deleted.
      for (const key of turnedAway.get(namespace) ?? []) enqueue(key);
      turnedAway.delete(namespace);
    },
    onTaken(namespace, hadOther) {
      if (hadOther) options.onTookOver(namespace);
      turnedAway.delete(namespace);
      for (const account of accountsIn(namespace)) enqueue(keyOf(account.kind, account.metadata));
      for (const [kind, informer] of informers.managed) {
        for (const { metadata } of informer.byNamespace(namespace)) {
          // Another may have had the namespace meanwhile, and done what was approved or left half done here.
          forget(keyOf(kind, metadata));
          enqueue(keyOf(kind, metadata));
        }
      }
    },
    onLost(namespace) {
      for (const account of accountsIn(namespace)) registry.close(keyOf(account.kind, account.metadata));
    },
    onRival(namespace, holder) {
      const message = `The installation ${holder} of the operator looks after namespace ${namespace} (Lease ${HOLDER_LEASE} in it); ${identity}, which is to do so too, does nothing there. Uninstall one of the two, or take the namespace from it.`;
      for (const object of accountsIn(namespace)) {
        events.record({ object, type: 'Warning', reason: CommonReason.HeldElsewhere, message });
      }
    },
    clock,
    random,
    log,
  });

  /** The namespace whose Lease decides about an object; undefined where there is nothing to decide. */
  function placeOf(key: ObjectKey): string | undefined {
    const { kind, namespace, name } = parseKey(key);
    return kind === 'ClusterCloudAccount'
      ? informers.clusterAccounts?.get(undefined, name)?.spec.secretNamespace
      : namespace;
  }

  function isGoneAccount(key: ObjectKey): boolean {
    const { kind, namespace, name } = parseKey(key);
    return kind === 'CloudAccount' && !informers.accounts.get(namespace, name);
  }

  /** An account whose Secrets' namespace is not there is everybody's: somebody has to say so, and to let it go. */
  const holdsPlaceOf = (key: ObjectKey, place: string | undefined) =>
    place === undefined ||
    holdings.holds(place) ||
    (parseKey(key).kind === 'ClusterCloudAccount' && holdings.isMissing(place));

  return {
    start: (signal) => holdings.start(signal),

    holdsNamespace: (namespace) => holdings.holds(namespace),

    holds(namespace, account) {
      if (!holdings.holds(namespace)) return false;
      const key = keyOf(account.kind, { name: account.name, namespace });
      return holdsPlaceOf(key, placeOf(key));
    },

    own: (reconciler) => ({
      ...reconciler,
      async reconcile(key, signal, slot) {
        const place = placeOf(key);
        // Of an account that is gone there is only to forget, whoever has its namespace, if that is still there.
        const isGone = isGoneAccount(key);
        if (isGone && place !== undefined) turnedAway.get(place)?.delete(key);
        if (place === undefined || isGone || holdsPlaceOf(key, place)) return reconciler.reconcile(key, signal, slot);
        turnAway(place, key);
        holdings.want(place);
        return { requeue: 'never' };
      },
    }),

    rivalOf(kind, { metadata }) {
      const namespace = placeOf(keyOf(kind, metadata));
      const holder = namespace === undefined ? undefined : holdings.rivalOf(namespace);
      return namespace === undefined || holder === undefined ? undefined : { namespace, holder };
    },
  };
}

/** Times of the apiserver have whole seconds: what is of the same one may be of before or after. */
function wasMadeSince({ creationTimestamp }: Reported['metadata'], since: number | undefined): boolean {
  return since === undefined || !(Date.parse(creationTimestamp ?? '') < since);
}
