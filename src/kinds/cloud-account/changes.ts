/** Long enough for every list to have been taken again. Milliseconds. */
const REMEMBERED_MILLISECONDS = 30 * 60_000;

/**
 * When this process last changed what at the service: a list that began before shows what was, also to a resource that
 * comes after the one it was changed for.
 */
export interface Changes {
  note(id: string): void;
  /** Monotonic milliseconds; -Infinity: not of late. */
  at(id: string): number;
}

export function createChanges(monotonic: () => number): Changes {
  /** Oldest first. */
  const changed = new Map<string, number>();
  return {
    note(id) {
      const now = monotonic();
      changed.delete(id);
      changed.set(id, now);
      for (const [old, at] of changed) {
        if (now - at <= REMEMBERED_MILLISECONDS) break;
        changed.delete(old);
      }
    },
    at: (id) => changed.get(id) ?? Number.NEGATIVE_INFINITY,
  };
}
