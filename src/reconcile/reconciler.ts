/** Names one resource in the queue: `Kind/namespace/name`, the namespace empty for cluster-scoped kinds. */
export type ObjectKey = string;

/** The key of an object of that kind. */
export function keyOf(kind: string, metadata: { namespace?: string | undefined; name: string }): ObjectKey {
  return `${kind}/${metadata.namespace ?? ''}/${metadata.name}`;
}

/** The parts of a key. */
export function parseKey(key: ObjectKey): { kind: string; namespace: string; name: string } {
  const [kind = '', namespace = '', name = ''] = key.split('/');
  return { kind, namespace, name };
}

/** When a resource is to be looked at again. Nothing here: when an event says so, or at the next resync. */
export type Result =
  | { readonly requeue: 'backoff' }
  | { readonly requeue: 'after'; readonly milliseconds: number }
  | { readonly requeue: 'now' }
  /** An event will tell; look again after so long at the latest. Delays that have grown stay as they are. */
  | { readonly requeue: 'waiting'; readonly milliseconds?: number }
  | { readonly requeue: 'never' };

/** The worker a pass has. */
export interface Slot {
  /** Counts up with each pass of the process: what began first has the smaller one. */
  readonly number: number;
  /** Gives the worker to others while the pass waits for the service; to be told, by what it returns, when that is over. */
  wait(): () => void;
}

/** Brings one resource towards its spec. Must not throw for what a user or the service can cause. */
export interface Reconciler {
  readonly kind: string;
  reconcile(key: ObjectKey, signal: AbortSignal, slot: Slot): Promise<Result>;
}
