import type { KubeClient } from '../kubernetes/client.ts';
import type { Informer } from '../kubernetes/informer.ts';
import { diff } from '../kubernetes/merge-patch.ts';
import type { Resource } from '../kubernetes/resource.ts';
import { ownFinalizer, withFinalizer } from './finalizer.ts';
import type { CommonStatus, ManagedObject } from './kind.ts';

/** The two writes the operator does to a resource: its finalizer and its status. Nothing else is ever written. */
export function createWrites<T extends ManagedObject>(options: {
  readonly client: KubeClient;
  readonly resource: Resource;
  readonly informer: Informer<T>;
}) {
  const { client, resource, informer } = options;
  return {
    /**
     * Sets our finalizer, exchanges it for another intent or removes it. Guarded by the resource version, because a
     * merge patch replaces the whole list. Returns the object as it is then.
     */
    async finalizer(object: T, intent: 'create' | 'adopt' | undefined): Promise<T> {
      if (ownFinalizer(object) === intent) return object;
      const { namespace, name, uid, resourceVersion } = object.metadata;
      const finalizers = withFinalizer(object, intent);
      const patch = { metadata: { uid, resourceVersion, finalizers: finalizers.length > 0 ? finalizers : null } };
      const written = await client.mergePatch<T>(resource, namespace, name, patch);
      informer.put(written);
      return informer.get(namespace, name) ?? written;
    },

    /** Writes the status if it differs from what is there. The UID guards against a new object under the old name. */
    async status(object: T, next: CommonStatus): Promise<T> {
      const status = diff(object.status ?? {}, next);
      if (status === undefined) return object;
      const { namespace, name, uid } = object.metadata;
      const patch = { metadata: { uid }, status };
      const written = await client.mergePatch<T>(resource, namespace, name, patch, { subresource: 'status' });
      informer.put(written);
      return informer.get(namespace, name) ?? written;
    },
  };
}

/** See {@link createWrites}. */
export type Writes<T extends ManagedObject> = ReturnType<typeof createWrites<T>>;
