import type { Clock } from '../../clock.ts';
import type { Api } from '../limiter/lanes.ts';
import { createOutage, type Outage } from './outage.ts';

/**
 * Whose fault it is when a request is refused as if the service had too much to do (503), and the service does not say that
 * it was: the service's, or of what is asked. One object that is broken is refused whenever it is asked about, however
 * slowly all else goes; and one party's objects may all be broken, by its own doing.
 */
export interface Blame {
  /** Whether the outcome of this request will tell something: it was not refused when it was sent last. */
  tells(name: string): boolean;
  answered(api: Api, name: string, party: string | undefined): void;
  /**
   * `service`: the service may have too much to do. `object`: that says nothing of the service. `party`: nor did what was
   * refused before, for it is this party's that is refused, and hardly anything of others.
   */
  refused(name: string, party: string | undefined): 'service' | 'object' | 'party';
  /** See {@link Outage.refused}. */
  readonly unavailable: Outage['refused'];
}

/** What has no party. */
const OWN = '';
/** So many requests that were refused last are remembered; more at once are refused by who refuses everything. */
const MOST_NAMES = 2000;
/** Of so many parties, what became of so many requests of each, for so long. */
const MOST_PARTIES = 200;
const MOST_OUTCOMES = 50;
const RECENT_MILLISECONDS = 300_000;
/** Others must have been answered so often before a party is compared with them. */
const LEAST_OTHERS = 20;
/** One may be refused by chance, and beyond what is refused of others so many times the deviation to be expected. */
const CHANCE = 1;
const SPREAD = 3;
/** Where more of the others is refused, too, the service may have too much to do all the same. */
const MOST_OF_OTHERS = 0.03;

interface Result {
  readonly at: number;
  readonly isRead: boolean;
  readonly isRefused: boolean;
}

/** `name` of a request begins with its method. */
function isRead(name: string): boolean {
  return name.startsWith('GET ');
}

export function createBlame(clock: Pick<Clock, 'monotonic'>): Blame {
  const outage = createOutage();
  const failing = new Set<string>();
  /** Who sent last is last. */
  const byParty = new Map<string, readonly Result[]>();

  function add(party: string, name: string, isRefused: boolean): void {
    const before = byParty.get(party) ?? [];
    byParty.delete(party);
    const result = { at: clock.monotonic(), isRead: isRead(name), isRefused };
    byParty.set(party, [...before.slice(1 - MOST_OUTCOMES), result]);
    const [oldest] = byParty.keys();
    if (byParty.size > MOST_PARTIES && oldest !== undefined) byParty.delete(oldest);
  }

  function count(results: Iterable<Result>): { readonly sent: number; readonly refused: number } {
    const since = clock.monotonic() - RECENT_MILLISECONDS;
    let sent = 0;
    let refused = 0;
    for (const { at, isRefused } of results) {
      if (at < since) continue;
      sent++;
      if (isRefused) refused++;
    }
    return { sent, refused };
  }

  function firstRefusal(results: readonly Result[]): number {
    const since = clock.monotonic() - RECENT_MILLISECONDS;
    return results.find(({ at, isRefused }) => isRefused && at >= since)?.at ?? Number.POSITIVE_INFINITY;
  }

  function judge(party: string, name: string): 'service' | 'object' | 'party' {
    // Reads may be answered where no write is, and the lists that the account asks for itself where no other read is.
    const sameKind = (results: readonly Result[]) => results.filter((result) => result.isRead === isRead(name));
    const ofParty = sameKind(byParty.get(party) ?? []);
    // What others were answered before says nothing of the time in which this party is refused.
    const since = firstRefusal(ofParty);
    const others = count(
      [...byParty].flatMap(([other, results]) =>
        other === party || other === OWN ? [] : sameKind(results).filter(({ at }) => at >= since),
      ),
    );
    if (others.sent < LEAST_OTHERS) return 'service';
    const own = count(ofParty.filter(({ at }) => at >= since));
    // As if one more of the others had been refused: that none was proves nothing of the next.
    const share = (others.refused + 1) / (others.sent + 2);
    const expected = own.sent * share;
    if (own.refused <= CHANCE + expected + SPREAD * Math.sqrt(expected * (1 - share))) return 'service';
    return others.refused > others.sent * MOST_OF_OTHERS ? 'object' : 'party';
  }

  return {
    tells: (name) => !failing.has(name),
    answered(api, name, party = OWN) {
      outage.answered(api);
      failing.delete(name);
      add(party, name, false);
    },
    unavailable: outage.refused,
    refused(name, party = OWN) {
      const isAgain = failing.has(name);
      failing.delete(name);
      failing.add(name);
      const [oldest] = failing;
      if (failing.size > MOST_NAMES && oldest !== undefined) failing.delete(oldest);
      add(party, name, true);
      const fault = judge(party, name);
      return fault === 'service' && isAgain ? 'object' : fault;
    },
  };
}
