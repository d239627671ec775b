import { describe, expect, it } from 'vitest';
import { createRefusals, type Refused } from '../../../src/reconcile/refusals.ts';
import { createRandom } from '../../../src/shadow/world/random.ts';

const SECOND = 1000;
const HOUR = 3600 * SECOND;

/** So many of each of these namespaces. */
function refusedIn(counts: Readonly<Record<string, number>>, identity = 'account'): Refused[] {
  return Object.entries(counts).flatMap(([party, count]) =>
    Array.from({ length: count }, (_, index) => ({ identity, party, uid: `${party}-${index}`, limit: 500 })),
  );
}

/** Each is refused at first; then it asks, tries when it may, and is refused again unless it is `taken` then. Until `end`. */
function createWorld(all: readonly Refused[], startedAt = -HOUR) {
  const refusals = createRefusals(createRandom('refusals').next, () => startedAt);
  const times = new Map<string, number>();
  const asksAt = new Map<string, number>();
  const tries: { readonly uid: string; readonly party: string; readonly at: number }[] = [];
  let isTaken = (): boolean => false;
  let now = 0;

  function refuse(one: Refused): void {
    times.set(one.uid, (times.get(one.uid) ?? 0) + 1);
    refusals.refused(one, times.get(one.uid) ?? 1, now);
    asksAt.set(one.uid, now + refusals.wait(one, now));
  }

  function ask(one: Refused): void {
    const wait = refusals.wait(one, now);
    if (wait > 0) {
      asksAt.set(one.uid, now + wait);
      return;
    }
    tries.push({ uid: one.uid, party: one.party, at: now });
    refusals.tries(one, 1, now);
    if (!isTaken()) return refuse(one);
    refusals.taken(one.uid);
    asksAt.delete(one.uid);
  }

  for (const one of all) refuse(one);
  return {
    refusals,
    refuse,
    tries,
    waiting: () => asksAt.size,
    leave: (one: Refused) => void asksAt.delete(one.uid),
    live(until: number, taken = isTaken) {
      isTaken = taken;
      for (;;) {
        const [next] = all
          .flatMap((one) => ({ one, at: asksAt.get(one.uid) ?? Infinity }))
          .toSorted((one, other) => one.at - other.at);
        if (!next || next.at > until) break;
        now = Math.max(now, next.at);
        ask(next.one);
      }
      now = until;
    },
  };
}

