import type { ObjectKey } from '../../reconcile/reconciler.ts';

/**
 * Resources whose finalizer is on its way to the cluster: until it shows on them nothing else tells that they are about to
 * need their account.
 */
export interface Bindings {
  /** Notes that a resource is being bound to an account, until what is returned is called. */
  begin(account: ObjectKey, resource: ObjectKey): () => void;
  /** The resources that are being bound to an account. */
  of(account: ObjectKey): readonly ObjectKey[];
}

/** `onEnd`: a resource was bound to this account, or was not after all. */
export function createBindings(onEnd: (account: ObjectKey) => void = () => undefined): Bindings {
  const bound = new Map<ObjectKey, Set<ObjectKey>>();
  return {
    begin(account, resource) {
      const resources = bound.get(account) ?? new Set();
      bound.set(account, resources.add(resource));
      return () => {
        resources.delete(resource);
        if (resources.size === 0 && bound.get(account) === resources) bound.delete(account);
        onEnd(account);
      };
    },
    of: (account) => [...(bound.get(account) ?? [])],
  };
}
