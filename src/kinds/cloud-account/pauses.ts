import type { Informer } from '../../kubernetes/informer.ts';
import type { KubernetesObject } from '../../kubernetes/objects.ts';
import { Annotation, isPaused } from '../../reconcile/annotations.ts';
import { findCondition } from '../../reconcile/conditions.ts';
import type { AccountRef } from '../../reconcile/managed-object.ts';
import type { Hold } from '../../reconcile/plan.ts';
import { keyOf, type ObjectKey, parseKey } from '../../reconcile/reconciler.ts';
import { CommonReason } from '../../reconcile/verdict.ts';
import type { Account } from './schema.ts';

/** Where a pause can be set beside the resource itself. The latter two are absent when the operator watches a few namespaces only. */
export interface PauseSources {
  readonly accounts: Pick<Informer<KubernetesObject>, 'get'>;
  readonly clusterAccounts: Pick<Informer<KubernetesObject>, 'get'> | undefined;
  readonly namespaces: Pick<Informer<KubernetesObject>, 'get'> | undefined;
}

/** Tells from what is in memory, so that a pause holds from the moment it is seen, also for calls that wait already. */
export interface Pauses {
  /** What an account is paused by, such as `Namespace fleet`; undefined while it is not. */
  ofAccount(account: ObjectKey): string | undefined;
  /** The same for a resource that uses the account, apart from its own annotation. */
  ofUser(namespace: string, account: AccountRef): string | undefined;
  /**
   * The same as its annotations say now. If it is paused, it stays so after the annotation is gone, until `resumed` is called:
   * its Secret, or its limits, may be others by then.
   */
  begin(account: ObjectKey): string | undefined;
  /** It was looked at since it is not paused any more, or is gone. */
  resumed(account: ObjectKey): void;
}

export function createPauses({ accounts, clusterAccounts, namespaces }: PauseSources): Pauses {
  const nameIf = (object: KubernetesObject | undefined, what: string) =>
    object && isPaused(object) ? what : undefined;
  const ofNamespace = (name: string) => nameIf(namespaces?.get(undefined, name), `Namespace ${name}`);
  const ofRef = ({ kind, name }: AccountRef, namespace: string) =>
    kind === 'CloudAccount'
      ? nameIf(accounts.get(namespace, name), `CloudAccount ${name}`)
      : nameIf(clusterAccounts?.get(undefined, name), `ClusterCloudAccount ${name}`);

  /** What each account that was seen to be paused was paused by. */
  const seen = new Map<ObjectKey, string>();

  function annotated(account: ObjectKey): string | undefined {
    const { kind, namespace, name } = parseKey(account);
    if (kind !== 'CloudAccount') return ofRef({ kind: 'ClusterCloudAccount', name }, '');
    return ofRef({ kind, name }, namespace) ?? ofNamespace(namespace);
  }

  const ofAccount = (account: ObjectKey) => annotated(account) ?? seen.get(account);

  return {
    ofAccount,
    ofUser: (namespace, { kind, name }) =>
      ofAccount(keyOf(kind, kind === 'CloudAccount' ? { namespace, name } : { name })) ?? ofNamespace(namespace),
    begin(account) {
      const by = annotated(account);
      if (by !== undefined) seen.set(account, by);
      return by;
    },
    resumed: (account) => void seen.delete(account),
  };
}

/** Why no request of an account leaves while somebody has paused it, or its namespace. */
export function holdPaused(by: string, account: KubernetesObject): Hold<CommonReason> {
  const on = isPaused(account) ? '' : ` on the ${by}`;
  return {
    state: 'Suspended',
    reason: CommonReason.Paused,
    message: `${Annotation.paused} is set${on}: no request of this account is sent, and nothing that uses it is changed, until the annotation is removed.`,
  };
}

/** Whether the account's status says that it is paused. */
export function isToldPaused({ status }: Account): boolean {
  return findCondition(status?.conditions, 'Ready')?.reason === CommonReason.Paused;
}
