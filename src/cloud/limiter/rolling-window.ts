/** Counts what happened in the last `length` milliseconds. */
export interface RollingWindow {
  /** Adds `count` events at `at` (monotonic milliseconds), which is never before what was added last. */
  add(at: number, count?: number): void;
  /**
   * Sees to it that at least `count` events are from `at` or later: those right before it count as of then, and what is
   * missing is added. So whatever several sources say together holds, and no event counts twice. `at` may be any time.
   */
  raise(at: number, count: number): void;
  /** How many events the window holds at `at`. */
  count(at: number): number;
  /** When the oldest event leaves, in monotonic milliseconds. */
  nextExpiry(): number | undefined;
  /** When each of the events known now that the window holds at `at`, which may be ahead, leaves, the oldest first. */
  expiries(at: number): number[];
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

  function forget(at: number): void {
    for (let entry = entries[head]; entry && entry.at + length < at; entry = entries[head]) {
      total -= entry.count;
      head++;
    }
    if (head > 1024 && head * 2 > entries.length) {
      entries = entries.slice(head);
      head = 0;
    }
  }

  return {
    add(at, count = 1) {
      total += count;
      // What was raised may be later than now.
      const later = (entries.at(-1)?.at ?? at) > at ? entries.findIndex((entry) => entry.at > at) : -1;
      if (later < 0) entries.push({ at, count });
      else entries.splice(Math.max(later, head), 0, { at, count });
    },
    raise(at, count) {
      const later = entries.slice(head).filter((entry) => entry.at >= at);
      const earlier = entries.slice(head).filter((entry) => entry.at < at);
      const missing = count - later.reduce((sum, entry) => sum + entry.count, 0);
      if (missing <= 0) return;
      for (let left = missing; left > 0; ) {
        const last = earlier.pop();
        if (!last) break;
        if (last.count > left) earlier.push({ at: last.at, count: last.count - left });
        left -= last.count;
      }
      entries = [...earlier, { at, count: missing }, ...later];
      head = 0;
      total = entries.reduce((sum, entry) => sum + entry.count, 0);
    },
    count(at) {
      forget(at);
      return total;
    },
    nextExpiry() {
      const entry = entries[head];
      return entry && entry.at + length;
    },
    expiries(at) {
      // Who looks ahead must not have forgotten by now what counts until then.
      const held = entries.slice(head).filter((entry) => entry.at + length >= at);
      return held.flatMap((entry) => Array.from({ length: entry.count }, () => entry.at + length));
    },
  };
}
