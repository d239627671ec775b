import type { Backup, StoredObject } from '../shadow/apiserver/apiserver.ts';
import { type Concern, isNeeded } from './concern.ts';
import { keyOf, managedPlurals } from './objects.ts';

/** The part of the cluster that matters; what is not concerned is paused, so that it stays as it is. */
export function shadowOf({ revision, objects }: Backup, concern: Concern): Backup {
  const kept = [...objects].map(([plural, stored]): [string, readonly StoredObject[]] => [
    plural,
    stored.flatMap((object) => {
      const key = keyOf(plural, object.metadata.namespace, object.metadata.name);
      if (!isNeeded(key, concern)) return [];
      const isNeighbour = managedPlurals.some((one) => one === plural) && !concern.concerned.has(key);
      return [isNeighbour ? paused(object) : object];
    }),
  ]);
  return { revision, objects: new Map(kept) };
}

function paused(object: StoredObject): StoredObject {
  const annotations = { ...object.metadata.annotations, 'edgeline.dev/paused': 'true' };
  return { ...object, metadata: { ...object.metadata, annotations } };
}
