import { compareResourceVersions, type KubernetesObject } from './objects.ts';

/** Only `new`: the object appeared. Only `old`: it is gone. Both: it changed. */
export interface Change<T> {
  old?: T;
  new?: T;
}

/**
 * The objects of one informer. Each write gives the changes it made known. An object put by `put` is held back from the
 * changes until the watch brings it, and is then compared with what was made known last; so nothing is told twice and
 * nothing is left out.
 */
export interface Store<T> {
  get(namespace: string | undefined, name: string): T | undefined;
  list(): T[];
  byNamespace(namespace: string): T[];
  /** Those that have any; what is in none is in ''. */
  namespaces(): Iterable<string>;
  readonly size: number;
  /** The object changed last, as far as known. */
  newest(namespace: string | undefined): T | undefined;
  /** Keeps the answer of a write of our own, unless something newer is here or the object is gone. */
  put(object: T): void;
  /** From a watch. */
  upsert(object: T): Change<T>[];
  /** From a watch: the last state of an object that is gone. */
  remove(object: T): Change<T>[];
  /** Begins to take in a list that is asked for now. */
  beginList(namespace: string | undefined): ListIntake<T>;
}

/**
 * Takes in a whole list, which replaces what is here: after etcd was restored from a backup all versions may be lower than
 * those known. Only what was put since the list was asked for may be newer than the list is.
 */
export interface ListIntake<T> {
  take(object: T): Change<T>[];
  /** All was taken, as it was at `resourceVersion`: what the list did not show is gone. */
  end(resourceVersion: string): Change<T>[];
}

/** How many deleted objects are remembered, so that the late answer of a write does not bring one back. */
const MOST_TOMBSTONES = 4096;

interface Entry<T> {
  object: T;
  /** What handlers saw last. */
  announced: T | undefined;
  /** The number of the `put` that brought the object; 0 when the apiserver told of it. */
  putBy: number;
}

export function createStore<T extends KubernetesObject>(): Store<T> {
  const namespaces = new Map<string, Map<string, Entry<T>>>();
  /** By UID, the version up to which it is known to be gone: a history that was restored may go on with it, at a later one. */
  const tombstones = new Map<string, string>();
  let puts = 0;
  let size = 0;

  function find(object: T): Entry<T> | undefined {
    return namespaces.get(object.metadata.namespace ?? '')?.get(object.metadata.name);
  }

  function insert(object: T, announced: T | undefined, putBy = 0): void {
    const namespace = object.metadata.namespace ?? '';
    let names = namespaces.get(namespace);
    if (!names) {
      names = new Map();
      namespaces.set(namespace, names);
    }
    names.set(object.metadata.name, { object, announced, putBy });
    size++;
  }

  function drop(object: T, goneAt: string): void {
    const namespace = object.metadata.namespace ?? '';
    const names = namespaces.get(namespace);
    if (names?.delete(object.metadata.name)) size--;
    if (names?.size === 0) namespaces.delete(namespace);
    bury(object.metadata.uid, goneAt);
  }

  function bury(uid: string, goneAt: string): void {
    tombstones.set(uid, goneAt);
    if (tombstones.size <= MOST_TOMBSTONES) return;
    const [oldest] = tombstones.keys();
    if (oldest !== undefined) tombstones.delete(oldest);
  }

  function isGone({ metadata: { uid, resourceVersion } }: T): boolean {
    const goneAt = tombstones.get(uid);
    return goneAt !== undefined && compareResourceVersions(resourceVersion, goneAt) <= 0;
  }

  function upsert(object: T): Change<T>[] {
    if (isGone(object)) return [];
    const entry = find(object);
    if (!entry) {
      insert(object, object);
      return [{ new: object }];
    }
    const order = compareResourceVersions(object.metadata.resourceVersion, entry.object.metadata.resourceVersion);
    if (order < 0) return [];
    if (order === 0 && entry.announced === entry.object) return [];
    return exchange(entry, object);
  }

  function exchange(entry: Entry<T>, object: T): Change<T>[] {
    const { announced } = entry;
    const replaced = announced !== undefined && announced.metadata.uid !== object.metadata.uid;
    if (replaced) bury(announced.metadata.uid, object.metadata.resourceVersion);
    entry.object = object;
    entry.announced = object;
    entry.putBy = 0;
    if (announced === undefined) return [{ new: object }];
    return replaced ? [{ old: announced }, { new: object }] : [{ old: announced, new: object }];
  }

  function entriesOf(namespace: string | undefined): Entry<T>[] {
    const wanted = namespace === undefined ? [...namespaces.values()] : [namespaces.get(namespace)];
    return wanted.flatMap((names) => [...(names?.values() ?? [])]);
  }

  return {
    newest(namespace) {
      let newest: T | undefined;
      for (const { object } of entriesOf(namespace)) {
        const { resourceVersion } = object.metadata;
        if (!newest || compareResourceVersions(resourceVersion, newest.metadata.resourceVersion) > 0) newest = object;
      }
      return newest;
    },

    get: (namespace, name) => namespaces.get(namespace ?? '')?.get(name)?.object,

    list() {
      const objects: T[] = [];
      for (const names of namespaces.values()) for (const entry of names.values()) objects.push(entry.object);
      return objects;
    },

    namespaces: () => namespaces.keys(),
    byNamespace: (namespace) => Array.from(namespaces.get(namespace)?.values() ?? [], (entry) => entry.object),

    get size() {
      return size;
    },

    put(object) {
      if (isGone(object)) return;
      const entry = find(object);
      if (!entry) {
        insert(object, undefined, ++puts);
      } else if (compareResourceVersions(object.metadata.resourceVersion, entry.object.metadata.resourceVersion) > 0) {
        entry.object = object;
        entry.putBy = ++puts;
      }
    },

    upsert,

    remove(object) {
      const entry = find(object);
      const { uid, resourceVersion } = object.metadata;
      if (entry?.object.metadata.uid === uid) {
        drop(entry.object, resourceVersion);
        return [{ old: object }];
      }
      bury(uid, resourceVersion);
      if (!entry) return [];
      if (entry.announced?.metadata.uid === uid) {
        // We have put its successor already, which the watch is still to bring.
        entry.announced = undefined;
        return [{ old: object }];
      }
      if (compareResourceVersions(entry.object.metadata.resourceVersion, resourceVersion) > 0) return [];
      drop(entry.object, resourceVersion);
      return [{ old: entry.object }];
    },

    beginList(namespace) {
      const seen = new Set<string>();
      const begun = puts;
      const isNewer = (entry: Entry<T>, resourceVersion: string) =>
        entry.putBy > begun && compareResourceVersions(entry.object.metadata.resourceVersion, resourceVersion) > 0;
      return {
        take(object) {
          const { uid, resourceVersion } = object.metadata;
          seen.add(uid);
          tombstones.delete(uid);
          const entry = find(object);
          if (!entry) return upsert(object);
          if (isNewer(entry, resourceVersion)) return [];
          const isSame = entry.object.metadata.resourceVersion === resourceVersion;
          return isSame && entry.announced === entry.object ? [] : exchange(entry, object);
        },
        end(resourceVersion) {
          const changes: Change<T>[] = [];
          for (const entry of entriesOf(namespace)) {
            if (seen.has(entry.object.metadata.uid) || isNewer(entry, resourceVersion)) continue;
            drop(entry.object, resourceVersion);
            if (entry.announced !== undefined) changes.push({ old: entry.object });
          }
          return changes;
        },
      };
    },
  };
}
