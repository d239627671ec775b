import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type AddressMember, addressTurn } from '../../../../src/kinds/sim/address.ts';

/** A SIM of the model: where it is, where it is to be, and whether the operator looks after it. */
interface Member {
  readonly id: string;
  has: string | undefined;
  readonly wants: string | undefined;
  readonly isManaged: boolean;
}

const addressOf = (index: number) => `10.0.0.${index}`;

/** SIMs that have the first addresses, some of which may have none, and each want another one. */
const anyFleet: fc.Arbitrary<Member[]> = fc.integer({ min: 1, max: 8 }).chain((count) =>
  fc
    .record({
      wanted: fc.shuffledSubarray(
        Array.from({ length: count + 2 }, (_, index) => index),
        { minLength: count, maxLength: count },
      ),
      bare: fc.array(fc.boolean(), { minLength: count, maxLength: count }),
      managed: fc.array(fc.boolean(), { minLength: count, maxLength: count }),
      allManaged: fc.boolean(),
    })
    .map(({ wanted, bare, managed, allManaged }) =>
      wanted.map((address, index) => ({
        id: String(100 + index),
        has: bare[index] && allManaged ? undefined : addressOf(index),
        wants: addressOf(address),
        isManaged: allManaged || managed[index] === true,
      })),
    ),
);

function turn(fleet: readonly Member[], self: Member) {
  const asMember = (one: Member): AddressMember => ({
    id: one.id,
    label: one.id,
    wants: one.wants,
    leaves: one.isManaged && one.wants !== one.has,
  });
  const asking = (place: string | undefined) =>
    fleet.filter((one) => one.isManaged && one.wants === place && one.has !== place);
  /** Whether it has none, or one that has none waits for its place, or for that of one who does. */
  function urgencyOf({ id }: AddressMember): number {
    const waiting = new Set(fleet.filter((one) => one.id === id));
    for (const one of waiting) {
      if (one.has === undefined) return 1;
      for (const other of asking(one.has)) waiting.add(other);
    }
    return 0;
  }
  return addressTurn(
    asMember(self),
    ({ wants }) => {
      const holder = fleet.find(({ has }) => has === wants);
      return holder && asMember(holder);
    },
    ({ wants }) =>
      asking(wants)
        .filter(({ id }) => id !== self.id)
        .map(asMember),
    urgencyOf,
  );
}

/** Lets each look in some order until nothing changes; what it saw may be one round old. Returns how often each cleared. */
function run(
  fleet: Member[],
  order: readonly number[],
  staleness: readonly boolean[],
): { clears: number; rounds: number } {
  let clears = 0;
  let before = fleet.map((one) => ({ ...one }));
  for (let rounds = 0; ; rounds++) {
    let changed = false;
    const start = fleet.map((one) => ({ ...one }));
    for (const index of order) {
      const self = fleet[index % fleet.length];
      if (!self?.isManaged || self.wants === self.has) continue;
      const seen = staleness[(rounds + index) % staleness.length] ? before : fleet;
      const decision = turn(seen, { ...self });
      const holder = fleet.find((one) => one.has === self.wants);
      if (decision.do === 'clear' && self.has !== undefined) {
        clears++;
        self.has = undefined;
        changed = true;
      } else if (decision.do === 'set' && !holder) {
        self.has = self.wants;
        changed = true;
      }
    }
    const sawAll = before.every((one, index) => one.has === fleet[index]?.has);
    if (!changed && sawAll) return { clears, rounds };
    before = start;
    if (rounds > 200) throw new Error('it does not come to rest');
  }
}

const anyOrder = fc.shuffledSubarray([0, 1, 2, 3, 4, 5, 6, 7], { minLength: 8 });
const anyStaleness = fc.array(fc.boolean(), { minLength: 3, maxLength: 7 });

/** The circles of SIMs each of which wants what the next one has. */
function circles(fleet: readonly Member[]): number {
  const seen = new Set<Member>();
  let count = 0;
  for (const start of fleet) {
    const path: Member[] = [];
    let current: Member | undefined = start;
    while (current && !seen.has(current)) {
      seen.add(current);
      path.push(current);
      const { wants }: Member = current;
      current = fleet.find((one) => one.has === wants);
    }
    if (current && path.includes(current) && path.length - path.indexOf(current) > 1) count++;
  }
  return count;
}

