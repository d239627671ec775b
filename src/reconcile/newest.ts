import type { KubeClient } from '../kubernetes/client.ts';
import type { Informer } from '../kubernetes/informer.ts';
import type { KubernetesObject } from '../kubernetes/objects.ts';
import type { Resource } from '../kubernetes/resource.ts';

/** The object as the informer shows it now; as it was where there is none any more, or another one under its name. */
export function shownNow<T extends KubernetesObject>(informer: Pick<Informer<T>, 'get'>, object: T): T {
  const { namespace, name, uid } = object.metadata;
  const shown = informer.get(namespace, name);
  return shown?.metadata.uid === uid ? shown : object;
}

/**
 * After a conflict: the object as it is now, which the informer then shows, too. Throws the conflict when there is another
 * object under its name by now.
 */
export async function newestOf<T extends KubernetesObject>(
  from: { readonly client: KubeClient; readonly resource: Resource; readonly informer: Informer<T> },
  object: T,
  conflict: unknown,
): Promise<T> {
  const { namespace, name, uid } = object.metadata;
  const newest = await from.client.get<T>(from.resource, namespace, name);
  from.informer.put(newest);
  if (newest.metadata.uid !== uid) throw conflict;
  return newest;
}
