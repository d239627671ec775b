import type { KubeClient } from '../kubernetes/client.ts';
import { isConflict } from '../kubernetes/errors.ts';
import type { Informer } from '../kubernetes/informer.ts';
import { diff } from '../kubernetes/merge-patch.ts';
import type { Resource } from '../kubernetes/resource.ts';
import { FinalizerNotKeptError, ownFinalizer, withFinalizer } from './finalizer.ts';
import type { CommonStatus, ManagedObject } from './managed-object.ts';
import { newestOf, shownNow } from './newest.ts';

/** So many times a write is sent while others write, too. */
const MOST_TRIES = 4;

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
     * @throws {FinalizerNotKeptError} when what was stored lacks it.
     */
    async finalizer(object: T, intent: 'create' | 'adopt' | undefined): Promise<T> {
      if (ownFinalizer(object) === intent) return object;
      const { namespace, name, uid, resourceVersion } = object.metadata;
      const finalizers = withFinalizer(object, intent);
      const patch = { metadata: { uid, resourceVersion, finalizers: finalizers.length > 0 ? finalizers : null } };
      const written = await client.mergePatch<T>(resource, namespace, name, patch).catch(async (error: unknown) => {
        // Whatever changed, the next try is to decide from it.
        if (isConflict(error)) await newestOf(options, object, error);
        throw error;
      });
      informer.put(written);
      if (intent !== undefined && ownFinalizer(written) !== intent) throw new FinalizerNotKeptError(intent);
      return shownNow(informer, written);
    },

    /**
     * Writes the status if it differs from what is there. Guarded by the resource version, so that a write that a process
     * sent while it led cannot arrive over those of its successor; what a person changed meanwhile is no reason not to
     * write: then it is written to the newest, by whoever still leads.
     */
    async status(object: T, next: CommonStatus): Promise<T> {
      for (let current = object, tries = 1; ; tries++) {
        const status = diff(current.status ?? {}, next);
        if (status === undefined) return current;
        const { namespace, name, uid, resourceVersion } = current.metadata;
        const patch = { metadata: { uid, resourceVersion }, status };
        try {
          const written = await client.mergePatch<T>(resource, namespace, name, patch, { subresource: 'status' });
          informer.put(written);
          return shownNow(informer, written);
        } catch (error) {
          if (!isConflict(error) || tries === MOST_TRIES) throw error;
          current = await newestOf(options, current, error);
          // A restore has brought back a status meanwhile, which has to be read before it is written over.
          if (current.status?.id !== undefined && current.status.uid !== uid) throw error;
        }
      }
    },
  };
}

/** See {@link createWrites}. */
export type Writes<T extends ManagedObject> = ReturnType<typeof createWrites<T>>;
