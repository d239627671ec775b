import { isEqual, isMembers, type Members } from './json.ts';
import { namespaces } from './kinds/built-in.ts';
import type { Kind, Subresource } from './kinds/kind.ts';
import { mergePatch } from './merge-patch.ts';
import { decodeMetadata, keepSystemFields, metadataCauses, metadataUpdateCauses } from './metadata.ts';
import { type Draft, objectOf, type StoredObject, timeOf } from './objects.ts';
import {
  alreadyExists,
  badRequest,
  type Cause,
  cause,
  conflict,
  DecodeError,
  forbidden,
  invalid,
  notFound,
  StatusError,
} from './status.ts';
import { keyOf, type Storage } from './storage.ts';
import { Version } from './versions.ts';

/** Who writes, and how. */
export interface Writing {
  readonly kind: Kind;
  /** Empty for what is in none. */
  readonly namespace: string;
  readonly user: string;
  /** Checked, but not stored. */
  readonly dryRun: boolean;
}

/** What a write came to: the object as it is answered. */
export interface Written {
  readonly status: 200 | 201;
  readonly version: Version;
}

export interface Writes {
  create(writing: Writing, body: Members): Written;
  update(writing: Writing, name: string, subresource: Subresource, body: Members): Written;
  patch(writing: Writing, name: string, subresource: Subresource, body: Members): Written;
}

const MODIFIED = 'the object has been modified; please apply your changes to the latest version and try again';

/** Writes into a storage. All throw `StatusError` for what is refused. */
export function createWrites(storage: Storage, options: { now: () => number; uid: () => string }): Writes {
  function draftFrom(writing: Writing, body: Members, known?: StoredObject): Draft {
    const { kind, namespace } = writing;
    checkType(kind, body);
    const metadata = decodeMetadata(body.metadata);
    if (kind.namespaced && metadata.namespace !== undefined && metadata.namespace !== namespace) {
      throw badRequest(
        known || metadata.name === undefined
          ? `the namespace of the object (${metadata.namespace}) does not match the namespace on the request (${namespace})`
          : 'the namespace of the provided object does not match the namespace sent on the request',
      );
    }
    metadata.namespace = kind.namespaced ? namespace : undefined;
    return { metadata, content: kind.decode(body, known) };
  }

  /** What a patch makes of an object. That it cannot be read then is the patch's fault. */
  function patched(writing: Writing, body: Members, known: StoredObject): Draft {
    try {
      return draftFrom(writing, body, known);
    } catch (error) {
      if (!(error instanceof DecodeError)) throw error;
      throw invalid({ group: '', kind: '' }, '', [cause.invalid('patch', '', error.message)]);
    }
  }

  /** Nothing new in a namespace that is going, or not there. */
  function admit({ kind, namespace }: Writing, name: string): void {
    if (!kind.namespaced) return;
    const place = storage.table(namespaces).get(namespace);
    if (!place) throw notFound(namespaces, namespace);
    if (place.object.metadata.deletionTimestamp === undefined) return;
    throw forbidden(
      kind,
      name,
      `unable to create new content in namespace ${namespace} because it is being terminated`,
      [
        {
          reason: 'NamespaceTerminating',
          message: `namespace ${namespace} is being terminated`,
          field: 'metadata.namespace',
        },
      ],
    );
  }

  function createFrom(writing: Writing, draft: Draft): Written {
    const { kind, namespace, user, dryRun } = writing;
    const { metadata } = draft;
    if (metadata.name === undefined && metadata.generateName !== undefined) {
      metadata.name = metadata.generateName + options.uid().replaceAll('-', '').slice(0, 5);
    }
    admit(writing, metadata.name ?? '');
    metadata.uid = options.uid();
    metadata.creationTimestamp = timeOf(options.now());
    kind.prepareCreate(draft);
    const causes = metadataCauses(metadata, kind);
    causes.push(...kind.causes(draft, undefined, causes));
    if (causes.length > 0) throw refused(kind, metadata.name ?? '', causes);
    const name = metadata.name ?? '';
    const key = keyOf(kind, namespace, name);
    if (metadata.resourceVersion !== undefined && !dryRun) {
      throw new StatusError(500, '', 'resourceVersion should not be set on objects to be created');
    }
    const there = storage.table(kind).get(key);
    if (there) throw alreadyExists(kind, name, there.object.metadata.deletionTimestamp !== undefined);
    const version = dryRun
      ? unstored(key, objectOf(kind.apiVersion, kind.kind, draft))
      : storage.put(kind, key, undefined, draft, user);
    return { status: 201, version };
  }

  function change(writing: Writing, old: Version, draft: Draft, subresource: Subresource): Written {
    const { kind, dryRun, user } = writing;
    const { name } = old.object.metadata;
    const asked = draft.metadata.resourceVersion;
    if (asked === undefined && !kind.takesUnconditionalUpdates) {
      const problem = cause.invalid('metadata.resourceVersion', 0, 'must be specified for an update');
      throw invalid({ ...kind, kind: kind.plural }, name, [problem]);
    }
    if (asked !== undefined && asked !== old.object.metadata.resourceVersion) throw conflict(kind, name, MODIFIED);
    draft.metadata.resourceVersion = old.object.metadata.resourceVersion;
    keepSystemFields(draft.metadata, old.object);
    kind.prepareUpdate(draft, old.object, subresource);
    const causes = metadataUpdateCauses(draft.metadata, old.object);
    causes.push(...kind.causes(draft, old.object, causes));
    if (causes.length > 0) throw refused(kind, name, causes);

    const object = objectOf(kind.apiVersion, kind.kind, draft);
    const answer = new Version(old.key, old.revision, object);
    if (isEqual(object, old.object) && !isDone(kind, object) && !old.isBare) return { status: 200, version: old };
    if (dryRun) return { status: 200, version: answer };
    if (isDone(kind, object)) {
      storage.remove(kind, old, user);
      return { status: 200, version: answer };
    }
    return { status: 200, version: storage.put(kind, old.key, old, draft, user) };
  }

  function found({ kind, namespace }: Writing, name: string): Version {
    const version = storage.table(kind).get(keyOf(kind, namespace, name));
    if (!version) throw notFound(kind, name);
    return version;
  }

  return {
    create(writing, body) {
      const draft = draftFrom(writing, body);
      // What PUT creates keeps these, as odd as that is.
      draft.metadata.deletionTimestamp = undefined;
      draft.metadata.deletionGracePeriodSeconds = undefined;
      return createFrom(writing, draft);
    },

    update(writing, name, subresource, body) {
      const { kind, namespace } = writing;
      const old = storage.table(kind).get(keyOf(kind, namespace, name));
      const draft = draftFrom(writing, body);
      checkName(draft, name);
      const { uid } = draft.metadata;
      if ((old ?? kind.createsOnUpdate) && uid !== undefined && uid !== old?.object.metadata.uid) {
        const why = `Precondition failed: UID in precondition: ${uid}, UID in object meta: ${old?.object.metadata.uid ?? ''}`;
        throw conflict(
          kind,
          name,
          `StorageError: invalid object, Code: 4, Key: ${kind.prefix}${keyOf(kind, namespace, name)}, ResourceVersion: 0, AdditionalErrorMsg: ${why}`,
        );
      }
      if (old) return change(writing, old, draft, subresource);
      if (!kind.createsOnUpdate || subresource) throw notFound(kind, name);
      if (!writing.dryRun) draft.metadata.resourceVersion = undefined;
      return createFrom(writing, draft);
    },

    patch(writing, name, subresource, patch) {
      const old = found(writing, name);
      const draft = patched(writing, mergePatch(old.object, patch), old.object);
      checkName(draft, name);
      return change(writing, old, draft, subresource);
    },
  };
}

