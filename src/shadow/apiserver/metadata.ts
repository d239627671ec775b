import { isMembers, type Members } from './json.ts';
import type { Kind } from './kinds/kind.ts';
import { labelCauses, nameProblems, qualifiedNameProblems } from './names.ts';
import type { MetadataDraft, StoredObject } from './objects.ts';
import { compileNode, type Node } from './schema/node.ts';
import { type Cause, cause, DecodeError } from './status.ts';

const TEXTS = ['name', 'generateName', 'namespace', 'uid', 'resourceVersion'] as const;
const TIMES = ['creationTimestamp', 'deletionTimestamp'] as const;
const NUMBERS = ['generation', 'deletionGracePeriodSeconds'] as const;
const MAPS = ['labels', 'annotations'] as const;
/** Of all annotations together. Bytes. */
const ANNOTATIONS_LIMIT = 256 * 1024;

const ANYTHING = { 'x-kubernetes-preserve-unknown-fields': true };
const named = (names: readonly string[]): Members => Object.fromEntries(names.map((name) => [name, ANYTHING]));
const OWNER = ['apiVersion', 'kind', 'name', 'uid', 'controller', 'blockOwnerDeletion'];

/** What there may be in `metadata`. */
export const metadataSchema: Node = compileNode({
  properties: {
    ...named([...TEXTS, ...TIMES, ...NUMBERS, ...MAPS, 'finalizers', 'managedFields', 'selfLink']),
    ownerReferences: { items: { properties: named(OWNER) } },
  },
});

/** `metadata` of a body: what it knows, with the right types; throws 400 for others. */
export function decodeMetadata(value: unknown): MetadataDraft {
  if (value === undefined || value === null) return {};
  if (!isMembers(value)) throw new DecodeError('metadata is not an object');
  const draft: MetadataDraft = {};
  for (const name of TEXTS) {
    const text = value[name];
    if (typeof text === 'string') {
      if (text !== '') draft[name] = text;
    } else refuse(text, name, 'string');
  }
  for (const name of TIMES) {
    const time = value[name];
    if (typeof time === 'string' && !Number.isNaN(Date.parse(time))) draft[name] = time;
    else refuse(time, name, 'Time');
  }
  for (const name of NUMBERS) {
    const number = value[name];
    if (typeof number === 'number') draft[name] = number;
    else refuse(number, name, 'int64');
  }
  for (const name of MAPS) {
    const map = value[name];
    if (isTextMap(map)) draft[name] = map;
    else refuse(map, name, 'map[string]string');
  }
  const { finalizers, ownerReferences } = value;
  if (Array.isArray(finalizers) && finalizers.every((one) => typeof one === 'string')) draft.finalizers = finalizers;
  else refuse(finalizers, 'finalizers', '[]string');
  if (Array.isArray(ownerReferences) && ownerReferences.every(isMembers)) draft.ownerReferences = ownerReferences;
  else refuse(ownerReferences, 'ownerReferences', '[]OwnerReference');
  return draft;
}

function refuse(value: unknown, name: string, type: string): void {
  if (value === undefined || value === null) return;
  throw new DecodeError(
    `json: cannot unmarshal ${typeof value} into Go struct field ObjectMeta.metadata.${name} of type ${type}`,
  );
}

function isTextMap(value: unknown): value is Record<string, string> {
  if (!isMembers(value)) return false;
  for (const name in value) if (typeof value[name] !== 'string') return false;
  return true;
}

