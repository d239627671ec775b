import type { Kind } from './kinds/kind.ts';
import { type Draft, objectOf, type StoredObject } from './objects.ts';
import { createTable, type Table } from './table.ts';
import { type Change, Version } from './versions.ts';

/** A change that was stored, as listeners are told of it. */
export interface StoredChange {
  /** The plural. */
  readonly resource: string;
  readonly old: StoredObject | undefined;
  readonly new: StoredObject | undefined;
  /** Who wrote it. */
  readonly user: string;
}

/** The objects of all resources, and one count of revisions over all of them, as etcd has it. */
export interface Storage {
  /** Of the last change. */
  readonly revision: number;
  /** What happened before this revision is forgotten. */
  readonly oldest: number;
  table(kind: Kind): Table;
  /** Stores a new version of what `old` is, or of something new; tells everybody. */
  put(kind: Kind, key: string, old: Version | undefined, draft: Draft, user: string): Version;
  remove(kind: Kind, old: Version, user: string): number;
  /** Told of each change, before the request that made it is answered. */
  onChange(listener: (kind: Kind, change: Change, user: string) => void): void;
  compact(): void;
  /** So many revisions that nobody here hears of, as what others write. */
  advance(revisions: number): void;
  /** Everything as it was, with the revision of then; whoever watches must be told to begin anew. */
  restore(revision: number, objects: ReadonlyMap<Kind, readonly Version[]>): void;
}

/** An empty storage. */
export function createStorage(): Storage {
  /** By prefix: a kind is another one when its definition changes, and its objects are the same. */
  const tables = new Map<string, Table>();
  const listeners: ((kind: Kind, change: Change, user: string) => void)[] = [];
  let revision = 1;
  let oldest = 1;

  function table(kind: Kind): Table {
    let one = tables.get(kind.prefix);
    if (!one) tables.set(kind.prefix, (one = createTable()));
    return one;
  }

  function apply(kind: Kind, change: Change, user: string): void {
    table(kind).apply(change);
    for (const listener of listeners) listener(kind, change, user);
  }

  return {
    get revision() {
      return revision;
    },
    get oldest() {
      return oldest;
    },
    table,

    put(kind, key, old, draft, user) {
      revision++;
      draft.metadata.resourceVersion = String(revision);
      const version = new Version(key, revision, objectOf(kind.apiVersion, kind.kind, draft), {
        isBare: old === undefined && kind.isCreatedBare,
      });
      apply(kind, { revision, key, old, new: version }, user);
      return version;
    },

    remove(kind, old, user) {
      revision++;
      apply(kind, { revision, key: old.key, old, new: undefined }, user);
      return revision;
    },

    onChange: (listener) => void listeners.push(listener),

    compact() {
      oldest = revision;
      for (const one of tables.values()) one.forget();
    },

    advance(revisions) {
      revision += revisions;
    },

    restore(then, objects) {
      tables.clear();
      revision = then;
      oldest = then;
      for (const [kind, versions] of objects) {
        for (const version of versions) {
          table(kind).apply({ revision: version.revision, key: version.key, old: undefined, new: version });
        }
        table(kind).forget();
      }
    },
  };
}

/** Where an object is among those of its kind. */
export function keyOf(kind: Kind, namespace: string, name: string): string {
  return kind.namespaced ? `${namespace}/${name}` : name;
}
