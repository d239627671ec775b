/** Counts what happened in the last `length` milliseconds. */
export interface RollingWindow {
  /** Adds `count` events at `at` (monotonic milliseconds); `at` never goes backwards. */
  add(at: number, count?: number): void;
  /** How many events the window holds at `at`. */
  count(at: number): number;
  /** When the oldest event leaves, in monotonic milliseconds. */
  nextExpiry(): number | undefined;
}

interface Entry {
  readonly at: number;
  readonly count: number;
}

/** An event at time t is inside the window until t + length, that instant included. */
export function createRollingWindow(length: number): RollingWindow {
  let entries: Entry[] = [];
  let head = 0;
  let total = 0;

  return {
    add(at, count = 1) {
      if (count <= 0) return;
      entries.push({ at, count });
      total += count;
    },
    count(at) {
      for (let entry = entries[head]; entry && entry.at + length < at; entry = entries[head]) {
        total -= entry.count;
        head++;
      }
      if (head > 1024 && head * 2 > entries.length) {
        entries = entries.slice(head);
        head = 0;
      }
      return total;
    },
    nextExpiry() {
      const entry = entries[head];
      return entry && entry.at + length;
    },
  };
}
