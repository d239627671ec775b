import { releasedUntil } from '../kinds/cloud-account/brake-hold.ts';
import type { Census, Waiting } from '../kinds/cloud-account/brake-rule.ts';
import type { BrakedKind } from '../kinds/cloud-account/brakes.ts';
import { AccountReason } from '../kinds/cloud-account/reasons.ts';
import type { AccountUsers } from '../kinds/cloud-account/users.ts';
import type { ManagedObjects } from '../kinds/index.ts';
import type { KubernetesObject } from '../kubernetes/objects.ts';
import { Annotation, isSet } from '../reconcile/annotations.ts';
import type { Braked } from '../reconcile/brakes.ts';
import { findCondition } from '../reconcile/conditions.ts';
import { ownFinalizer } from '../reconcile/finalizer.ts';
import { type ManagedKindName, managedKindNames } from '../reconcile/kind-names.ts';
import type { ManagedObject } from '../reconcile/managed-object.ts';
import { isLeftBehind } from '../reconcile/object-state.ts';
import type { ObjectKey } from '../reconcile/reconciler.ts';
import type { Informers } from './informers.ts';
import { kinds } from './kinds.ts';

const heldReason: Readonly<Record<Braked, string>> = {
  Deletion: AccountReason.DeletionHeld,
  Creation: AccountReason.CreationHeld,
};

/** Counts, from memory, what the resources of a namespace ask of an account. */
export function createCensus(options: {
  readonly informers: Pick<Informers, 'of' | 'namespaces'>;
  readonly users: Pick<AccountUsers, 'accountOf'>;
}) {
  const { informers, users } = options;

  /** When its deletion was asked for; all of a namespace that is deleted goes with it. */
  function deletionOf({ metadata }: ManagedObject): string | undefined {
    const namespace = informers.namespaces?.get(undefined, metadata.namespace ?? '');
    return metadata.deletionTimestamp ?? namespace?.metadata.deletionTimestamp;
  }

  /** When the action was asked for; undefined where it is not. */
  function askedAt<T extends ManagedObject>(action: Braked, object: T, kind: BrakedKind<T>): number | undefined {
    const { metadata, status } = object;
    if (isSet(object, Annotation.abandon)) return undefined;
    const deletion = deletionOf(object);
    if (action === 'Deletion') {
      const isMeant = status?.id !== undefined && ownFinalizer(object) !== undefined;
      if (deletion === undefined || !isMeant || isLeftBehind(object, status.ownership)) return undefined;
      return Date.parse(deletion);
    }
    if (deletion !== undefined || status?.id !== undefined || !kind.isToBeCreated(object)) return undefined;
    return Date.parse(metadata.creationTimestamp ?? '');
  }

  return {
    deletionOf,

    /** `clusterNow`: milliseconds since the epoch. */
    of(
      action: Braked,
      namespace: string,
      account: { readonly key: ObjectKey; readonly object: KubernetesObject | undefined },
      clusterNow: number,
    ): Census & { readonly askedUntil: number } {
      const waiting: Waiting[] = [];
      const present = new Set<string>();
      let askedUntil = Number.NEGATIVE_INFINITY;
      function take<K extends ManagedKindName>(kind: K, objects: readonly ManagedObjects[K][]): void {
        const { braked }: { readonly braked?: BrakedKind<ManagedObjects[K]> } = kinds[kind];
        if (!braked) return;
        for (const object of objects) {
          if (users.accountOf(object) !== account.key) continue;
          const { uid } = object.metadata;
          if (object.status?.id !== undefined) present.add(uid);
          const at = askedAt(action, object, braked);
          if (at === undefined || at <= releasedUntil(action, [account.object, object], clusterNow)) continue;
          // Versions that did not write it down told it by the condition alone.
          const isTold = findCondition(object.status?.conditions, 'Synced')?.reason === heldReason[action];
          const isHeld = isTold || object.status?.heldSince !== undefined;
          waiting.push({ key: uid, askedAt: at, isHeld });
          askedUntil = Math.max(askedUntil, at);
        }
      }
      for (const kind of managedKindNames) take(kind, informers.of[kind].byNamespace(namespace));
      return { waiting, present, askedUntil };
    },
  };
}
