import { createWaitingLine, type Place, type WaitingLine } from '../waiting-line.ts';

/** Items of many groups in one line, and of many parties in a group; a party may be in several groups. */
export interface FairLine<T> {
  push(group: string, party: string, item: T): Place<T>;
  /** Takes out what stands at the place that it was given in this group, for this party. */
  leave(group: string, party: string, place: Place<T>): void;
  /** The first item of the next party that may go, of the next group that may. Both then stand behind all others. */
  shift(mayGo: GroupMayGo): T | undefined;
  /**
   * The first item in the next group that may go of the next party that may. Groups of whoever may not are not looked
   * at: a party has any number of them.
   */
  shiftOf(mayGo: MayGo): T | undefined;
  /** Those for which something stands in this group. */
  partiesOf(group: string): Iterable<string>;
}

/** Who may go where there is room. */
export interface GroupMayGo {
  group(group: string): boolean;
  party(party: string, group: string): boolean;
  /** Told of a group that may go, and none of whose parties may. */
  inVain(group: string): void;
}

/** Who may go where few may. */
export interface MayGo {
  party(party: string): boolean;
  group(group: string, party: string): boolean;
  /** Told of a party that may go, and none of whose groups may. */
  inVain(party: string): void;
}

/** For a party first in, first out; its parties take turns in a group, and so do the groups. Whoever may not go keeps the turn. */
export function createFairLine<T>(): FairLine<T> {
  const byGroup = createTurns<T>();
  const byParty = createTurns<T>();

  function take(group: string, party: string): T | undefined {
    const line = byGroup.lineOf(group, party);
    const item = line?.shift();
    byGroup.yieldTurn(group, party);
    byParty.yieldTurn(party, group);
    return item;
  }

  return {
    push(group, party, item) {
      const line = byGroup.lineOf(group, party) ?? createWaitingLine<T>();
      byGroup.put(group, party, line);
      byParty.put(party, group, line);
      return line.join(item);
    },
    leave(group, party, place) {
      const line = byGroup.lineOf(group, party);
      line?.leave(place);
      if (line?.length !== 0) return;
      byGroup.drop(group, party);
      byParty.drop(party, group);
    },
    shift(mayGo) {
      const next = byGroup.next(mayGo.group, mayGo.party, mayGo.inVain);
      return next && take(next.outer, next.inner);
    },
    shiftOf(mayGo) {
      const next = byParty.next(mayGo.party, mayGo.group, mayGo.inVain);
      return next && take(next.inner, next.outer);
    },
    partiesOf: byGroup.innerOf,
  };
}

/** Lines by two names, in the order in which these have their turns. None is empty but for a moment. */
function createTurns<T>() {
  const all = new Map<string, Map<string, WaitingLine<T>>>();
  return {
    lineOf: (outer: string, inner: string) => all.get(outer)?.get(inner),
    /** Keeps the turn of whoever has one. */
    put(outer: string, inner: string, line: WaitingLine<T>): void {
      const lines = all.get(outer) ?? new Map<string, WaitingLine<T>>();
      lines.set(inner, line);
      all.set(outer, lines);
    },
    innerOf: (outer: string): Iterable<string> => all.get(outer)?.keys() ?? [],
    next(
      mayGo: (outer: string) => boolean,
      mayInner: (inner: string, outer: string) => boolean,
      inVain: (outer: string) => void,
    ) {
      for (const [outer, lines] of all) {
        if (!mayGo(outer)) continue;
        for (const inner of lines.keys()) if (mayInner(inner, outer)) return { outer, inner };
        inVain(outer);
      }
      return undefined;
    },
    /** Both stand behind all others then. */
    yieldTurn(outer: string, inner: string): void {
      const lines = all.get(outer);
      const line = lines?.get(inner);
      if (!lines || !line) return;
      lines.delete(inner);
      if (line.length > 0) lines.set(inner, line);
      all.delete(outer);
      if (lines.size > 0) all.set(outer, lines);
    },
    drop(outer: string, inner: string): void {
      const lines = all.get(outer);
      lines?.delete(inner);
      if (lines?.size === 0) all.delete(outer);
    },
  };
}
