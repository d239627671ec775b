import { getEventListeners } from 'node:events';
import { expect, test } from 'vitest';
import { createObservers } from '../../../../src/cloud/list/observers.ts';

const creation = { urgency: 'creation', began: 1 } as const;
const urgent = { urgency: 'urgent', began: 9 } as const;

test('a list ends the waiting of those who asked for one that begins later than a moment before it', async () => {
  const observers = createObservers<string>();
  const [early, late] = [observers.wait(10, creation, undefined), observers.wait(20, urgent, undefined)];
  expect([observers.size, observers.latest(), observers.hasCreation(), observers.mostPressing()]).toEqual([
    2,
    20,
    true,
    urgent,
  ]);
  observers.settle(20, (one) => one.resolve('first'));
  expect([await early, observers.size, observers.hasCreation()]).toEqual(['first', 1, false]);
  observers.settle(21, (one) => one.reject(new Error('gone')));
  await expect(late).rejects.toThrow('gone');
  expect(observers.mostPressing()).toBeUndefined();
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
