/** What the client of one side has seen so far, from which its next requests are made. */
export interface Known {
  /** The versions of an object that were answered, oldest first. */
  versions(plural: string, name: string): readonly KnownObject[];
  /** Of the last page. */
  readonly continueToken: string | undefined;
  /** Of the last list. */
  readonly listVersion: string | undefined;
}

export interface KnownObject {
  readonly metadata: {
    readonly name: string;
    readonly uid?: string;
    readonly resourceVersion?: string;
    readonly [field: string]: unknown;
  };
  readonly [field: string]: unknown;
}

/** A client's memory. */
export interface Memory extends Known {
  /** Takes in an answer to a request for this object or list. */
  learn(plural: string, answer: unknown): void;
}

/** An empty memory. */
export function createMemory(): Memory {
  const objects = new Map<string, KnownObject[]>();
  let continueToken: string | undefined;
  let listVersion: string | undefined;
  return {
    versions: (plural, name) => objects.get(`${plural}/${name}`) ?? [],
    get continueToken() {
      return continueToken;
    },
    get listVersion() {
      return listVersion;
    },
    learn(plural, answer) {
      if (!isKnownObject(answer) || answer.kind === 'Status') return;
      if (String(answer.kind).endsWith('List')) {
        const { resourceVersion, continue: token } = answer.metadata;
        listVersion = resourceVersion;
        continueToken = typeof token === 'string' ? token : undefined;
        return;
      }
      if (answer.kind === 'PartialObjectMetadata') return;
      const key = `${plural}/${answer.metadata.name}`;
      objects.set(key, [...(objects.get(key) ?? []), answer]);
    },
  };
}

function isKnownObject(value: unknown): value is KnownObject {
  return typeof value === 'object' && value !== null && 'metadata' in value;
}
