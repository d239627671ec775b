import { isMembers, type Members, textOf } from './json.ts';
import { namespaces } from './kinds/built-in.ts';
import type { Kind } from './kinds/kind.ts';
import { type Draft, draftOf, objectOf, timeOf } from './objects.ts';
import { badRequest, conflict, forbidden, invalid, notFound } from './status.ts';
import { keyOf, type Storage } from './storage.ts';
import { Version } from './versions.ts';
import { isDone, type Writing } from './writes.ts';

/** What a deletion came to: the object where it is still there, else the one that was. */
export interface Deleted {
  readonly version: Version;
  readonly isGone: boolean;
}

/** The finalizers by which dependents are waited for, or let go. The garbage collector removes them. */
const POLICIES: Readonly<Record<string, string | undefined>> = {
  Foreground: 'foregroundDeletion',
  Orphan: 'orphan',
  Background: undefined,
};
export const GARBAGE_FINALIZERS: ReadonlySet<string> = new Set(['foregroundDeletion', 'orphan']);

/** These are there forever. */
const IMMORTAL = new Set(['default', 'kube-system', 'kube-public']);

/** Deletes an object, or marks it as being deleted. `options` is a `DeleteOptions`. Throws `StatusError`. */
export function deleteObject(storage: Storage, writing: Writing, name: string, options: Members, now: number): Deleted {
  const { kind, namespace, user, dryRun } = writing;
  if (kind === namespaces && IMMORTAL.has(name)) throw forbidden(kind, name, 'this namespace may not be deleted');
  const finalizer = finalizerOf(kind, name, options);
  const old = storage.table(kind).get(keyOf(kind, namespace, name));
  if (!old) throw notFound(kind, name);
  checkPreconditions(kind, old, options);

  const draft = draftOf(old.object);
  const isMarked = draft.metadata.deletionTimestamp !== undefined;
  const own = (draft.metadata.finalizers ?? []).filter((one) => !GARBAGE_FINALIZERS.has(one));
  const finalizers = options.propagationPolicy === undefined ? (draft.metadata.finalizers ?? []) : own;
  draft.metadata.finalizers = finalizer === undefined ? finalizers : [...finalizers, finalizer];
  if (!isMarked) mark(kind, draft, now);
  const object = objectOf(kind.apiVersion, kind.kind, draft);
  if (isDone(kind, object)) {
    if (!dryRun) storage.remove(kind, old, user);
    return { version: old, isGone: true };
  }
  if (isMarked && draft.metadata.finalizers.length === (old.object.metadata.finalizers ?? []).length) {
    return { version: old, isGone: false };
  }
  const version = dryRun ? new Version(old.key, old.revision, object) : storage.put(kind, old.key, old, draft, user);
  return { version, isGone: false };
}

function mark(kind: Kind, draft: Draft, now: number): void {
  draft.metadata.deletionTimestamp = timeOf(now);
  draft.metadata.deletionGracePeriodSeconds = 0;
  if (draft.metadata.generation !== undefined) draft.metadata.generation++;
  kind.prepareDelete?.(draft);
}

function finalizerOf(kind: Kind, name: string, { propagationPolicy: policy }: Members): string | undefined {
  if (policy === undefined || policy === null) return undefined;
  if (typeof policy === 'string' && policy in POLICIES) return POLICIES[policy];
  throw invalid({ ...kind, group: 'meta.k8s.io', kind: 'DeleteOptions' }, name, [
    {
      reason: 'FieldValueNotSupported',
      message: `Unsupported value: ${JSON.stringify(policy)}: supported values: "Foreground", "Background", "Orphan", "nil"`,
      field: 'propagationPolicy',
    },
  ]);
}

function checkPreconditions(kind: Kind, { object: { metadata } }: Version, { preconditions }: Members): void {
  if (preconditions === undefined || preconditions === null) return;
  if (!isMembers(preconditions)) throw badRequest('preconditions is not an object');
  const { uid, resourceVersion } = preconditions;
  // These refusals name the kind where others name the resource.
  const named = { ...kind, plural: kind.kind, group: kind.storedGroup };
  if (uid !== undefined && uid !== metadata.uid) {
    throw conflict(
      named,
      metadata.name,
      `the UID in the precondition (${textOf(uid)}) does not match the UID in record (${metadata.uid}). The object might have been deleted and then recreated`,
    );
  }
  if (resourceVersion !== undefined && resourceVersion !== metadata.resourceVersion) {
    throw conflict(
      named,
      metadata.name,
      `the ResourceVersion in the precondition (${textOf(resourceVersion)}) does not match the ResourceVersion in record (${metadata.resourceVersion}). The object might have been modified`,
    );
  }
}
