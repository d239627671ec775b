import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { createWaitingLine } from '../../src/waiting-line.ts';

test('who joins goes behind those of the same order or a smaller one, whoever has left', () => {
  const joining = fc.record({ order: fc.integer({ min: 0, max: 5 }), leaves: fc.boolean() });
  fc.assert(
    fc.property(fc.array(joining), (all) => {
      const line = createWaitingLine<number>();
      const stays: { order: number; number: number }[] = [];
      for (const [number, { order, leaves }] of all.entries()) {
        const place = line.join(number, order);
        if (leaves) line.leave(place);
        else stays.push({ order, number });
      }
      const wanted = stays.toSorted((a, b) => a.order - b.order).map((one) => one.number);
      expect(line.length).toBe(wanted.length);
      expect(wanted.map(() => line.shift())).toEqual(wanted);
      expect([line.length, line.first(), line.shift()]).toEqual([0, undefined, undefined]);
    }),
  );
});

test('20,000 that join in the order in which they go last cost about as much as the other way round', () => {
  function cost(orderOf: (number: number) => number): number {
    const line = createWaitingLine<number>();
    const before = process.cpuUsage();
    for (let number = 0; number < 20_000; number++) line.join(number, orderOf(number));
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1000;
  }
  cost((number) => -number);
  expect(cost((number) => -number)).toBeLessThan(100);
});