describe('what is refused for now', () => {
  it('is tried again at once at first, and then every five minutes, if it is alone', () => {
    const { live, tries } = createWorld(refusedIn({ fleet: 1 }));
    live(HOUR / 4);
    expect(tries.map(({ at }) => Math.round(at / SECOND))).toEqual([1, 3, 7, 15, 31, 63, 127, 255, 511, 811]);
  });

  it.each([
    ['a hundred of one namespace', { fleet: 100 }, 1],
    ['three hundred of one namespace', { fleet: 300 }, 1],
    ['many of one and few of nine', { fleet: 60, ...Object.fromEntries([1, 2, 3].map((n) => [`n${n}`, 2])) }, 4],
  ])('takes a fifth of the hour at most, beside what was left of the one before: %s', (_, counts, parties) => {
    const { live, tries } = createWorld(refusedIn(counts));
    for (const hour of [1, 2, 3, 4]) {
      const before = tries.length;
      live(hour * HOUR);
      const left = hour === 1 ? 100 : 0;
      expect(tries.length - before).toBeLessThanOrEqual(100 + left + parties);
      expect(tries.length - before).toBeGreaterThanOrEqual(60);
    }
  });

  it('takes two fifths of the hour at most, and a few tries a namespace, where one namespace after another begins to fail', () => {
    const refusals = createRefusals(createRandom('refusals').next, () => -HOUR);
    const spaces = Array.from({ length: 10 }, (_, n) => refusedIn({ [`n${n}`]: 40 }));
    let tries = 0;
    for (const [index, all] of spaces.entries()) {
      for (const one of all) refusals.refused(one, 1, index * 300 * SECOND);
      for (let second = 1; second < 290; second++) {
        const now = (index * 300 + second) * SECOND;
        for (const one of all) {
          if (refusals.wait(one, now) > 0) continue;
          tries++;
          refusals.tries(one, 1, now);
          refusals.refused(one, 2, now);
        }
      }
      // All goes well again.
      for (const { uid } of all) refusals.taken(uid);
    }
    expect(tries).toBeGreaterThan(100);
    expect(tries).toBeLessThanOrEqual(200 + 5 * spaces.length);
  });

  it('has each its turn, and each namespace as many', () => {
    const all = refusedIn({ fleet: 40, other: 4 });
    const { live, tries } = createWorld(all);
    live(8 * HOUR);
    const counts = Map.groupBy(tries, ({ uid }) => uid);
    expect(all.filter(({ uid }) => (counts.get(uid)?.length ?? 0) < 4)).toEqual([]);
    const parties = Map.groupBy(tries, ({ party }) => party);
    expect(parties.get('other')?.length).toBeGreaterThan(0.8 * (parties.get('fleet')?.length ?? 0));
  });

  it('goes on within minutes once it is taken', () => {
    const { live, waiting } = createWorld(
      refusedIn({ fleet: 60, ...Object.fromEntries([1, 2, 3].map((n) => [`n${n}`, 1])) }),
    );
    live(6 * HOUR);
    live(6 * HOUR + 600 * SECOND, () => true);
    expect(waiting()).toBe(0);
  });

  it('delays nothing of a namespace that has refused nothing before', () => {
    const others = refusedIn(Object.fromEntries(Array.from({ length: 20 }, (_, n) => [`n${n}`, 3])));
    const own = refusedIn({ fleet: 1 });
    const { live, refuse, tries, leave } = createWorld([...others, ...own]);
    for (const one of own) leave(one);
    live(2 * HOUR);
    for (const one of own) refuse(one);
    live(2 * HOUR + 60 * SECOND);
    expect(tries.filter(({ party }) => party === 'fleet').length).toBeGreaterThanOrEqual(4);
  });

  it('delays nothing of another account', () => {
    const { live, tries } = createWorld([...refusedIn({ fleet: 100 }, 'other'), ...refusedIn({ mine: 1 })]);
    live(HOUR);
    expect(tries.filter(({ party }) => party === 'mine').length).toBeGreaterThanOrEqual(15);
  });

  it.each([
    ['does not ask any more', () => undefined],
    ['is gone', ({ taken }: ReturnType<typeof createRefusals>, uid: string) => taken(uid)],
  ])('delays nothing ten minutes after it %s', (_, end) => {
    const [last, ...others] = refusedIn({ fleet: 60 });
    const { live, refuse, tries, leave, refusals } = createWorld([...(last ? [last] : []), ...others]);
    if (last) leave(last);
    live(4 * HOUR);
    for (const one of others) {
      leave(one);
      end(refusals, one.uid);
    }
    live(4 * HOUR + 600 * SECOND);
    const before = tries.length;
    if (last) refuse(last);
    live(4 * HOUR + 700 * SECOND);
    expect(tries.length - before).toBeGreaterThanOrEqual(5);
  });

  it('is tried again at once at first in a process that has just begun, too, and once alone', () => {
    const { live, tries } = createWorld(refusedIn({ fleet: 5 }), 0);
    live(64 * SECOND);
    expect(tries.length).toBeGreaterThanOrEqual(5 * 6);
    live(HOUR);
    expect(tries.length).toBeLessThanOrEqual(50 + 100 + 5);
  });

  it('counts what is read for a try, gives it back once that is taken, and counts nothing of what did not wait', () => {
    const [one, other] = refusedIn({ fleet: 2 });
    if (!one || !other) throw new Error('there are two');
    // One that is offered, and reads all but one of those that there are at first, leaves none for another.
    const left = (isTaken: boolean, isOffered = true): number => {
      const refusals = createRefusals(createRandom('refusals').next, () => -HOUR);
      for (const each of [one, other]) refusals.refused(each, 1, 0);
      if (isOffered) refusals.wait(one, SECOND);
      refusals.reads(one, 99, SECOND);
      refusals.tries(one, 1, SECOND);
      if (isTaken) refusals.taken(one.uid);
      return refusals.wait(other, 2 * SECOND);
    };
    expect([left(false) > 0, left(true), left(false, false)]).toEqual([true, 0, 0]);
  });

  it.each(['fails', 'is held by something else'])('has its turn beside one that may be tried, and %s', (how) => {
    const [one, other] = refusedIn({ fleet: 2 });
    if (!one || !other) throw new Error('there are two');
    const refusals = createRefusals(createRandom('refusals').next, () => -HOUR);
    for (const each of [one, other]) refusals.refused(each, 1, 0);
    let tries = 0;
    let hasTried = false;
    for (let now = 0; now < HOUR && !hasTried; now += SECOND) {
      if (refusals.wait(one, now) === 0 && how === 'fails') {
        refusals.tries(one, 1, now);
        tries++;
      }
      hasTried = refusals.wait(other, now) === 0;
    }
    expect([hasTried, tries < 10]).toEqual([true, true]);
  });
});

it('once one is taken, three of those that wait with it may ask at once, whose turn comes first, first', () => {
  const refusals = createRefusals(createRandom('refusals').next, () => -HOUR);
  const all = refusedIn({ here: 6, there: 2 }).map(
    (one): Refused => ({ ...one, key: `WebAccelSite/${one.party}/${one.uid}` }),
  );
  for (const one of all) refusals.refused(one, 1, 0);
  expect([refusals.taken('here-1'), refusals.taken('here-1'), refusals.taken('there-0')]).toEqual([
    ['WebAccelSite/here/here-0', 'WebAccelSite/here/here-2', 'WebAccelSite/here/here-3'],
    [],
    ['WebAccelSite/there/there-1'],
  ]);
});
