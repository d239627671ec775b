import type { Change, Version } from './versions.ts';

/** The objects of one resource, in the order of their keys, with all changes since the history was compacted. */
export interface Table {
  get(key: string): Version | undefined;
  /** Keys that begin with the prefix, in order, from `start` on. */
  rows(prefix: string, start?: string): Version[];
  /** As it was at that revision, which must not be older than the history. */
  rowsAt(revision: number, prefix: string, start?: string): Version[];
  /** Takes in what happened. */
  apply(change: Change): void;
  /** Changes after that revision, oldest first. */
  since(revision: number): Change[];
  forget(): void;
}

/** An empty table. */
export function createTable(): Table {
  const versions = new Map<string, Version>();
  /** Sorted; undefined after one came or went. */
  let keys: string[] | undefined;
  let history: Change[] = [];

  function since(revision: number): Change[] {
    let from = history.length;
    while (from > 0 && (history[from - 1]?.revision ?? 0) > revision) from--;
    return history.slice(from);
  }

  return {
    get: (key) => versions.get(key),

    rows(prefix, start = '') {
      keys ??= [...versions.keys()].sort();
      const rows: Version[] = [];
      for (const key of keys) {
        if (key < start || !key.startsWith(prefix)) continue;
        const version = versions.get(key);
        if (version) rows.push(version);
      }
      return rows;
    },

    rowsAt(revision, prefix, start = '') {
      const undone = since(revision);
      if (undone.length === 0) return this.rows(prefix, start);
      const then = new Map(versions);
      for (const change of undone.toReversed()) {
        if (change.old) then.set(change.key, change.old);
        else then.delete(change.key);
      }
      return [...then.keys()]
        .sort()
        .filter((key) => key >= start && key.startsWith(prefix))
        .flatMap((key) => then.get(key) ?? []);
    },

    apply(change) {
      if (change.new) versions.set(change.key, change.new);
      else versions.delete(change.key);
      if (!change.new || !change.old) keys = undefined;
      history.push(change);
    },

    since,

    forget() {
      history = [];
    },
  };
}
