import type { ApiName } from '../../simulator/router.ts';
import type { Arrival, Change, ObjectChange } from './types.ts';

/** What happened at the service, in order. */
export interface Ledger {
  /** Notes a change; which of the objects it is about, the ledger finds out. */
  change(change: Omit<Change, 'before' | 'after'>): void;
  arrival(arrival: Arrival): void;
  onChange(listener: (change: Change) => void): void;
  onArrival(listener: (arrival: Arrival) => void): void;
  readonly changes: readonly Change[];
  readonly arrivals: readonly Arrival[];
  arrivalTimes(account: string, api: ApiName): readonly number[];
}

export function createLedger(): Ledger {
  const changes: Change[] = [];
  const arrivals: Arrival[] = [];
  const times = new Map<string, number[]>();
  const changeListeners: ((change: Change) => void)[] = [];
  const arrivalListeners: ((arrival: Arrival) => void)[] = [];
  return {
    change(noted) {
      const subject = subjectOf(noted.ids, noted.objects);
      const change = { ...noted, before: subject?.before, after: subject?.after };
      changes.push(change);
      for (const listener of changeListeners) listener(change);
    },
    arrival(arrival) {
      arrivals.push(arrival);
      const { account, api, at } = arrival;
      if (account !== null && api !== null) timesOf(account, api).push(at);
      for (const listener of arrivalListeners) listener(arrival);
    },
    onChange(listener) {
      changeListeners.push(listener);
    },
    onArrival(listener) {
      arrivalListeners.push(listener);
    },
    changes,
    arrivals,
    arrivalTimes: timesOf,
  };

  function timesOf(account: string, api: ApiName): number[] {
    const key = `${api} ${account}`;
    const known = times.get(key);
    if (known) return known;
    const made: number[] = [];
    times.set(key, made);
    return made;
  }
}

/** The object that is named last in the path, where it is among those touched; otherwise the first: the new one. */
function subjectOf(ids: readonly string[], objects: readonly ObjectChange[]): ObjectChange | undefined {
  for (const id of ids.toReversed()) {
    const named = objects.find((object) => object.id === id);
    if (named) return named;
  }
  return objects[0];
}

/** The members of an object that a change made others of; all of them when it was made or removed. */
export function changedMembers({ before, after }: Pick<Change, 'before' | 'after'>): readonly string[] {
  const [was, is] = [new Map<string, unknown>(entriesOf(before)), new Map<string, unknown>(entriesOf(after))];
  return [...new Set([...was.keys(), ...is.keys()])].filter(
    (name) => JSON.stringify(was.get(name)) !== JSON.stringify(is.get(name)),
  );
}

function entriesOf(object: object | undefined): [string, unknown][] {
  return Object.entries(object ?? {});
}
