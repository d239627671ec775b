import { describe, expect, test } from 'vitest';
import { doubtOf } from '../../../../src/cloud/list/doubt.ts';

const of = (text: string) => new Map(Array.from(text, (id) => [id, id]));
const never = () => false;
const doubted = (known: string, next: string, explained: (id: string) => boolean = never) =>
  doubtOf(of(known), { items: of(next), startedAt: 0 }, undefined, explained) !== undefined;

describe('a list is doubted', () => {
  test.each([
    ['a', '', true],
    ['ab', 'a', true],
    ['abcd', 'ab', true],
    ['abcdef', '', true],
    ['abcd', 'wxyz', true],
    ['abc', 'ab', false],
    ['abcd', 'abcde', false],
    ['', '', false],
    ['', 'abc', false],
  ])('of %j where %j was known: %s', (known, next, is) => {
    expect(doubted(known, next)).toBe(is);
  });

  test('but not for what was deleted', () => {
    expect(doubted('abcd', 'a', (id) => 'bc'.includes(id))).toBe(false);
    expect(doubted('ab', '', (id) => id === 'a')).toBe(true);
  });
});

describe('a doubted list is believed', () => {
  const first = doubtOf(of('abcd'), { items: of(''), startedAt: 100 }, undefined, never);
  const again = (next: string, startedAt: number) => doubtOf(of('abcd'), { items: of(next), startedAt }, first, never);

  test('when one begun five seconds later lacks the same, or less', () => {
    expect(again('', 5099)).toBe(first);
    expect(again('', 5100)).toBeUndefined();
    expect(again('ab', 5100)).toBeUndefined();
  });

  test('and one that lacks something else begins anew', () => {
    const other = doubtOf(of('abcd'), { items: of('cd'), startedAt: 100 }, undefined, never);
    expect(doubtOf(of('abcd'), { items: of('ab'), startedAt: 9000 }, other, never)).toEqual({
      since: 9000,
      missing: new Set(['c', 'd']),
    });
  });
});
