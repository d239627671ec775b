/** Counts how many each party had in the last `length` milliseconds; what has no party is not counted. */
export interface Tally {
  /** A party has one more, at `at` (monotonic milliseconds), which is never before what was added last. */
  add(party: string, at: number): void;
  /** How many of a party's are no older than `length` at `at`. */
  of(party: string, at: number): number;
}

/** Takes memory for as many as there are within `length`, whatever parties they are of. */
export function createTally(length: number): Tally {
  const counts = new Map<string, number>();
  let entries: { readonly party: string; readonly at: number }[] = [];
  let head = 0;

  function forget(at: number): void {
    for (let entry = entries[head]; entry && entry.at + length < at; entry = entries[head]) {
      const left = (counts.get(entry.party) ?? 0) - 1;
      if (left > 0) counts.set(entry.party, left);
      else counts.delete(entry.party);
      head++;
    }
    if (head * 2 <= entries.length) return;
    entries = entries.slice(head);
    head = 0;
  }

  return {
    add(party, at) {
      forget(at);
      entries.push({ party, at });
      counts.set(party, (counts.get(party) ?? 0) + 1);
    },
    of(party, at) {
      forget(at);
      return counts.get(party) ?? 0;
    },
  };
}
