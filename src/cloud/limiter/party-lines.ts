import { createWaitingLine, type WaitingLine } from '../../waiting-line.ts';

/** Lines of waiting, one for each party. */
export interface PartyLines<T> {
  readonly length: number;
  /** Those in whose lines somebody stands. */
  parties(): Iterable<string>;
  /** How many stand in the line of each. */
  lengths(): Iterable<readonly [party: string, length: number]>;
  /** Behind those of the same party whose order is the same or smaller. */
  join(party: string, value: T, order: number): { leave(): void };
  /** The first of all lines. */
  firsts(): T[];
  /** The first of a party's line. */
  first(party: string): T | undefined;
  /** Takes out and returns the first of a party's line. */
  shift(party: string): T | undefined;
  /** Takes out all. */
  takeAll(): T[];
}

export function createPartyLines<T>(): PartyLines<T> {
  const lines = new Map<string, WaitingLine<T>>();
  let length = 0;

  function shift(party: string): T | undefined {
    const line = lines.get(party);
    const value = line?.shift();
    if (!line || value === undefined) return undefined;
    length--;
    if (line.length === 0) lines.delete(party);
    return value;
  }

  return {
    get length() {
      return length;
    },
    parties: () => lines.keys(),
    lengths: () => [...lines].map(([party, line]) => [party, line.length] as const),
    join(party, value, order) {
      const line = lines.get(party) ?? createWaitingLine<T>();
      lines.set(party, line);
      const place = line.join(value, order);
      length++;
      return {
        leave() {
          const before = line.length;
          line.leave(place);
          length -= before - line.length;
          if (line.length === 0 && lines.get(party) === line) lines.delete(party);
        },
      };
    },
    first: (party) => lines.get(party)?.first(),
    firsts: () => [...lines.values()].flatMap((line) => line.first() ?? []),
    shift,
    takeAll() {
      const taken: T[] = [];
      for (const party of lines.keys()) {
        for (let value = shift(party); value !== undefined; value = shift(party)) taken.push(value);
      }
      return taken;
    },
  };
}
