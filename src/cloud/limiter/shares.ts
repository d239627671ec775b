/** Who of those that share an account had how much of it of late. */
export interface Shares {
  /** A party had one more. */
  add(party: string): void;
  /** How many a party had, of which those count half that are as old as the half-life. */
  of(party: string): number;
  /** Which of these parties have had no more than an equal part of what all these had; all, where none had anything. */
  within(parties: Iterable<string>): ReadonlySet<string>;
}

/** Parties that are remembered; beyond, those are forgotten that had next to nothing. */
const MOST_PARTIES = 1000;
const NOTHING = 0.5;

/** `halfLife` in milliseconds; `monotonic` tells the time. */
export function createShares(monotonic: () => number, halfLife: number): Shares {
  const had = new Map<string, { readonly amount: number; readonly at: number }>();

  function of(party: string): number {
    const one = had.get(party);
    return one ? one.amount * 2 ** ((one.at - monotonic()) / halfLife) : 0;
  }

  return {
    add(party) {
      had.set(party, { amount: of(party) + 1, at: monotonic() });
      if (had.size <= MOST_PARTIES) return;
      for (const known of had.keys()) if (of(known) < NOTHING) had.delete(known);
    },
    of,
    within(parties) {
      const all = [...parties].map((party) => ({ party, amount: of(party) }));
      const equal = all.reduce((sum, { amount }) => sum + amount, 0) / all.length;
      return new Set(all.filter(({ amount }) => amount <= equal).map(({ party }) => party));
    },
  };
}