/** Whether an object that is being deleted has nothing left that keeps it. */
export function isDone(kind: Kind, { metadata, ...rest }: StoredObject): boolean {
  if (metadata.deletionTimestamp === undefined || metadata.finalizers?.length) return false;
  return !kind.isHeldBack?.({ metadata, ...rest });
}

/** What would have been stored; it has no version. */
function unstored(key: string, object: StoredObject): Version {
  const text = JSON.stringify(object, (name, value: unknown) =>
    name === 'resourceVersion' && value === '' ? undefined : value,
  );
  return new Version(key, 0, object, { text });
}

function refused(kind: Kind, name: string, causes: readonly Cause[]): Error {
  return invalid({ ...kind, group: kind.storedGroup }, name, causes);
}

function checkType(kind: Kind, body: Members): void {
  // Only of the kinds it was built with does the apiserver know what a body without them is.
  if (kind.hasTypedItems && (body.apiVersion === undefined || body.kind === undefined)) {
    throw badRequest("Object 'Kind' is missing");
  }
  const { apiVersion = kind.apiVersion, kind: name = kind.kind } = body;
  if (apiVersion !== kind.apiVersion || name !== kind.kind) {
    throw badRequest(
      `${String(name)} in version "${String(apiVersion)}" cannot be handled as a ${kind.kind}: it must be ${kind.apiVersion}`,
    );
  }
}

function checkName({ metadata }: Draft, name: string): void {
  if (metadata.name === name) return;
  throw badRequest(
    metadata.name === undefined
      ? `the name of the object (${name} based on URL) was undeterminable: name must be provided`
      : `the name of the object (${metadata.name}) does not match the name on the URL (${name})`,
  );
}

/** The body of a request as an object. Throws 400. */
export function parseBody(text: string | undefined): Members {
  try {
    const body: unknown = JSON.parse(text ?? '');
    if (isMembers(body)) return body;
  } catch {
    // Said below.
  }
  throw badRequest('the object provided is unrecognized (must be of type JSON object)');
}
