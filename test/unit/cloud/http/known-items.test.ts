import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cutAtItems } from '../../../../src/cloud/http/json-items.ts';
import { createKnownList, type KnownList, readItems } from '../../../../src/cloud/http/known-items.ts';
import { createListMemory } from '../../../../src/cloud/list/memory.ts';

const member = 'Items';

/** Reads a text as a page of a list is read; undefined where it has to be parsed whole. */
function read(text: string, known: KnownList<unknown> = createKnownList()) {
  const bytes = Buffer.from(text);
  const cut = cutAtItems(bytes, member);
  if (!cut) return undefined;
  const parsed: number[] = [];
  const items = readItems({ text: bytes, bounds: cut.bounds }, known.before(0), (item, index) => {
    parsed.push(index);
    return JSON.parse(item);
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
        const known: KnownList<unknown> = createKnownList();
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
    ['many came at the beginning', [1000, 1001, ...ids.map((id) => id + 2000), ...ids], [0, 1, ...ids.map((id) => id + 2)]],
    ['the order is another', ids.toReversed(), []],
  ])('reads nothing that stands there as before: %s', (_, now, expected) => {
    const known: KnownList<unknown> = createKnownList();
    const before = read(text(ids), known);
    const after = read(text(now), known);
    expect(after?.parsed).toEqual(expected);
    expect(after?.items[now.indexOf(0)]).toBe(before?.items[0]);
  });

  it('is not kept where its items are longer than any service has reason to send', () => {
    const known: KnownList<unknown> = createKnownList();
    read(JSON.stringify({ Items: ['x'.repeat(10_000)] }), known);
    expect(known.before(0)).toBeUndefined();
  });
});

describe('what is kept of a list', () => {
  const page = (text: string) => ({ text: Buffer.from(text), bounds: [], items: [] });

  it('is no more than there is memory for, and is let go when lists need that', () => {
    const memory = createListMemory(1000);
    const known = createKnownList(memory);
    for (const from of [0, 1, 2]) known.keep(from, page('x'.repeat(600)));
    known.done();
    const kept = () => [0, 1, 2].filter((from) => known.before(from));
    expect(kept()).toEqual([0, 1]);
    memory.open().take(400);
    expect(kept()).toEqual([]);
    known.keep(0, page('x'.repeat(600)));
    known.done();
    expect(kept()).toEqual([0]);
  });

  it('is what the last one had, at the offsets that it was asked for with', () => {
    const known = createKnownList();
    for (let offset = 1; offset < 100; offset++) {
      known.keep(0, page('a'));
      known.keep(offset, page('b'));
      known.done();
    }
    const kept = Array.from({ length: 100 }, (_, from) => from).filter((from) => known.before(from));
    expect(kept).toEqual([0, 99]);
  });

  it('is nothing of one that failed, nor of one that was begun anew', () => {
    const known = createKnownList();
    known.keep(0, page('a'));
    known.keep(5, page('b'));
    known.keep(0, page('c'));
    known.done();
    expect([known.before(0)?.text.toString(), known.before(5)]).toEqual(['c', undefined]);
    known.forget();
    expect(known.before(0)).toBeUndefined();
  });

  it.each([
    ['a buffer with room for more', Buffer.alloc(200_000).subarray(0, 100_000)],
    ['the memory that short texts share', Buffer.from('x'.repeat(100))],
  ])('is no more than the text, whatever it was read into: %s', (_, text) => {
    const known = createKnownList();
    known.keep(0, { text, bounds: [], items: Array.from({ length: 100 }) });
    known.done();
    const kept = known.before(0)?.text;
    expect({ bytes: kept?.buffer.byteLength, isSame: kept?.equals(text) }).toEqual({
      bytes: text.length,
      isSame: true,
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
