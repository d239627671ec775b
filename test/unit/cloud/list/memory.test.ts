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

  test('is for who has few lists as much as for who has many, and those of one party are divided among them', () => {
    const memory = createListMemory(8 * MiB);
    const many = Array.from({ length: 99 }, () => memory.open('many'));
    for (const list of many) list.take(MiB / 16);
    const few = memory.open('few');
    expect(() => few.take(3.5 * MiB)).not.toThrow();
    expect(() => many[0]?.take(MiB / 2)).toThrow('larger than 42 KiB');
    many[0]?.release();
    expect(() => few.take(MiB)).toThrow('larger than 4 MiB');
  });

  test('is for each list of those that have more than their part what is left of that', () => {
    const memory = createListMemory(8 * MiB);
    const [one, two] = [memory.open('a'), memory.open('a')];
    one.take(4 * MiB);
    two.take(3 * MiB);
    const other = memory.open('b');
    other.take(2 * MiB);
    expect(() => two.take(1)).toThrow('larger than 2 MiB');
    two.release();
    expect(() => other.take(2 * MiB)).not.toThrow();
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
