import { describe, expect, test } from 'vitest';
import { createEventLine, type Weight } from '../../../src/kubernetes/event-line.ts';

/** A line with items such as `a/1 warning`. */
function lineOf(...items: string[]) {
  const line = createEventLine<{ readonly weight: Weight; readonly name: string }>();
  for (const item of items) {
    const [namespace = '', key = '', weight = ''] = item.split(/[ /]/);
    const of = (['routine', 'normal', 'warning'] as const).find((one) => one === weight) ?? 'normal';
    line.add(namespace, key, { weight: of, name: item });
  }
  return line;
}

function rest(line: ReturnType<typeof lineOf>): string[] {
  const names = [];
  for (let next = line.next(); next; next = line.next()) names.push(next[1].name);
  return names;
}

test('namespaces take turns, and of each the oldest goes first', () => {
  const line = lineOf('a/1', 'a/2', 'a/3', 'b/1', 'c/1', 'c/2');
  expect([line.length, rest(line), line.length]).toEqual([6, ['a/1', 'b/1', 'c/1', 'a/2', 'c/2', 'a/3'], 0]);
});

describe('what is given up', () => {
  test.each([
    ['routine before what nothing else tells, wherever it is', ['a/1', 'a/2', 'b/1', 'b/2 routine'], 'b/2 routine'],
    ['a warning last', ['a/1 warning', 'a/2 warning', 'b/1'], 'b/1'],
    ['a warning of who has more than a fair part', ['a/1 warning', 'a/2 warning', 'a/3 warning', 'b/1'], 'a/1 warning'],
    [
      'with which least is lost of who has more than a fair part, not of others',
      ['a/1 warning', 'a/2', 'a/3 routine', 'a/4', 'b/1 routine', 'b/2'],
      'a/3 routine',
    ],
    [
      'the oldest of who has the most of it',
      ['a/1 routine', 'b/1 warning', 'b/2 routine', 'b/3 routine', 'c/1 warning', 'c/2 warning', 'c/3 warning'],
      'b/2 routine',
    ],
    ['a warning of who has the most of those', ['a/1 warning', 'b/1 warning', 'b/2 warning'], 'b/1 warning'],
  ])('%s', (_, items, lost) => {
    const line = lineOf(...items);
    line.giveUpOne();
    expect(rest(line).toSorted()).toEqual(items.filter((item) => item !== lost).toSorted());
  });

  test('is nothing of one namespace, however many others there are with something routine', () => {
    const line = lineOf('victim/1 warning', 'victim/2 warning');
    for (let other = 0; other < 1000; other++) {
      line.add(`other-${other}`, '1', { weight: 'routine', name: 'routine' });
      if (line.length > 100) line.giveUpOne();
    }
    expect(rest(line).filter((name) => name !== 'routine')).toEqual(['victim/1 warning', 'victim/2 warning']);
  });

  test.each(['routine', 'normal', 'warning'] as const)(
    'is nothing of those within their part, however many events that are %s one namespace has',
    (weight) => {
      const others = ['a/1 routine', 'a/2', 'a/3 warning', 'b/1 routine'];
      const line = lineOf(...others);
      for (let flood = 0; flood < 1000; flood++) {
        line.add('flood', String(flood), { weight, name: 'flood' });
        if (line.length > 20) line.giveUpOne();
      }
      expect(rest(line).filter((name) => name !== 'flood')).toEqual([
        'a/1 routine',
        'b/1 routine',
        'a/2',
        'a/3 warning',
      ]);
    },
  );
});

test('one that waits is found by its namespace and key, until it is taken out', () => {
  const line = lineOf('a/1', 'b/1');
  expect([line.get('a', '1')?.name, line.get('a', '2'), line.get('c', '1')]).toEqual(['a/1', undefined, undefined]);
  line.next();
  expect(line.get('a', '1')).toBeUndefined();
  line.clear();
  expect([line.length, line.next()]).toEqual([0, undefined]);
});
