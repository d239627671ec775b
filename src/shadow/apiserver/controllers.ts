import { deleteObject, GARBAGE_FINALIZERS } from './deletions.ts';
import { membersOf } from './json.ts';
import { namespaces } from './kinds/built-in.ts';
import type { Kind } from './kinds/kind.ts';
import { draftOf, objectOf } from './objects.ts';
import type { Storage } from './storage.ts';
import type { Version } from './versions.ts';
import { isDone } from './writes.ts';

/** Who deletes what is in a namespace that is being deleted. */
export const NAMESPACE_CONTROLLER = 'system:serviceaccount:kube-system:namespace-controller';
const GARBAGE_COLLECTOR = 'system:serviceaccount:kube-system:generic-garbage-collector';

/**
 * What the controllers of a cluster do, once: what is in namespaces that are being deleted is deleted, those that are empty
 * go, and the garbage collector lets go of what waits for it. It looks at no owners: nothing of the operator has any.
 */
export function runControllers(storage: Storage, kinds: Iterable<Kind>, now: number): void {
  const all = [...kinds].filter((kind) => kind !== namespaces);
  for (const kind of all) {
    for (const version of storage.table(kind).rows('')) {
      const { finalizers } = version.object.metadata;
      if (!finalizers?.some((one) => GARBAGE_FINALIZERS.has(one))) continue;
      letGo(
        storage,
        kind,
        version,
        (draft) => {
          draft.metadata.finalizers = finalizers.filter((one) => !GARBAGE_FINALIZERS.has(one));
        },
        GARBAGE_COLLECTOR,
      );
    }
  }
  for (const namespace of storage.table(namespaces).rows('')) {
    const { name, deletionTimestamp } = namespace.object.metadata;
    if (deletionTimestamp === undefined) continue;
    const contents = all.filter(({ namespaced }) => namespaced);
    const prefix = `${name}/`;
    for (const kind of contents) {
      for (const { object } of storage.table(kind).rows(prefix)) {
        const writing = { kind, namespace: name, user: NAMESPACE_CONTROLLER, dryRun: false };
        deleteObject(storage, writing, object.metadata.name, {}, now);
      }
    }
    if (contents.some((kind) => storage.table(kind).rows(prefix).length > 0)) continue;
    letGo(
      storage,
      namespaces,
      namespace,
      (draft) => {
        const { finalizers: _, ...spec } = membersOf(draft.content.spec);
        draft.content = { ...draft.content, spec };
      },
      NAMESPACE_CONTROLLER,
    );
  }
}

/** Changes an object, which goes when nothing keeps it any more. */
function letGo(
  storage: Storage,
  kind: Kind,
  version: Version,
  change: (draft: ReturnType<typeof draftOf>) => void,
  user: string,
): void {
  const draft = draftOf(version.object);
  change(draft);
  if (isDone(kind, objectOf(kind.apiVersion, kind.kind, draft))) storage.remove(kind, version, user);
  else storage.put(kind, version.key, version, draft, user);
}
