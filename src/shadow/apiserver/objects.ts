import type { Members } from './json.ts';

/** `metadata` of a stored object. */
export interface Metadata {
  readonly name: string;
  readonly generateName?: string;
  readonly namespace?: string;
  readonly uid: string;
  readonly resourceVersion: string;
  readonly generation?: number;
  readonly creationTimestamp: string;
  readonly deletionTimestamp?: string;
  readonly deletionGracePeriodSeconds?: number;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly ownerReferences?: readonly Members[];
  readonly finalizers?: readonly string[];
}

/** An object as it is stored. Shared with whoever asks for it: nobody changes it. */
export interface StoredObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: Metadata;
  readonly [field: string]: unknown;
}

/** `metadata` as a request has it. */
export type MetadataDraft = { -readonly [Field in keyof Metadata]?: Metadata[Field] | undefined };

/** An object on its way into the store: its metadata, and everything else but `apiVersion` and `kind`. */
export interface Draft {
  metadata: MetadataDraft;
  content: Members;
}

/** A stored object as a draft, to be changed. */
export function draftOf(object: StoredObject): Draft {
  const { apiVersion: _, kind: __, metadata, ...content } = object;
  return { metadata: { ...metadata }, content };
}

/** The draft as it is stored. What metadata does not have is left out, and so is what is empty in it. */
export function objectOf(apiVersion: string, kind: string, draft: Draft): StoredObject {
  return { apiVersion, kind, metadata: compact(draft.metadata), ...draft.content };
}

/** Written out member by member, because it is done for every write, and spreading takes twenty times as long. */
function compact(draft: MetadataDraft): Metadata {
  const { name = '', generateName, namespace, uid = '', resourceVersion = '', creationTimestamp = '' } = draft;
  const { generation, deletionTimestamp, deletionGracePeriodSeconds, finalizers, ownerReferences } = draft;
  const made: { -readonly [Field in keyof Metadata]: Metadata[Field] } = {
    name,
    uid,
    resourceVersion,
    creationTimestamp,
  };
  if (generateName) made.generateName = generateName;
  if (namespace) made.namespace = namespace;
  if (generation) made.generation = generation;
  if (deletionTimestamp !== undefined) made.deletionTimestamp = deletionTimestamp;
  if (deletionGracePeriodSeconds !== undefined) made.deletionGracePeriodSeconds = deletionGracePeriodSeconds;
  if (!isEmpty(draft.labels)) made.labels = draft.labels;
  if (!isEmpty(draft.annotations)) made.annotations = draft.annotations;
  if (ownerReferences?.length) made.ownerReferences = ownerReferences;
  if (finalizers?.length) made.finalizers = finalizers;
  return made;
}

function isEmpty(map: Readonly<Record<string, string>> | undefined): map is undefined {
  for (const _ in map) return false;
  return true;
}

/** A time in milliseconds as `metav1.Time`. */
export function timeOf(milliseconds: number): string {
  return `${new Date(milliseconds).toISOString().slice(0, 19)}Z`;
}
