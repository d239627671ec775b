import { isDeepStrictEqual } from 'node:util';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cutAtItems } from '../../../../src/cloud/http/json-items.ts';
import { createKnownList, type KnownList } from '../../../../src/cloud/http/known-items.ts';
import { type MovingPart, readItems } from '../../../../src/cloud/http/read-items.ts';

const member = 'Items';

interface Item {
  readonly id?: number;
  readonly a?: { readonly moves?: { readonly n?: unknown } };
  readonly Index?: unknown;
}

/** As traffic is of a SIM: what moves is in `a.moves`, and of other numbers nothing is made. */
const moving: MovingPart<Item> = {
  member: 'moves',
  moved(item, from, to) {
    const [before, after] = [JSON.parse(from), JSON.parse(to)];
    return isDeepStrictEqual(item?.a?.moves, before) ? { ...item, a: { ...item.a, moves: after } } : undefined;
  },
};

/** Reads a text as a page of a list is read; undefined where it has to be parsed whole. */
function read(text: string, known: KnownList<Item> = createKnownList()) {
  const bytes = Buffer.from(text);
  const cut = cutAtItems(bytes, member);
  if (!cut) return undefined;
  const parsed: number[] = [];
  const items = readItems<Item>({ text: bytes, bounds: cut.bounds }, known.before(0), {
    read(item, index) {
      parsed.push(index);
      return JSON.parse(item);
    },
    moving,
  });
  const frame = JSON.parse(cut.frame);
  known.keep(0, { text: bytes, bounds: cut.bounds, items });
  known.done();
  return { frame, items, parsed };
}

describe('a text cut at the items of its list', () => {
  it('has all that the text has, whatever stands in it and however it is spaced', () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.string(), fc.jsonValue()),
        fc.array(fc.jsonValue()),
        fc.constantFrom(undefined, 1, '\t'),
        fc.boolean(),
        (others, items, space, isFirst) => {
          const { [member]: _, ...all } = others;
          const rest = Object.fromEntries(Object.entries(all).filter(([name]) => !JSON.stringify(name).includes('\\')));
          const body = isFirst ? { [member]: items, ...rest } : { ...rest, [member]: items };
          const text = JSON.stringify(body, undefined, space);
          const whole = JSON.parse(text);
          expect(read(text)).toEqual({
            frame: { ...whole, [member]: [] },
            items: whole[member],
            parsed: items.map((_item, index) => index),
          });
        },
      ),
      { numRuns: 500 },
    );
  });

  it.each([
    ['no such member', '{"Other": [1]}'],
    ['the member further in', '{"a": {"Items": [1]}}'],
    ['another type', '{"Items": {"a": 1}}'],
    ['the name as a value', '{"a": "Items", "b": [1]}'],
    ['two of them', '{"Items": [1], "Items": [2]}'],
    ['another of which nothing is to be seen in the frame', '{"Items": [1], "Items": []}'],
    ['another that has one item', '{"Items": [1], "Items": [0]}'],
    ['null after it', '{"Items": [1], "Items": null}'],
    ['a number before it', '{"Items": 1, "Items": [1]}'],
    ['the name spelled in another way after it', '{"Items": [1], "Item\\u0073": [0]}'],
    ['the name spelled in another way', '{"Item\\u0073": [1]}'],
    ['any name with an escape', '{"Items": [1], "a\\n": 1}'],
    ['a list without end', '{"Items": [1, 2'],
    ['a list alone', '["Items", [1]]'],
    ['nothing', ''],
  ])('is not cut where it has %s', (_, text) => {
    expect(cutAtItems(Buffer.from(text), member)).toBeUndefined();
  });

  it.each([
    '{"Items": [1,]}',
    '{"Items": [,1]}',
    '{"Items": [1 2]}',
    '{"Items": [{]}',
    '{"Items": [1], }',
    '{"Items": [1]]',
    '{"Items": [\u0001]}',
  ])('is as little well-formed as it was: %s', (text) => {
    expect(() => read(text) ?? JSON.parse(text)).toThrow(SyntaxError);
  });
});