describe('SIMs that are to get one another’s addresses', () => {
  it('all have theirs in the end, whoever looks when and at what', () => {
    fc.assert(
      fc.property(anyFleet, anyOrder, anyStaleness, (members, order, staleness) => {
        const fleet = members.map((one) => ({ ...one, isManaged: true }));
        run(fleet, order, staleness);
        expect(fleet.map(({ has }) => has)).toEqual(fleet.map(({ wants }) => wants));
      }),
      { numRuns: 3000 },
    );
  });

  it('are without an address once for each circle, and never otherwise', () => {
    fc.assert(
      fc.property(anyFleet, anyOrder, (members, order) => {
        const fleet = members.map((one) => ({ ...one, isManaged: true }));
        const expected = circles(fleet);
        expect(run(fleet, order, [false]).clears).toBe(expected);
      }),
      { numRuns: 3000 },
    );
  });

  it('come to rest where some are nobody’s to move, and who gives up an address gets the one it wants', () => {
    fc.assert(
      fc.property(anyFleet, anyOrder, anyStaleness, (members, order, staleness) => {
        const fleet = members.map((one) => ({ ...one }));
        run(fleet, order, staleness);
        for (const [index, one] of fleet.entries()) {
          if (one.has !== members[index]?.has) expect(one.has).toBe(one.wants);
        }
      }),
      { numRuns: 3000 },
    );
  });

  it('none of them is left without the one it had, where several ask for the same', () => {
    const anyRivals = fc.tuple(
      anyFleet,
      fc.array(fc.nat(7), { minLength: 8, maxLength: 8 }),
      fc.shuffledSubarray([0, 1, 2, 3, 4, 5, 6, 7], { minLength: 8 }),
    );
    fc.assert(
      fc.property(anyRivals, anyOrder, anyStaleness, ([members, wanted, ids], order, staleness) => {
        const fleet = members.map((one, index) => ({
          ...one,
          id: String(100 + (ids[index] ?? 0)),
          wants: addressOf(wanted[index] ?? 0),
        }));
        const before = fleet.map(({ has }) => has);
        run(fleet, order, staleness);
        for (const [index, { has, wants }] of fleet.entries()) {
          if (before[index] !== undefined) expect([before[index], wants]).toContain(has);
        }
        // What somebody wants who may have it is not left to nobody.
        const free = (address: string | undefined) => fleet.every(({ has }) => has !== address);
        expect(fleet.filter((one) => one.isManaged && one.has !== one.wants && free(one.wants))).toEqual([]);
      }),
      { numRuns: 5000 },
    );
  });

  it('are told who asks for the same and goes first, also where that stops the circle they are in', () => {
    const fleet: Member[] = [
      { id: '2', has: 'a', wants: 'b', isManaged: true },
      { id: '3', has: 'b', wants: 'a', isManaged: true },
      { id: '1', has: undefined, wants: 'a', isManaged: true },
    ];
    const [first, second, third] = fleet;
    if (!first || !second || !third) throw new Error('no fleet');
    expect(turn(fleet, first)).toEqual({ do: 'yield', to: '1', isUrgent: false, for: { label: '3', address: 'a' } });
    expect(turn(fleet, second)).toEqual({ do: 'wait', holder: '2' });
    first.has = 'c';
    expect(turn(fleet, second)).toEqual({ do: 'yield', to: '1', isUrgent: true });
    expect(turn(fleet, third)).toEqual({ do: 'set' });
  });

  it('go on with a circle that has begun, whoever asks for one of its places meanwhile', () => {
    fc.assert(
      fc.property(anyFleet, anyOrder, fc.nat(7), fc.nat(9), (members, order, gone, place) => {
        const fleet = members.map((one) => ({ ...one, isManaged: true }));
        const bare = fleet[gone % fleet.length];
        if (bare) bare.has = undefined;
        const before = fleet.map(({ has }) => has);
        // With the lowest ID, and a place of its own to stay on.
        const newcomer: Member = { id: '001', has: 'elsewhere', wants: addressOf(place), isManaged: true };
        fleet.push(newcomer);
        run(fleet, [...order, fleet.length - 1], [false]);
        for (const [index, one] of fleet.slice(0, -1).entries()) {
          if (before[index] === undefined) expect([one.wants, undefined]).toContain(one.has);
          else expect([before[index], one.wants]).toContain(one.has);
        }
        // Who had no address has the one it wants, unless somebody else keeps that.
        const isTaken = fleet.some((one) => one !== bare && one.has === bare?.wants && one.wants === one.has);
        if (bare && !isTaken) expect(bare.has).toBe(bare.wants);
      }),
      { numRuns: 3000 },
    );
  });

  it('are told who has the address and keeps it', () => {
    const fleet: Member[] = [
      { id: '1', has: 'a', wants: 'b', isManaged: true },
      { id: '2', has: 'b', wants: 'c', isManaged: true },
      { id: '3', has: 'c', wants: 'c', isManaged: true },
    ];
    const [first, second] = fleet;
    if (!first || !second) throw new Error('no fleet');
    expect(turn(fleet, second)).toEqual({ do: 'set', holder: '3' });
    expect(turn(fleet, first)).toEqual({ do: 'set', holder: '2' });
  });
});
