import type { GateRule, Refusal } from './gate-rule.ts';
import { isRead, type Lane, type Turn, type Urgency, urgencies } from './lanes.ts';
import { createPartyLines, type PartyLines } from './party-lines.ts';
import type { Shares } from './shares.ts';

/** Who waits with the same right, by lane and how pressing the work is. */
export interface Rank<W> {
  readonly lane: Lane;
  readonly lines: PartyLines<W>;
  /** When the last of it went, in monotonic milliseconds. */
  servedAt: number;
  /** The same of each party, as far as it is worth knowing: more of it may wait. */
  readonly servedOf: Map<string, number>;
}

/** Beyond so many parties, those of which nothing waits are forgotten. */
const MOST_PARTIES = 1000;

/** What is taken out of service goes before what is changed, and that before what is made; each with what confirms it. */
const RANKS: readonly (readonly [lane: Lane, urgency?: Urgency])[] = [
  ['upload'],
  ...urgencies.flatMap((urgency) => [['write', urgency] as const, ['verify', urgency] as const]),
  ['list'],
  ['audit'],
  ['usage'],
];

export function createRanks<W>(): readonly Rank<W>[] {
  return RANKS.map(([lane]) => ({
    lane,
    lines: createPartyLines(),
    servedAt: Number.NEGATIVE_INFINITY,
    servedOf: new Map(),
  }));
}

/** One of a rank, of a party, goes. */
export function served<W>(rank: Rank<W>, party: string, now: number): void {
  rank.servedAt = now;
  rank.servedOf.set(party, now);
  if (rank.servedOf.size <= MOST_PARTIES) return;
  const waiting = new Set(rank.lines.parties());
  for (const one of rank.servedOf.keys()) if (!waiting.has(one)) rank.servedOf.delete(one);
}

export function rankOf(lane: Lane, turn: Turn | undefined): number {
  const wanted = turn?.urgency ?? 'change';
  return RANKS.findIndex(([of, urgency]) => of === lane && (urgency === undefined || urgency === wanted));
}

/** Writes and what confirms them, or is looked at before them, go by when the work began, all else by when it came. */
export function orderOf(lane: Lane, turn: Turn | undefined): number {
  return !isRead(lane) ? (turn?.began ?? Number.NEGATIVE_INFINITY) : 0;
}

/** What the account asks for itself, as lists. */
export const OWN = '';

/** Whether a request of this lane changes something. */
export function isWrite(lane: Lane): lane is 'upload' | 'write' {
  return lane === 'upload' || lane === 'write';
}

/** Whether parties take turns with it. What the account polls itself, and all that only comes round again, has its part already. */
export function isShared(lane: Lane, party: string): boolean {
  return !isRead(lane) || (lane === 'list' && party !== OWN);
}

/** What decides whose turn it is. */
export interface TurnInputs {
  readonly rule: Pick<GateRule, 'lowerLaneShare' | 'confirmShare'>;
  /** How many went so far, and the lane of the last. */
  readonly grants: number;
  readonly last: Lane | undefined;
  /** How many of each were sent since something else went in place of one. */
  readonly sentSince: Readonly<Record<'upload' | 'write', number>>;
  readonly shares: Pick<Shares, 'within' | 'least'>;
  readonly refusal: Refusal | undefined;
  readonly isOpen: (lane: Lane) => boolean;
  /** Asked only where somebody may go: that has a record made, which is of no use to anybody else. */
  readonly isCovered: () => boolean;
}

/** Whose turn it is. */
export interface NextTurn<W> {
  readonly rank: Rank<W>;
  readonly party: string;
  /** It goes in place of one of this lane, out of what is kept for those: they would have all of it otherwise. */
  readonly inPlaceOf?: Lane | undefined;
}

/** Who of a rank may go; one at least. */
interface Candidates<W> {
  readonly rank: Rank<W>;
  readonly parties: readonly string[];
}

/**
 * Certificates first, but not two in a row of a party that had more than others while these wait; then of the first rank in
 * which somebody waits who had no more than others, who had least; else of the first rank. Who had no more than others reads
 * before who had more writes, and changes before who had more uploads. Undefined where nobody may go.
 */
