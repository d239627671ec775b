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
  readonly size: number;
  /** Keeps the answer of a write of our own, unless something newer is here or the object is gone. */
  put(object: T): void;
  /** From a watch. */
  upsert(object: T): Change<T>[];
  /** From a watch: the last state of an object that is gone. */
  remove(object: T): Change<T>[];
  /** From a list: the same as `upsert`, and notes that the object is on the list. */
  listed(object: T, seen: Set<string>): Change<T>[];
  /** After a list made at `resourceVersion`: what it did not show is gone, unless written since. */
  sweep(namespace: string | undefined, seen: ReadonlySet<string>, resourceVersion: string): Change<T>[];
}

/** How many deleted objects are remembered, so that the late answer of a write does not bring one back. */
const TOMBSTONES = 4096;

interface Entry<T> {
  object: T;
  /** What handlers saw last. */
  announced: T | undefined;
}

export function createStore<T extends KubernetesObject>(): Store<T> {
  const namespaces = new Map<string, Map<string, Entry<T>>>();
  const tombstones = new Set<string>();
  let size = 0;

  function find(object: T): Entry<T> | undefined {
    return namespaces.get(object.metadata.namespace ?? '')?.get(object.metadata.name);
  }

  function insert(object: T, announced: T | undefined): void {
    const namespace = object.metadata.namespace ?? '';
    let names = namespaces.get(namespace);
    if (!names) {
      names = new Map();
      namespaces.set(namespace, names);
    }
    names.set(object.metadata.name, { object, announced });
    size++;
  }

  function drop(object: T): void {
    const namespace = object.metadata.namespace ?? '';
    const names = namespaces.get(namespace);
    if (names?.delete(object.metadata.name)) size--;
    if (names?.size === 0) namespaces.delete(namespace);
    bury(object.metadata.uid);
  }

  function bury(uid: string): void {
    tombstones.add(uid);
    if (tombstones.size <= TOMBSTONES) return;
    const [oldest] = tombstones;
    if (oldest !== undefined) tombstones.delete(oldest);
  }

  function upsert(object: T): Change<T>[] {
    if (tombstones.has(object.metadata.uid)) return [];
    const entry = find(object);
    if (!entry) {
      insert(object, object);
      return [{ new: object }];
    }
    const order = compareResourceVersions(object.metadata.resourceVersion, entry.object.metadata.resourceVersion);
    if (order < 0) return [];
    const { announced } = entry;
    if (order === 0 && announced === entry.object) return [];
    const replaced = announced !== undefined && announced.metadata.uid !== object.metadata.uid;
    if (replaced) bury(announced.metadata.uid);
    entry.object = object;
    entry.announced = object;
    if (announced === undefined) return [{ new: object }];
    return replaced ? [{ old: announced }, { new: object }] : [{ old: announced, new: object }];
  }

  return {
    get: (namespace, name) => namespaces.get(namespace ?? '')?.get(name)?.object,

    list() {
      const objects: T[] = [];
      for (const names of namespaces.values()) for (const entry of names.values()) objects.push(entry.object);
      return objects;
    },

    byNamespace: (namespace) => Array.from(namespaces.get(namespace)?.values() ?? [], (entry) => entry.object),

    get size() {
      return size;
    },

    put(object) {
      if (tombstones.has(object.metadata.uid)) return;
      const entry = find(object);
      if (!entry) {
        insert(object, undefined);
      } else if (compareResourceVersions(object.metadata.resourceVersion, entry.object.metadata.resourceVersion) > 0) {
        entry.object = object;
      }
    },

    upsert,

    remove(object) {
      const entry = find(object);
      const { uid, resourceVersion } = object.metadata;
      if (entry?.object.metadata.uid === uid) {
        drop(entry.object);
        return [{ old: object }];
      }
      bury(uid);
      if (!entry) return [];
      if (entry.announced?.metadata.uid === uid) {
        // We have put its successor already, which the watch is still to bring.
        entry.announced = undefined;
        return [{ old: object }];
      }
      if (compareResourceVersions(entry.object.metadata.resourceVersion, resourceVersion) > 0) return [];
      drop(entry.object);
      return [{ old: entry.object }];
    },

    listed(object, seen) {
      seen.add(object.metadata.uid);
      return upsert(object);
    },

    sweep(namespace, seen, resourceVersion) {
      const changes: Change<T>[] = [];
      const swept = namespace === undefined ? [...namespaces.values()] : [namespaces.get(namespace)];
      for (const names of swept) {
        for (const { object, announced } of names?.values() ?? []) {
          if (seen.has(object.metadata.uid)) continue;
          if (compareResourceVersions(object.metadata.resourceVersion, resourceVersion) > 0) continue;
          drop(object);
          if (announced !== undefined) changes.push({ old: object });
        }
      }
      return changes;
    },
  };
}
