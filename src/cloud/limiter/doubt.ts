/**
 * Tells answers that mean too much to do from those of something that is broken, which come at any rate: by how many there
 * are of late, beside how many there were while the rate was one that the service had borne before.
 */
export interface Doubt {
  /** A request was sent; `isSafe`: at a rate that the service bore before. */
  sent(isSafe: boolean): void;
  /**
   * One was refused, where so many go a second. Gives which share of the latest is refused, if that is more than what is
   * broken explains; 0 where they are too few to tell.
   */
  refused(isSafe: boolean, rate: number): number | undefined;
  /** The rate is another from now on: what was refused before says nothing of it. */
  begin(): void;
}

interface Count {
  readonly sent: number;
  readonly refused: number;
}

/** The latest requests are those of so long, and so many at least. */
const WINDOW_SECONDS = 5;
const LEAST_WINDOW = 50;
/** One may be refused by chance, and beyond those to be expected so many times their root. */
const CHANCE = 1;
const SPREAD = 3;
/** Whoever refuses more than this is not just broken. */
const MOST_BROKEN = 0.1;
/** At a rate that was borne before, so much takes no more explaining: where it is slowed down again at once, nothing is learned. */
const BORNE_BEFORE = 0.03;
/** So many times at a safe rate are remembered, of at least so many requests; the one that went best tells what is broken. */
const REMEMBERED = 3;
const LEAST_SENT = 30;
/** A share of fewer refusals than this says little. */
const LEAST_REFUSED = 5;
const MOST_SHARE = 0.9;

export function createDoubt(): Doubt {
  /** How many requests had been sent before each that was refused. */
  let latest: number[] = [];
  let all = 0;
  let safe: Count = { sent: 0, refused: 0 };
  /** How it went at safe rates which were borne until the end. */
  let borne: readonly Count[] = [];

  const broken = () =>
    borne.length === 0 ? 0 : Math.min(MOST_BROKEN, ...borne.map(({ sent, refused }) => refused / sent));

  function learn(): void {
    if (safe.sent >= LEAST_SENT) borne = [...borne, safe].slice(-REMEMBERED);
    safe = { sent: 0, refused: 0 };
  }

  return {
    sent(isSafe) {
      all++;
      if (isSafe) safe = { ...safe, sent: safe.sent + 1 };
      else learn();
    },
    refused(isSafe, rate) {
      const last = borne.at(-1);
      // An answer takes its time: it is of a request at the safe rate before, if none was sent at this one.
      if (isSafe && safe.sent === 0 && last) borne = [...borne.slice(0, -1), withRefusal(last)];
      else if (isSafe) safe = withRefusal(safe);
      const window = Math.max(LEAST_WINDOW, rate * WINDOW_SECONDS);
      latest = [...latest.filter((before) => all - before < window), all];
      const expected = window * (isSafe ? Math.max(BORNE_BEFORE, broken()) : broken());
      if (latest.length <= CHANCE + expected + SPREAD * Math.sqrt(expected)) return undefined;
      const [first = all] = latest;
      const share = (latest.length - 1) / Math.max(1, all - first);
      return latest.length < LEAST_REFUSED ? 0 : Math.min(MOST_SHARE, share);
    },
    begin() {
      latest = [];
      safe = { sent: 0, refused: 0 };
    },
  };
}

function withRefusal({ sent, refused }: Count): Count {
  return { sent, refused: refused + 1 };
}