export function nextTurn<W extends { readonly since: number }>(
  ranks: readonly Rank<W>[],
  inputs: TurnInputs,
): NextTurn<W> | undefined {
  const { rule, grants, last, shares } = inputs;
  const busy = ranks.filter(({ lines }) => lines.length > 0);
  const isFor = (share: number) => share > 0 && (grants + 1) % share === 0;
  const open = busy.flatMap((rank) => candidatesIn(rank, undefined, inputs));
  const [first] = open;
  if (!first) return undefined;
  const lowerTurn = isFor(2 * rule.lowerLaneShare) ? longestTurn : shareTurn;
  const extra = isFor(rule.lowerLaneShare) ? lowerTurn(busy, first.rank, inputs) : undefined;
  if (extra) return extra;
  const confirming = isFor(rule.confirmShare) ? open.find(({ rank }) => rank.lane === 'verify') : undefined;
  if (confirming) return turnIn(confirming, shares);

  const waiting = new Set(busy.flatMap(sharingIn));
  const isAlone = waiting.size <= (waiting.has(OWN) ? 2 : 1);
  const modest = isAlone ? new Set<string>() : shares.within(waiting);
  const isAny = ({ rank, parties }: Candidates<W>) =>
    parties.some((party) => modest.has(party) && isShared(rank.lane, party));
  const isUploadNext = first.rank.lane === 'upload' && (isAny(first) || last !== 'upload');
  if (isAlone || isUploadNext) return turnIn(first, shares);
  const among = open.find(isAny);
  const place = !among && sentBefore(first.rank, inputs) > 0 ? first.rank.lane : undefined;
  const inPlace = place && busy.flatMap((rank) => candidatesIn(rank, place, inputs)).find(isAny);
  const next = among ?? inPlace;
  if (!next) return turnIn(first, shares);
  // What the account polls stands in the line of the reads of its parties.
  const parties = next.parties.filter((party) => party === OWN || modest.has(party));
  const turn = turnIn({ ...next, parties }, shares);
  return turn && { ...turn, inPlaceOf: inPlace && place };
}

/** How many writes of the lane of a rank were sent since something else went in place of one. */
function sentBefore({ lane }: Rank<unknown>, { sentSince }: TurnInputs): number {
  if (lane === 'upload') return sentSince.upload;
  return lane === 'write' ? sentSince.upload + sentSince.write : 0;
}

/**
 * The turn of what has waited longest of those that are not `first`, the first rank of which somebody may go, of who had no
 * more than others; it may go in place of one of `first`.
 */
function shareTurn<W extends { readonly since: number }>(
  busy: readonly Rank<W>[],
  first: Rank<W>,
  inputs: TurnInputs,
): NextTurn<W> | undefined {
  const { shares } = inputs;
  const { place, open } = lowerThan(busy, first, inputs);
  open.sort((a, b) => sinceOf(a.rank) - sinceOf(b.rank));
  const modest = shares.within(new Set(busy.flatMap(({ lines }) => [...lines.parties()])));
  const modestOf = ({ rank, parties }: Candidates<W>) => ({ rank, parties: parties.filter((one) => modest.has(one)) });
  const next = open.map(modestOf).find(({ parties }) => parties.length > 0) ?? open[0];
  const turn = next && turnIn(next, shares);
  return turn && { ...turn, inPlaceOf: place };
}

/** The same of whoever has waited longest, however much it had: what it does most must not keep it from all else for good. */
function longestTurn<W extends { readonly since: number }>(
  busy: readonly Rank<W>[],
  first: Rank<W>,
  inputs: TurnInputs,
): NextTurn<W> | undefined {
  const { place, open } = lowerThan(busy, first, inputs);
  let longest: { readonly since: number; readonly turn: NextTurn<W> } | undefined;
  for (const { rank, parties } of open) {
    for (const party of parties) {
      const waitsSince = rank.lines.first(party)?.since ?? Number.POSITIVE_INFINITY;
      const since = Math.max(rank.servedOf.get(party) ?? Number.NEGATIVE_INFINITY, waitsSince);
      if (!longest || since < longest.since) longest = { since, turn: { rank, party, inPlaceOf: place } };
    }
  }
  return longest?.turn;
}

/** What may go of the ranks that are not `first`, and in place of what. */
function lowerThan<W>(busy: readonly Rank<W>[], first: Rank<W>, inputs: TurnInputs) {
  // What is granted may be given up, and that takes nobody's place.
  const place = sentBefore(first, inputs) >= inputs.rule.lowerLaneShare / 2 ? first.lane : undefined;
  const open = busy.flatMap((rank) => (rank === first ? [] : candidatesIn(rank, place, inputs)));
  return { place, open };
}

/** Those of a rank of whom one may go, be it in place of one of another lane; none where nobody may. */
function candidatesIn<W>(rank: Rank<W>, inPlaceOf: Lane | undefined, inputs: TurnInputs): Candidates<W>[] {
  const lane = inPlaceOf ?? rank.lane;
  if (!inputs.isOpen(lane)) return [];
  const parties = [...rank.lines.parties()].filter((party) => !inputs.refusal?.of(party, lane));
  return parties.length > 0 && inputs.isCovered() ? [{ rank, parties }] : [];
}

function turnIn<W>({ rank, parties }: Candidates<W>, shares: TurnInputs['shares']): NextTurn<W> | undefined {
  const party = shares.least(parties);
  return party === undefined ? undefined : { rank, party };
}

function sharingIn<W>({ lane, lines }: Rank<W>): string[] {
  return [...lines.parties()].filter((party) => isShared(lane, party));
}

/** Since when a rank waits: however many of it began to wait long ago, one went at `servedAt`. */
function sinceOf({ lines, servedAt }: Rank<{ readonly since: number }>): number {
  return Math.max(servedAt, Math.min(...lines.firsts().map((waiter) => waiter.since)));
}
