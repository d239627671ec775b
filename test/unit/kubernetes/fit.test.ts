import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { listMap, listSet } from '../../../src/kubernetes/cel.ts';
import type { KindDefinition } from '../../../src/kubernetes/crd.ts';
import { fitOf } from '../../../src/kubernetes/fit.ts';
import { allDefinitions } from '../../support/definitions.ts';
import { extremesOf } from '../../support/extremes.ts';

const status = z.object({
  id: z.string().max(4).optional(),
  gatewayID: z.string().max(4).optional(),
  applied: z.string().max(4).optional(),
  text: z.string().max(4).optional(),
  count: z.int().min(0).max(10).optional(),
  whole: z.int().optional(),
  word: z.enum(['a', 'b']).optional(),
  when: z.iso.datetime().optional(),
  list: z.array(z.string().max(4)).max(2).optional(),
  set: z.array(z.string().max(4)).max(3).optional().meta(listSet()),
  map: z
    .array(z.object({ key: z.string().max(4), value: z.enum(['a']) }))
    .max(3)
    .optional()
    .meta(listMap('key')),
  record: z.record(z.string(), z.string().max(4)).optional().meta({ maxProperties: 2 }),
  nested: z.object({ must: z.enum(['a']), text: z.string().max(4).optional() }).optional(),
});
const definition: KindDefinition = {
  kind: 'Thing',
  plural: 'things',
  singular: 'thing',
  group: 'example.dev',
  version: 'v1',
  shortNames: [],
  scope: 'Namespaced',
  categories: [],
  description: 'A thing.',
  spec: z.object({}),
  status,
  columns: [],
};
const fit = fitOf(definition, ['applied']);

describe('a status is made to fit', () => {
  it.each([
    ['a text is cut, with an ellipsis', { text: 'abcdef' }, { text: 'abc…' }],
    ['characters count as the apiserver counts them', { text: '🚚🚚🚚🚚' }, { text: '🚚🚚🚚🚚' }],
    ['and are not cut in two', { text: '🚚🚚🚚🚚🚚' }, { text: '🚚🚚🚚…' }],
    ['what fits stays', { text: 'abcd', list: ['a'], count: 10 }, { text: 'abcd', list: ['a'], count: 10 }],
    ['numbers are clamped', { count: 1e300, whole: -1e300 }, { count: 10, whole: Number.MIN_SAFE_INTEGER }],
    ['and made whole', { whole: 1.5, count: -1 }, { whole: 1, count: 0 }],
    ['what is no number goes', { count: Number.NaN }, {}],
    ['a word that is none of those known goes', { word: 'c' }, {}],
    ['a time that is none goes', { when: 'soon' }, {}],
    ['a list is cut', { list: ['a', 'b', 'c'] }, { list: ['a', 'b'] }],
    ['a set has each once, when cut, too', { set: ['abcde', 'abcdf', 'b'] }, { set: ['abc…', 'b'] }],
    [
      'a list by key has each key once, and nothing that lost what it must have',
      {
        map: [
          { key: 'abcde', value: 'a' },
          { key: 'abcdf', value: 'a' },
          { key: 'x', value: 'b' },
        ],
      },
      { map: [{ key: 'abc…', value: 'a' }] },
    ],
    [
      'a map has as many members as it may',
      { record: { a: 'abcde', b: 'b', c: 'c' } },
      { record: { a: 'abc…', b: 'b' } },
    ],
    ['an object that lost what it must have goes', { nested: { must: 'b', text: 'a' } }, {}],
    ['what is not known stays for the apiserver to drop', { other: 'abcdef' }, { other: 'abcdef' }],
    ['what identifies is never cut', { id: 'abcdef', gatewayID: 'abcdef' }, { id: 'abcdef', gatewayID: 'abcdef' }],
    ['nor what work is decided by', { applied: 'abcdef' }, { applied: 'abcdef' }],
  ])('%s', (_, before, after) => {
    expect(fit<object>(before)).toEqual(after);
  });

  it.each(allDefinitions.map((one) => [one.kind, one] as const))('%s: fits once and for all', (_, kind) => {
    fc.assert(
      fc.property(extremesOf(kind), (extreme) => {
        const once = fitOf(kind, [])(extreme);
        expect(fitOf(kind, [])(once)).toEqual(once);
      }),
      { numRuns: 50 },
    );
  });
});
