import { describe, expect, test } from 'vitest';
import { createAnswerPool } from '../../../../src/cloud/http/answer-pool.ts';

function poolOf(limit: number) {
  const pool = createAnswerPool(limit);
  const given: string[] = [];
  const join = (name: string) => pool.join(() => given.push(name));
  return { join, given };
}

describe('answers that are read at the same time', () => {
  test('share a bound, and the largest gives way', () => {
    const { join, given } = poolOf(100);
    const [small, large, other] = [join('small'), join('large'), join('other')];
    small.grow(10);
    large.grow(60);
    other.grow(30);
    expect(given).toEqual([]);
    small.grow(1);
    expect(given).toEqual(['large']);
    small.grow(59);
    expect(given).toEqual(['large']);
  });

  test('give back what they had when they are over, once', () => {
    const { join, given } = poolOf(100);
    const first = join('first');
    first.grow(100);
    first.leave();
    first.leave();
    join('second').grow(100);
    expect(given).toEqual([]);
    join('third').grow(1);
    expect(given).toEqual(['second']);
  });

  test('may end the one that grows', () => {
    const { join, given } = poolOf(100);
    join('small').grow(10);
    const large = join('large');
    large.grow(91);
    large.grow(1000);
    expect(given).toEqual(['large']);
  });
});
