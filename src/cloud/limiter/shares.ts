/** Who of those that share an account had how much of it of late. */
export interface Shares {
  /** A party had one more. */
  add(party: string): void;
  /** How many a party had, of which those count half that are as old as the half-life. */
  of(party: string): number;
  /** Which of these parties have had next to nothing, or no more than an equal part of what all these had. */
  within(parties: Iterable<string>): ReadonlySet<string>;
  /** Who of these had least; undefined where there are none. */
  least(parties: Iterable<string>): string | undefined;
}

/** Parties that are remembered at first; beyond, those are forgotten that had next to nothing, each time that they are twice as many. */
const MOST_PARTIES = 1000;
const NOTHING = 1;

/** `halfLife`, as it is now, in milliseconds; `monotonic` tells the time. */
export function createShares(monotonic: () => number, halfLife: () => number): Shares {
  let most = MOST_PARTIES;
  const had = new Map<string, { readonly amount: number; readonly at: number }>();

  function of(party: string): number {
    const one = had.get(party);
    return one ? one.amount * 2 ** ((one.at - monotonic()) / halfLife()) : 0;
  }

  return {
    add(party) {
      had.set(party, { amount: of(party) + 1, at: monotonic() });
      if (had.size <= most) return;
      for (const known of had.keys()) if (of(known) < NOTHING) had.delete(known);
      most = Math.max(MOST_PARTIES, 2 * had.size);
    },
    of,
    within(parties) {
      const all = [...parties].map((party) => ({ party, amount: of(party) }));
      const equal = all.reduce((sum, { amount }) => sum + amount, 0) / all.length;
      return new Set(all.filter(({ amount }) => amount <= Math.max(NOTHING, equal)).map(({ party }) => party));
    },
    least(parties) {
      let found: { readonly party: string; readonly amount: number } | undefined;
      for (const party of parties) {
        const amount = of(party);
        if (!found || amount < found.amount) found = { party, amount };
      }
      return found?.party;
    },
  };
}
