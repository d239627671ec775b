import { Annotation, isPaused } from '../reconcile/annotations.ts';
import type { Backup, StoredObject } from '../shadow/apiserver/apiserver.ts';
import { keyOf } from './objects.ts';

const places: readonly string[] = ['cloudaccounts', 'clustercloudaccounts', 'namespaces'];

/** What somebody has paused of what a plan is about, by `keyOf`: resources that are concerned, accounts and namespaces. Pure. */
export function pausesIn({ objects }: Backup, concerned: ReadonlySet<string>): ReadonlySet<string> {
  return new Set(
    [...objects].flatMap(([plural, stored]) =>
      stored
        .filter((object) => isPaused(object))
        .map(({ metadata }) => keyOf(plural, metadata.namespace, metadata.name))
        .filter((key) => places.includes(plural) || concerned.has(key)),
    ),
  );
}

/** The cluster as it will be when these are paused no more: what waits for that is what a plan is asked for. Pure. */
export function resumed({ revision, objects }: Backup, pauses: ReadonlySet<string>): Backup {
  const lift = (plural: string, object: StoredObject) =>
    pauses.has(keyOf(plural, object.metadata.namespace, object.metadata.name)) ? withoutPause(object) : object;
  return {
    revision,
    objects: new Map([...objects].map(([plural, stored]) => [plural, stored.map((object) => lift(plural, object))])),
  };
}

function withoutPause(object: StoredObject): StoredObject {
  const { [Annotation.paused]: _paused, ...annotations } = object.metadata.annotations ?? {};
  return { ...object, metadata: { ...object.metadata, annotations } };
}
