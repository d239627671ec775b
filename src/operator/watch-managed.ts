import { isDeepStrictEqual } from 'node:util';
import { isInNeed } from '../kinds/cloud-account/users.ts';
import type { Informer } from '../kubernetes/informer.ts';
import { Annotation, isPaused, isSet } from '../reconcile/annotations.ts';
import { byAge } from '../reconcile/evidence.ts';
import { ownFinalizer } from '../reconcile/finalizer.ts';
import { createIndex } from '../reconcile/indexer.ts';
import type { ManagedReconciler } from '../reconcile/managed.ts';
import type { ManagedObject } from '../reconcile/managed-object.ts';
import { keyOf } from '../reconcile/reconciler.ts';
import { createPutBack } from './put-back.ts';
import type { Wiring } from './wiring.ts';

/**
 * So many who may claim the same look at once when one of them lets go: one of the oldest gets it. Each looks at all others, and
 * whoever has hundreds must not keep the process busy by an edit; those that are left out look in their turn.
 */
const MOST_RIVALS = 16;

/**
 * Connects what is the same for every managed kind: a change of the resource, of a Secret it names, or of its
 * namespace's labels leads to a pass, and its coming and going to one of its account. Call before the informers start.
 */
export function watchManaged<T extends ManagedObject>(
  { informers, users, enqueue, enqueueAfter, onNeededLess, clock }: Wiring,
  options: {
    readonly informer: Informer<T>;
    readonly reconciler: ManagedReconciler;
    /** Names of the Secrets an object names. */
    readonly secretsOf: (object: T) => readonly string[];
    /** Who may claim the same at the service; the object itself may be among them. */
    readonly rivalsOf: (object: T) => readonly T[];
    readonly onGone: (object: T) => void;
  },
): void {
  const { informer, reconciler } = options;
  const { kind } = reconciler;
  const bySecret = createIndex(informer, (object) =>
    options.secretsOf(object).map((name) => `${object.metadata.namespace}/${name}`),
  );

  const putBack = createPutBack(clock);

  informer.onChange(({ old, new: current }) => {
    const subject = current ?? old;
    if (!subject) return;
    const key = keyOf(kind, subject.metadata);
    if (!current || needsPass(old, current)) {
      enqueue(key, current?.metadata.deletionTimestamp ? 'deletion' : 'change');
    }
    if (current && old && hasLostFinalizer(old, current)) enqueueAfter(key, putBack.wait(current.metadata.uid));
    if (!current || !old) enqueue(users.accountOf(subject), 'resync');
    else if (isInNeed(old) && !isInNeed(current)) onNeededLess(users.accountOf(old));
    if (!current) {
      putBack.forget(subject.metadata.uid);
      reconciler.gone(subject);
      options.onGone(subject);
    }
    if (current && old && claimsTheSame(old, current)) return;
    const rivals = new Map<string, T>();
    for (const one of [old, current]) {
      for (const rival of one ? options.rivalsOf(one) : []) rivals.set(rival.metadata.uid, rival);
    }
    rivals.delete(subject.metadata.uid);
    const told = [...rivals.values()].toSorted(byAge).slice(0, MOST_RIVALS);
    for (const rival of told) enqueue(keyOf(kind, rival.metadata), 'change');
  });

  informers.secrets.onChange(({ old, new: current }) => {
    const secret = current ?? old;
    if (!secret) return;
    for (const object of bySecret.get(`${secret.metadata.namespace}/${secret.metadata.name}`)) {
      const key = keyOf(kind, object.metadata);
      reconciler.reconsider(key);
      enqueue(key, 'change');
    }
  });

  informers.namespaces?.onChange(({ old, new: namespace }) => {
    if (!namespace) return;
    const isPauseNews = old !== undefined && isPaused(old) !== isPaused(namespace);
    for (const object of informer.byNamespace(namespace.metadata.name)) {
      enqueue(keyOf(kind, object.metadata), isPauseNews ? 'change' : 'resync');
    }
  });
}

/** Whether a change leaves as it is what a resource has at the service. */
function claimsTheSame(old: ManagedObject, current: ManagedObject): boolean {
  return old.status?.id === current.status?.id && isSet(old, Annotation.abandon) === isSet(current, Annotation.abandon);
}

/** Whether a status no longer tells of what it told of: somebody else wrote it, or what it told of is gone. */
function hasLostRecord({ status: old }: ManagedObject, { status }: ManagedObject): boolean {
  if (old?.id === undefined) return false;
  return status?.id !== old.id || status.uid !== old.uid || !isDeepStrictEqual(status.accountRef, old.accountRef);
}

/** Whether somebody took our finalizer off what has an object at the service: deleted now, it would leave that behind. */
function hasLostFinalizer(old: ManagedObject, current: ManagedObject): boolean {
  return current.status?.id !== undefined && ownFinalizer(old) !== undefined && ownFinalizer(current) === undefined;
}

/** Whether a change of a resource is somebody else's: its status is the operator's own as long as it tells of the same. */
function needsPass(old: ManagedObject | undefined, current: ManagedObject): boolean {
  return (
    !old ||
    hasLostRecord(old, current) ||
    old.metadata.generation !== current.metadata.generation ||
    old.metadata.deletionTimestamp !== current.metadata.deletionTimestamp ||
    !isDeepStrictEqual(old.metadata.annotations, current.metadata.annotations)
  );
}