describe('a page that was read before', () => {
  const item = fc.record({ id: fc.nat({ max: 30 }), text: fc.string(), deep: fc.array(fc.boolean()) });
  const list = fc.array(item, { maxLength: 40 });

  it('gives what the text has, whatever the page had before', () => {
    fc.assert(
      fc.property(fc.array(list, { minLength: 2, maxLength: 4 }), (lists) => {
        const known: KnownList<Item> = createKnownList();
        for (const items of lists) {
          expect(read(JSON.stringify({ is_ok: true, Items: items }), known)?.items).toEqual(items);
        }
      }),
      { numRuns: 500 },
    );
  });

  const text = (ids: readonly number[]) => JSON.stringify({ Items: ids.map((id) => ({ id, name: `sim-${id}` })) });
  const ids = Array.from({ length: 100 }, (_, index) => index);

  it.each([
    ['nothing changed', ids, []],
    ['one changed', ids.with(50, 1000), [50]],
    ['some are gone', ids.filter((id) => id < 20 || (id > 25 && id !== 60)), []],
    ['some came at the end', [...ids, 100, 101], [100, 101]],
    ['one came in between', ids.toSpliced(50, 0, 1000), [50]],
    [
      'many came at the beginning',
      [1000, 1001, ...ids.map((id) => id + 2000), ...ids],
      [0, 1, ...ids.map((id) => id + 2)],
    ],
    ['the order is another', ids.toReversed(), []],
  ])('reads nothing that stands there as before: %s', (_, now, expected) => {
    const known: KnownList<Item> = createKnownList();
    const before = read(text(ids), known);
    const after = read(text(now), known);
    expect(after?.parsed).toEqual(expected);
    expect(after?.items[now.indexOf(0)]).toBe(before?.items[0]);
  });
});

describe('of an item that differs only in what moves', () => {
  const value = fc.constantFrom(
    '{"n":1}',
    '{"n":2}',
    '{ "n": 3 }',
    '{"n":"1"}',
    '{"n":{}}',
    '{"n":"}"}',
    '{}',
    '[]',
    '1',
  );
  const name = fc.constantFrom('"moves"', '"Index"', '"a"', '"mov\\u0065s"');
  /** With a number and two values that differ from page to page. */
  const items = [
    '{"Index":#,"a":{"moves":$}}',
    ' { "Index" : # , "a" : { "moves" : $ } } ',
    '{"Index":#,"moves":$,"a":{"moves":$}}',
    '{"a":{"moves":$},"Index":#}',
    '{"Index":#,"b":{"moves":$},"a":1}',
    '{"Index":#}',
    '{"Index":#,"Index":#}',
    '{"Index":"#","a":{"moves":$}}',
    '{"a":{"moves":$,"x":"moves"}}',
    '{"a":{"moves":$},&:$}',
    '"moves"',
    'null',
    '#',
  ];
  const item = fc
    .tuple(fc.constantFrom(...items), fc.nat(3), value, value, name)
    .map(([text, index, one, other, key]) =>
      text
        .replaceAll('#', `${index}`)
        .replace('$', () => one)
        .replace('$', () => other)
        .replace('&', key),
    );

  it('all is read as the text has it but for its index, wherever what moves stands and however often', () => {
    const page = fc.array(item, { maxLength: 8 }).map((all) => `{"Items":[${all.join(', ')}]}`);
    const withoutIndex = (all: readonly Item[] = []) =>
      all.map((one) => (typeof one === 'object' && one !== null ? { ...one, Index: typeof one.Index } : one));
    fc.assert(
      fc.property(fc.array(page, { minLength: 2, maxLength: 4 }), (pages) => {
        const known: KnownList<Item> = createKnownList();
        for (const text of pages) {
          expect(withoutIndex(read(text, known)?.items)).toEqual(withoutIndex(JSON.parse(text).Items));
        }
      }),
      { numRuns: 2000 },
    );
  });

  const text = (ids: readonly number[], moves: number) =>
    JSON.stringify({ Items: ids.map((id, index) => ({ Index: index, id, a: { moves: { n: moves } } })) });

  it('only that is read, also of those that stand elsewhere now', () => {
    const known: KnownList<Item> = createKnownList();
    read(text([1, 2, 3, 4], 5), known);
    const now = read(text([7, 2, 1, 4, 3], 6), known);
    expect({ parsed: now?.parsed, items: now?.items.map(({ id, a }) => [id, a?.moves?.n]) }).toEqual({
      parsed: [0],
      items: [7, 2, 1, 4, 3].map((id) => [id, 6]),
    });
  });
});

it('what is cut is what the text says, in whatever way its names are spelled and however often they are there', () => {
  const name = fc.constantFrom('"Items"', '"Item\\u0073"', '"\\u0049tems"', '"Other"', '"Items "');
  const value = fc.constantFrom('[0]', '[]', '[1,{"Items":[0]}]', '0', 'null', '"Items"', '{"Items":[0]}');
  fc.assert(
    fc.property(fc.array(fc.tuple(name, value), { maxLength: 5 }), (members) => {
      const text = `{${members.map((pair) => pair.join(':')).join(', ')}}`;
      const cut = read(text);
      const whole: unknown = JSON.parse(text);
      expect(cut ? { ...cut.frame, [member]: cut.items } : whole).toEqual(whole);
    }),
    { numRuns: 1000 },
  );
});
