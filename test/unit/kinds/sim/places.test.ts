import { expect, test } from 'vitest';
import { createPlaces } from '../../../../src/kinds/sim/places.ts';

test('the last who is about to have a place has it, until it wants another or none', () => {
  const places = createPlaces();
  places.take('uid-1', 'a', 'sim-1');
  places.take('uid-2', 'a', 'sim-2');
  expect(places.of('a')).toBe('sim-2');
  // Whoever lost it takes it from nobody.
  places.drop('uid-1');
  expect(places.of('a')).toBe('sim-2');
  places.take('uid-2', 'b', 'sim-2');
  expect([places.of('a'), places.of('b')]).toEqual([undefined, 'sim-2']);
  places.drop('uid-2');
  expect(places.of('b')).toBeUndefined();
});
