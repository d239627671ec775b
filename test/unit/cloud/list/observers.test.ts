import { getEventListeners } from 'node:events';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Turn, urgencies } from '../../../../src/cloud/limiter/lanes.ts';
import { type Asker, createObservers } from '../../../../src/cloud/list/observers.ts';

const askerOf = (turn: Turn | undefined): Asker => ({ lane: 'verify', turn });
const creation = askerOf({ urgency: 'creation', began: 1 });
const urgent = askerOf({ urgency: 'urgent', began: 9 });

test('a list ends the waiting of those who asked for one that begins later than a moment before it', async () => {
  const observers = createObservers<string>();
  const [early, late] = [observers.wait(10, creation, undefined), observers.wait(20, urgent, undefined)];
  expect([observers.size, observers.latest(), observers.hasNew(), observers.mostPressing()]).toEqual([
    2,
    20,
    true,
    urgent,
  ]);
  observers.settle(20, (one) => one.resolve('first'));
  expect([await early, observers.size, observers.hasNew()]).toEqual(['first', 1, false]);
  observers.settle(21, (one) => one.reject(new Error('gone')));
  await expect(late).rejects.toThrow('gone');
  expect(observers.mostPressing()).toBeUndefined();
});

test('whoever comes and goes, it is known who is the most pressing, which moment is the latest, and whether anything is new', () => {
  const turn = fc.option(fc.record({ urgency: fc.constantFrom(...urgencies), began: fc.nat(20) }), { nil: undefined });
  const asker = fc.record({
    lane: fc.constantFrom('verify' as const, 'list' as const),
    turn,
    party: fc.constantFrom('a', 'b', undefined),
  });
  const event = fc.oneof(
    fc.record({ what: fc.constant('comes' as const), after: fc.nat(30), asker }),
    fc.record({ what: fc.constant('gives up' as const), which: fc.nat(50) }),
    fc.record({ what: fc.constant('list' as const), startedAt: fc.nat(30) }),
  );
  fc.assert(
    fc.property(fc.array(event, { maxLength: 300, size: 'max' }), (events) => {
      const observers = createObservers<string>();
      let waiting: { readonly after: number; readonly asker: Asker; readonly stop: AbortController }[] = [];
      for (const one of events) {
        if (one.what === 'comes') {
          const stop = new AbortController();
          waiting.push({ after: one.after, asker: one.asker, stop });
          observers.wait(one.after, one.asker, stop.signal).catch(() => undefined);
        } else if (one.what === 'gives up') {
          waiting[one.which]?.stop.abort(new Error('gives up'));
          waiting = waiting.filter((_, index) => index !== one.which);
        } else {
          observers.settle(one.startedAt, ({ resolve }) => resolve('list'));
          waiting = waiting.filter(({ after }) => after >= one.startedAt);
        }
        const order = ({ lane, turn: { urgency, began } = { urgency: 'change', began: -1 } }: Asker) =>
          (lane === 'list' ? urgencies.length : urgencies.indexOf(urgency)) * 100 + began;
        const orders = waiting.map((one) => order(one.asker));
        const found = observers.mostPressing();
        expect({
          size: observers.size,
          latest: observers.latest(),
          isNew: observers.hasNew(),
          pressing: found && order(found),
          payer: observers.least((party) => (party === 'a' ? 1 : 2)),
        }).toEqual({
          size: waiting.length,
          latest: Math.max(...waiting.map(({ after }) => after)),
          isNew: waiting.some(({ asker: { lane, turn: of } }) => lane === 'list' || of?.urgency === 'creation'),
          pressing: waiting.length > 0 ? Math.min(...orders) : undefined,
          payer: ['a', 'b'].find((one) => waiting.some(({ asker: { party } }) => party === one)),
        });
      }
    }),
  );
});

test('of thousands who wait each costs little, also where those in front stay and others come and go', () => {
  const observers = createObservers<string>();
  let looks = 0;
  const turnOf = (began: number) =>
    askerOf({
      get urgency() {
        looks++;
        return 'creation' as const;
      },
      began,
    });
  const ask = () => [observers.mostPressing(), observers.hasNew(), observers.latest()];
  const count = 4000;
  for (let index = 0; index < count; index++) {
    void observers.wait(index, turnOf(count - index), undefined);
    ask();
  }
  for (let index = 0; index < count; index++) {
    const stop = new AbortController();
    observers.wait(index, turnOf(count + index), stop.signal).catch(() => undefined);
    ask();
    stop.abort(new Error('gives up'));
    ask();
  }
  expect(looks / (2 * count)).toBeLessThan(100);
});

test('the same work that asks again and again waits once, and a signal has one listener for all', async () => {
  const observers = createObservers<string>();
  const controller = new AbortController();
  const { signal } = controller;
  const asked = Array.from({ length: 100 }, (_, index) => observers.wait(index % 2, creation, signal));
  expect([observers.size, getEventListeners(signal, 'abort').length, new Set(asked).size]).toEqual([2, 1, 2]);
  const others = observers.wait(0, creation, undefined);
  controller.abort(new Error('the operator stops'));
  await expect(Promise.all(asked)).rejects.toThrow('the operator stops');
  expect([observers.size, getEventListeners(signal, 'abort').length]).toEqual([1, 0]);
  observers.settle(1, (one) => one.resolve('list'));
  expect(await others).toBe('list');
});
