import { describe, expect, test } from 'vitest';
import { createListMemory } from '../../../../src/cloud/list/memory.ts';

const MiB = 1024 * 1024;

describe('the memory that lists take', () => {
  test('is for one list half of it all', () => {
    const list = createListMemory(8 * MiB).open();
    list.take(4 * MiB);
    expect(() => list.take(1)).toThrow(
      'a list of the account is larger than 4 MiB, which is the most that is kept of it',
    );
  });

  test('is for the small ones when all together are too large', () => {
    const memory = createListMemory(8 * MiB);
    const large = [memory.open(), memory.open(), memory.open()];
    large[0]?.take(4 * MiB);
    large[1]?.take(4 * MiB);
    expect(() => large[2]?.take(3 * MiB)).toThrow('larger than 3 MiB');
    large[2]?.release();
    const small = memory.open();
    small.take(2 * MiB);
    expect(() => large[0]?.take(1)).toThrow('larger than');
  });

  test('is given back once', () => {
    const memory = createListMemory(8 * MiB);
    const list = memory.open();
    list.take(4 * MiB);
    list.release();
    list.release();
    list.take(100 * MiB);
    const [one, two] = [memory.open(), memory.open()];
    one.take(4 * MiB);
    expect(() => two.take(4 * MiB)).not.toThrow();
  });

  test('is lent half as much again, as long as lists do not need it', () => {
    const memory = createListMemory(8 * MiB);
    const recalled: string[] = [];
    const [small, large] = ['small', 'large'].map((name) => memory.lend(() => recalled.push(name)));
    expect(small?.resize(3 * MiB)).toBe(true);
    expect(large?.resize(10 * MiB)).toBe(false);
    expect(large?.resize(9 * MiB)).toBe(true);
    const list = memory.open();
    list.take(4 * MiB);
    expect(recalled).toEqual(['large']);
    expect([large?.resize(6 * MiB), large?.resize(5 * MiB)]).toEqual([false, true]);
    list.release();
    expect([small?.resize(0), large?.resize(12 * MiB), small?.resize(1)]).toEqual([true, true, false]);
  });
});
