import type { StoredObject } from './objects.ts';

/** One version of one object, and its JSON, which is made once and only when somebody reads it. */
export class Version {
  readonly object: StoredObject;
  /** `namespace/name`, or the name of what is in no namespace: lists are in the order of these. */
  readonly key: string;
  readonly revision: number;
  /**
   * Whether it is stored without the defaults that reading adds. The next write stores them, even one that changes nothing.
   */
  readonly isBare: boolean;
  #text: string | undefined;
  #metadataText: string | undefined;

  constructor(key: string, revision: number, object: StoredObject, more: { text?: string; isBare?: boolean } = {}) {
    this.key = key;
    this.revision = revision;
    this.object = object;
    this.isBare = more.isBare ?? false;
    this.#text = more.text;
  }

  get text(): string {
    this.#text ??= JSON.stringify(this.object);
    return this.#text;
  }

  /** As `PartialObjectMetadata`. */
  get metadataText(): string {
    this.#metadataText ??= `{"kind":"PartialObjectMetadata","apiVersion":"meta.k8s.io/v1","metadata":${JSON.stringify(this.object.metadata)}}`;
    return this.#metadataText;
  }
}

/** What happened to one object. */
export interface Change {
  readonly revision: number;
  readonly key: string;
  readonly old: Version | undefined;
  readonly new: Version | undefined;
}

/** The version that was there last, as watches show it that learn it is gone: with the revision of its going. */
export function asGone(version: Version, revision: number): Version {
  const { object } = version;
  return new Version(version.key, revision, {
    ...object,
    metadata: { ...object.metadata, resourceVersion: String(revision) },
  });
}
