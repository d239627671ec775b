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

/** What vanished is to be made anew as long as that is looked at; its release has to be as fresh. Milliseconds. */
const ANEW_MILLISECONDS = 600_000;

/** By what it is counted: what is to be created once more for each time that it vanished. */
export function keyOfAsked(uid: string, vanished: string | undefined): string {
  return vanished === undefined ? uid : `${uid}/${vanished}`;
}

/** Up to when what was asked for at that time is the same: what vanished is asked for anew while somebody reads the command. */
export function askedUntil(askedAt: number, vanished: string | undefined): number {
  return vanished === undefined ? askedAt : askedAt + ANEW_MILLISECONDS;
}

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

  /** When it was asked for. What vanished was asked for long ago, and nobody asked for it again. */
  function askedAt(action: Braked, object: ManagedObject, vanished: string | undefined, clusterNow: number): number {
    if (action === 'Deletion') return Date.parse(deletionOf(object) ?? '');
    if (vanished === undefined) return Date.parse(object.metadata.creationTimestamp ?? '');
    return Math.floor(clusterNow / ANEW_MILLISECONDS) * ANEW_MILLISECONDS;
  }

  function isAsked<T extends ManagedObject>(action: Braked, object: T, kind: BrakedKind<T>): boolean {
    const { status } = object;
    if (isSet(object, Annotation.abandon)) return false;
    const isGoing = deletionOf(object) !== undefined;
    if (action === 'Creation') return !isGoing && status?.id === undefined && kind.isToBeCreated(object);
    const isMeant = status?.id !== undefined && ownFinalizer(object) !== undefined;
    return isGoing && isMeant && !isLeftBehind(object, status.ownership);
  }

  return {
    askedAt,

    /** `clusterNow`: milliseconds since the epoch. */
    of(
      action: Braked,
      namespace: string,
      account: { readonly key: ObjectKey; readonly object: KubernetesObject | undefined },
      clusterNow: number,
    ): Census & { readonly askedUntil: number } {
      const waiting: Waiting[] = [];
      const present = new Set<string>();
      let last = Number.NEGATIVE_INFINITY;
      function take<K extends ManagedKindName>(kind: K, objects: readonly ManagedObjects[K][]): void {
        const { braked }: { readonly braked?: BrakedKind<ManagedObjects[K]> } = kinds[kind];
        if (!braked) return;
        for (const object of objects) {
          if (users.accountOf(object) !== account.key) continue;
          const { uid } = object.metadata;
          if (object.status?.id !== undefined) present.add(uid);
          if (!isAsked(action, object, braked)) continue;
          const { heldSince, heldAmong, vanishedID } = object.status ?? {};
          const vanished = action === 'Creation' ? vanishedID : undefined;
          const at = askedAt(action, object, vanished, clusterNow);
          if (at <= releasedUntil(action, [account.object, object], clusterNow)) continue;
          // Versions that did not write it down told it by the condition alone.
          const isTold = findCondition(object.status?.conditions, 'Synced')?.reason === heldReason[action];
          const isHeld = isTold || heldSince !== undefined;
          waiting.push({ key: keyOfAsked(uid, vanished), askedAt: at, isHeld, heldAmong });
          last = Math.max(last, askedUntil(at, vanished));
        }
      }
      for (const kind of managedKindNames) take(kind, informers.of[kind].byNamespace(namespace));
      return { waiting, present, askedUntil: last };
    },
  };
}