/** What is wrong with the metadata of an object that is to be stored. */
export function metadataCauses(
  draft: MetadataDraft,
  { nameForm, wantsQualifiedFinalizers }: Pick<Kind, 'nameForm' | 'wantsQualifiedFinalizers'>,
): Cause[] {
  const { name = '' } = draft;
  const causes =
    name === ''
      ? [cause.required('metadata.name', 'name or generateName is required')]
      : nameProblems(name, nameForm).map((problem) => cause.invalid('metadata.name', name, problem));
  causes.push(...alwaysCheckedCauses(draft));
  for (const [index, finalizer] of (draft.finalizers ?? []).entries()) {
    causes.push(...finalizerCauses(finalizer));
    if (wantsQualifiedFinalizers && !finalizer.includes('/')) {
      const problem = 'name is neither a standard finalizer name nor is it fully qualified';
      causes.push(cause.invalid(`metadata.finalizers[${index}]`, finalizer, problem));
    }
  }
  return causes;
}

/** What is checked of an update, too, whether it changes or not. */
function alwaysCheckedCauses(draft: MetadataDraft): Cause[] {
  const causes: Cause[] = [];
  if (draft.labels) causes.push(...labelCauses(draft.labels, 'metadata.labels'));
  if (draft.annotations) {
    let size = 0;
    for (const key in draft.annotations) {
      for (const problem of qualifiedNameProblems(key.toLowerCase())) {
        causes.push(cause.invalid('metadata.annotations', key, problem));
      }
      size += Buffer.byteLength(key) + Buffer.byteLength(draft.annotations[key] ?? '');
    }
    if (size > ANNOTATIONS_LIMIT) causes.push(cause.tooLong('metadata.annotations', ANNOTATIONS_LIMIT));
  }
  for (const [index, owner] of (draft.ownerReferences ?? []).entries()) causes.push(...ownerCauses(owner, index));
  return causes;
}

function ownerCauses(owner: Members, index: number): Cause[] {
  const field = `metadata.ownerReferences[${index}]`;
  return ['apiVersion', 'kind', 'name', 'uid'].flatMap((name) => {
    const value = owner[name];
    if (typeof value === 'string' && value !== '') return [];
    return [
      cause.invalid(`${field}.${name}`, '', name === 'apiVersion' ? 'version must not be empty' : 'must not be empty'),
    ];
  });
}

function finalizerCauses(finalizer: string): Cause[] {
  return qualifiedNameProblems(finalizer).map((problem) => cause.invalid('metadata.finalizers', finalizer, problem));
}

const IMMUTABLE = [
  'name',
  'namespace',
  'uid',
  'creationTimestamp',
  'deletionTimestamp',
  'deletionGracePeriodSeconds',
] as const;

/** What is wrong with a change of metadata. The draft has what an update never changes already as it was. */
export function metadataUpdateCauses(draft: MetadataDraft, old: StoredObject): Cause[] {
  const causes: Cause[] = [];
  if (old.metadata.deletionTimestamp !== undefined) {
    const known = new Set(old.metadata.finalizers);
    const added = (draft.finalizers ?? []).filter((one) => !known.has(one));
    if (added.length > 0) {
      causes.push(
        cause.forbidden(
          'metadata.finalizers',
          `no new finalizers can be added if the object is being deleted, found new finalizers []string{${added.map((one) => JSON.stringify(one)).join(', ')}}`,
        ),
      );
    }
  }
  for (const name of IMMUTABLE) {
    if (draft[name] !== old.metadata[name]) {
      causes.push(cause.invalid(`metadata.${name}`, draft[name], 'field is immutable'));
    }
  }
  return [...causes, ...alwaysCheckedCauses(draft)];
}

/** What an update leaves as it was, whatever it says: clients send back what they read, or nothing at all. */
export function keepSystemFields(draft: MetadataDraft, old: StoredObject): void {
  const { uid, creationTimestamp, generation, deletionTimestamp, deletionGracePeriodSeconds } = old.metadata;
  draft.uid ??= uid;
  draft.creationTimestamp = creationTimestamp;
  draft.generation = generation;
  if (deletionTimestamp !== undefined) {
    draft.deletionTimestamp = deletionTimestamp;
    draft.deletionGracePeriodSeconds ??= deletionGracePeriodSeconds;
  }
}
