import { assert, integer, property } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Listing, listPage, listQuery, valueAt } from '../../../src/simulator/list-query.ts';

const trucks = [
  { ID: '101', Name: 'red truck north', Size: 3, Provider: { Class: 'sim' }, Tags: ['a'] },
  { ID: '102', Name: 'blue truck north', Size: 10, Provider: { Class: 'sim' }, Tags: ['a', 'b'] },
  { ID: '103', Name: 'blue van', Size: 7, Provider: { Class: 'sim' }, Tags: [] },
];
const listing: Listing<Record<string, unknown>> = { items: trucks, valueOf: valueAt, view: (item) => item };
const encoded = (value: unknown) => encodeURIComponent(JSON.stringify(value));

function listed(query: unknown, pageLimit = 1000): unknown[] {
  const page = listPage(listing, listQuery(encoded(query)), 'Trucks', pageLimit);
  return [
    page['From'],
    page['Count'],
    page['Total'],
    Array.isArray(page['Trucks']) && page['Trucks'].map(({ ID }) => ID),
  ];
}

describe('a list', () => {
  it.each<[string, unknown, unknown[]]>([
    ['gives all without parameters', {}, [0, 3, 3, ['101', '102', '103']]],
    ['takes Count 0 as unset', { From: 0, Count: 0 }, [0, 3, 3, ['101', '102', '103']]],
    ['gives a page', { From: 1, Count: 1 }, [1, 1, 3, ['102']]],
    ['gives an empty page beyond the end', { From: 7 }, [7, 0, 3, []]],
    ['sorts by a number', { Sort: ['Size'] }, [0, 3, 3, ['101', '103', '102']]],
    ['sorts downwards', { Sort: ['-Name'] }, [0, 3, 3, ['101', '103', '102']]],
    ['filters by part of a value, ignoring case', { Filter: { Name: 'TRUCK' } }, [0, 2, 2, ['101', '102']]],
    ['filters by several words', { Filter: { Name: 'blue%20north' } }, [0, 1, 1, ['102']]],
    ['filters by any of several whole values', { Filter: { Name: ['blue van', 'truck'] } }, [0, 1, 1, ['103']]],
    ['filters by a path', { Filter: { 'Provider.Class': 'sim' } }, [0, 3, 3, ['101', '102', '103']]],
    ['filters by an element of a list', { Filter: { Tags: ['b'] } }, [0, 1, 1, ['102']]],
    ['filters by >', { Filter: { 'Size>': 3 } }, [0, 2, 2, ['102', '103']]],
    ['filters by >=', { Filter: { 'Size>=': 3 } }, [0, 3, 3, ['101', '102', '103']]],
    ['filters by <', { Filter: { 'Size<': 10 } }, [0, 2, 2, ['101', '103']]],
    ['filters by <=', { Filter: { 'Size<=': 3 } }, [0, 1, 1, ['101']]],
    ['finds nothing under a field that is not there', { Filter: { Colour: 'red' } }, [0, 0, 0, []]],
  ])('%s', (_, query, expected) => {
    expect(listed(query)).toEqual(expected);
  });

  it('gives no more than the page limit, whatever Count says', () => {
    expect(listed({ Count: 100 }, 2)).toEqual([0, 2, 3, ['101', '102']]);
  });

  it('projects to the paths of Include', () => {
    const page = listPage(listing, listQuery(encoded({ Include: ['Provider.Class'], Count: 1 })), 'Trucks', 10);
    expect(page['Trucks']).toEqual([{ Index: 0, ID: '101', Provider: { Class: 'sim' } }]);
  });

  it('gives everything once, however it is paged', () => {
    assert(
      property(integer({ min: 0, max: 40 }), integer({ min: 1, max: 9 }), (size, count) => {
        const many: Listing<number> = {
          items: Array.from({ length: size }, (_, index) => index),
          valueOf: (item) => item,
          view: (item) => ({ ID: item }),
        };
        const seen: unknown[] = [];
        for (let From = 0; ; ) {
          const page = listPage(many, listQuery(encoded({ From, Count: count })), 'Items', 1000);
          seen.push(...(Array.isArray(page['Items']) ? page['Items'] : []));
          From += Number(page['Count']);
          if (From >= Number(page['Total'])) break;
        }
        expect(seen).toEqual(many.items.map((ID) => ({ Index: ID, ID })));
      }),
    );
  });
});

describe('the query', () => {
  it.each([
    ['raw', '{"Filter":{"Name":"a+b c"},"From":1}'],
    ['percent-encoded', encoded({ Filter: { Name: 'a+b c' }, From: 1 })],
    ['in part encoded', '{"Filter":{"Name":"a+b%20c"},"From":1}'],
  ])('is read %s', (_, query) => {
    expect(listQuery(query)).toEqual({ From: 1, Count: 0, Sort: [], Include: [], Filter: { Name: 'a+b c' } });
  });

  it.each([
    ['Count=1', 'the query: write the parameters as one JSON object, raw or percent-encoded'],
    ['{"From":-1}', 'From: write 0 or more'],
    ['{"Count":"10"}', 'Count: write a whole number'],
    ['{"Sort":"Name"}', 'Sort: write a list of field names'],
    ['{"Include":[1]}', 'Include[0]: write a field path'],
    ['{"Filter":[]}', 'Filter: write an object'],
    ['{"Filter":{"Name":{}}}', 'Filter.Name: write a string, a number or a list of them'],
  ])('%s is refused', (query, message) => {
    expect(() => listQuery(query)).toThrow(message);
  });
});
