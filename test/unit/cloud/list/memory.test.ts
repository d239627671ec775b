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
});
