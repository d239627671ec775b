import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Clock } from '../../../src/clock.ts';
import { createClusterTime } from '../../../src/kubernetes/cluster-time.ts';

const EPOCH = Date.UTC(2026, 0, 1);
const HOUR = 3_600_000;

/** A process whose wall clock is so much ahead of the cluster's; `true` time goes on for all at once. */
function processOf(world: { time: number }, ahead: number) {
  let offset = ahead;
  const own: Clock = {
    now: () => EPOCH + world.time + offset,
    monotonic: () => world.time,
    sleep: () => Promise.reject(new Error('nothing waits here')),
    after: () => () => undefined,
  };
  const time = createClusterTime(own);
  return {
    own,
    time,
    step: (milliseconds: number) => (offset += milliseconds),
    /** The cluster answers when the request has been on its way for so long, and the answer takes as long. */
    ask(there: number, back: number) {
      const begun = { monotonic: own.monotonic(), wall: own.now() };
      world.time += there;
      const date = new Date(EPOCH + world.time).toUTCString();
      world.time += back;
      time.heard(date, begun);
    },
  };
}

const clock = fc.integer({ min: -5 * HOUR, max: 5 * HOUR });
const delay = fc.integer({ min: 0, max: 20_000 });

it('what one process dated is never older to another than it is, whatever their clocks show', () => {
  fc.assert(
    fc.property(clock, clock, clock, delay, delay, delay, delay, (a, b, step, there, back, between, age) => {
      const world = { time: 123_456 };
      const writer = processOf(world, a);
      writer.ask(there, back);
      world.time += between;
      // Its clock is set after the cluster told the time.
      writer.step(step);
      const at = writer.time.latest();
      const dated = world.time;
      world.time += age;
      const reader = processOf(world, b);
      reader.ask(back, there);
      reader.step(step);
      const took = reader.own.now() - reader.time.toOwn(at);
      expect(took).toBeLessThanOrEqual(world.time - dated);
    }),
  );
});

it('what one process dated is as old to another as it is, but for a second of each answer and its way', () => {
  fc.assert(
    fc.property(clock, clock, clock, fc.integer({ min: 0, max: HOUR }), (a, b, step, age) => {
      const world = { time: 123_456 };
      const writer = processOf(world, a);
      writer.step(step);
      writer.ask(10, 10);
      const at = writer.time.latest();
      const dated = world.time;
      world.time += age;
      const reader = processOf(world, b);
      reader.ask(10, 10);
      const took = reader.own.now() - reader.time.toOwn(at);
      expect(world.time - dated - took).toBeLessThan(2 * 1000 + 2 * 20);
    }),
  );
});

it('is at the earliest what it is, and never later, whatever the clock is set to', () => {
  fc.assert(
    fc.property(clock, clock, delay, delay, delay, (ahead, step, there, back, between) => {
      const world = { time: 123_456 };
      const { ask, step: set, time } = processOf(world, ahead);
      ask(there, back);
      world.time += between;
      set(step);
      const behind = EPOCH + world.time - time.earliest();
      expect(behind).toBeGreaterThanOrEqual(0);
      expect(behind).toBeLessThan(1000 + back);
    }),
  );
});

it('is that of this process until the cluster has said what time it is', () => {
  const { own, time } = processOf({ time: 5000 }, HOUR);
  time.heard(undefined, { monotonic: 0, wall: 0 });
  time.heard('some time ago', { monotonic: 0, wall: 0 });
  expect(time.latest()).toBe(own.now());
  expect(time.earliest()).toBe(own.now());
  expect(time.toOwn(own.now() - 7)).toBe(own.now() - 7);
});

it('goes on by the wall clock where the machine was suspended and the other stood still', () => {
  const world = { time: 0 };
  const { time, ask, step } = processOf(world, 0);
  ask(0, 0);
  step(HOUR);
  expect(time.latest()).toBeGreaterThanOrEqual(EPOCH + HOUR);
});
