import type { Members } from '../json.ts';
import type { Draft, StoredObject } from '../objects.ts';
import type { Node } from '../schema/node.ts';
import type { Cause, Named } from '../status.ts';

/** What is written: the object, or its status alone. */
export type Subresource = 'status' | undefined;

/** A kind as it is served: what the apiserver calls a strategy. All of it is pure but for the drafts it is given to fill in. */
export interface Kind extends Named {
  readonly version: string;
  /** Such as `edgeline.dev/v1alpha1`. */
  readonly apiVersion: string;
  readonly namespaced: boolean;
  readonly hasStatus: boolean;
  /** Whether items of lists carry `apiVersion` and `kind`. */
  readonly hasTypedItems: boolean;
  /** The group it is stored under, which some refusals name. */
  readonly storedGroup: string;
  /** Where it is stored, before namespace and name. */
  readonly prefix: string;
  /** Whether a new object is stored without its status, which is then read as its default. */
  readonly isCreatedBare: boolean;
  /** What its names may be. */
  readonly nameForm: 'label' | 'subdomain';
  /** Whether PUT without a resource version is taken. */
  readonly takesUnconditionalUpdates: boolean;
  /** Whether finalizers must have a domain, as the oldest kinds ask for. */
  readonly wantsQualifiedFinalizers: boolean;
  /** Whether PUT creates what is not there. */
  readonly createsOnUpdate: boolean;
  /** What there may be of that which `decode` reads. */
  readonly schema: Node;
  /** Everything of a body but `apiVersion`, `kind` and `metadata`, as it is kept; parts of `known` are known to be right. */
  decode(body: Members, known?: StoredObject): Members;
  prepareCreate(draft: Draft): void;
  prepareUpdate(draft: Draft, old: StoredObject, subresource: Subresource): void;
  /** What is wrong besides metadata, of which `others` is known; `old` is undefined on creation. */
  causes(draft: Draft, old: StoredObject | undefined, others: readonly Cause[]): Cause[];
  /** What its deletion changes besides metadata. */
  prepareDelete?(draft: Draft): void;
  /** Whether something other than finalizers keeps it from going. */
  isHeldBack?(object: StoredObject): boolean;
  /** By which fields lists can be narrowed besides name and namespace. */
  fieldLabels(object: StoredObject): Readonly<Record<string, string>>;
}

/** The members of a body that are the kind's own. */
export function contentOf(body: Members): Members {
  const { apiVersion: _, kind: __, metadata: ___, ...content } = body;
  return content;
}
