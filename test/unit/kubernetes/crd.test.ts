import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import {
  atMostOneOf,
  celField,
  exactlyOneOf,
  immutable,
  immutableOnceSet,
  listMap,
  listSet,
  presenceFixed,
  requires,
  validations,
} from '../../../src/kubernetes/cel.ts';
import { type KindDefinition, toCustomResourceDefinition } from '../../../src/kubernetes/crd.ts';
import { toStructuralSchema } from '../../../src/kubernetes/structural-schema.ts';

function define(spec: z.ZodType, more: Partial<KindDefinition> = {}) {
  return toCustomResourceDefinition({
    kind: 'Thing',
    plural: 'things',
    singular: 'thing',
    shortNames: ['th'],
    group: 'example.dev',
    version: 'v1',
    scope: 'Namespaced',
    categories: ['all'],
    description: 'A thing.',
    spec,
    status: z.object({ id: z.string().optional(), observedGeneration: z.int().optional() }),
    columns: [{ name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' }],
    ...more,
  });
}

function structural(schema: z.ZodType, strict = false) {
  return toStructuralSchema(z.toJSONSchema(schema, { target: 'openapi-3.0', io: 'input' }), 'spec', { strict });
}

describe('a CustomResourceDefinition', () => {
  it('is made whole from a kind', () => {
    const spec = z.object({
      size: z.int().min(1).describe('How large.'),
      name: z.string().max(10).describe('How called.').optional(),
    });
    expect(
      define(spec, {
        rules: [requires('name', 'size'), { at: 'root', rule: "self.metadata.name != 'x'", message: 'not x' }],
      }),
    ).toEqual({
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: { name: 'things.example.dev', labels: { 'app.kubernetes.io/name': 'edgeline' } },
      spec: {
        group: 'example.dev',
        scope: 'Namespaced',
        names: {
          kind: 'Thing',
          listKind: 'ThingList',
          plural: 'things',
          singular: 'thing',
          shortNames: ['th'],
          categories: ['all'],
        },
        versions: [
          {
            name: 'v1',
            served: true,
            storage: true,
            subresources: { status: {} },
            additionalPrinterColumns: [{ name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' }],
            schema: {
              openAPIV3Schema: {
                type: 'object',
                description: 'A thing.',
                required: ['spec'],
                properties: {
                  apiVersion: {
                    type: 'string',
                    description: 'The version of the schema this object is written in.',
                  },
                  kind: { type: 'string', description: 'What this object is.' },
                  metadata: { type: 'object' },
                  spec: {
                    type: 'object',
                    description: 'What is wanted.',
                    properties: {
                      size: { type: 'integer', minimum: 1, description: 'How large.' },
                      name: { type: 'string', maxLength: 10, description: 'How called.' },
                    },
                    required: ['size'],
                    'x-kubernetes-validations': [
                      {
                        rule: '!has(self.name) || has(self.size)',
                        message: 'name can be given only together with size',
                        fieldPath: '.name',
                      },
                    ],
                  },
                  status: {
                    type: 'object',
                    description: 'What was observed and done; written by the operator.',
                    'x-kubernetes-map-type': 'atomic',
                    default: { observedGeneration: -1 },
                    properties: { id: { type: 'string' }, observedGeneration: { type: 'integer' } },
                  },
                },
                'x-kubernetes-validations': [{ rule: "self.metadata.name != 'x'", message: 'not x' }],
              },
            },
          },
        ],
      },
    });
  });

  const text = z.string().max(9).describe('Text.');
  const refused: [string, z.ZodType, string][] = [
    ['a field without description', z.object({ a: z.int() }), 'Thing spec.a has no description'],
    [
      'one deep inside',
      z.object({
        a: z
          .array(z.object({ b: z.int() }))
          .max(2)
          .describe('A'),
      }),
      'spec.a[].b has no',
    ],
    ['a string of any length', z.object({ a: z.string().describe('A') }), 'spec.a is a string of any length'],
    ['a list of any length', z.object({ a: z.array(text).describe('A') }), 'spec.a is a list of any length'],
    ['a map of any size', z.object({ a: z.record(z.string(), text).describe('A') }), 'spec.a is a map of any size'],
    ['a default', z.object({ a: z.boolean().default(true).describe('A') }), 'spec.a has a default'],
    ['a union of shapes', z.object({ a: z.union([text, z.int()]).describe('A') }), 'spec.a is a union'],
    ['look-around', z.object({ a: text.regex(/^(?!x)/).describe('A') }), 'spec.a has a pattern RE2 cannot run'],
    [
      'look-around, twice',
      z.object({
        a: text
          .regex(/a/)
          .regex(/(?<=x)/)
          .describe('A'),
      }),
      'RE2 cannot run',
    ],
  ];
  it.each(refused)('is not made of %s', (_, spec, message) => {
    expect(() => define(spec)).toThrow(message);
  });

  it('asks nothing of the kind for a status', () => {
    const status = z.object({ a: z.string(), b: z.array(z.string()) });
    expect(() => define(z.object({}), { status })).not.toThrow();
  });
});

describe('a structural schema', () => {
  const cases: [string, z.ZodType, object][] = [
    ['an integer without zod’s own bounds', z.int(), { type: 'integer' }],
    ['an enum', z.enum(['A', 'B']), { type: 'string', enum: ['A', 'B'] }],
    ['a union of literals', z.union([z.literal('A'), z.literal('B')]), { type: 'string', enum: ['A', 'B'] }],
    ['something nullable', z.string().nullable(), { type: 'string', nullable: true }],
    ['anything at all', z.unknown(), { 'x-kubernetes-preserve-unknown-fields': true }],
    [
      'a map of anything',
      z.record(z.string(), z.unknown()),
      { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
    ],
    ['a map of text', z.record(z.string(), z.string()), { type: 'object', additionalProperties: { type: 'string' } }],
    [
      'a strict object',
      z.strictObject({ a: z.string() }),
      { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] },
    ],
    [
      'a loose object',
      z.looseObject({ a: z.string() }),
      { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] },
    ],
    ['an empty object', z.strictObject({}), { type: 'object' }],
    [
      'an integer or a string',
      z.union([z.int(), z.string()]).meta({ 'x-kubernetes-int-or-string': true }),
      { 'x-kubernetes-int-or-string': true },
    ],
    [
      'two patterns',
      z.string().max(5).regex(/^a/).regex(/b$/),
      { type: 'string', maxLength: 5, allOf: [{ pattern: '^a' }, { pattern: 'b$' }] },
    ],
    [
      'a list that is a map',
      z.array(z.object({ n: z.string() })).meta(listMap('n')),
      {
        type: 'array',
        items: { type: 'object', properties: { n: { type: 'string' } }, required: ['n'] },
        'x-kubernetes-list-type': 'map',
        'x-kubernetes-list-map-keys': ['n'],
      },
    ],
    [
      'a list that is a set',
      z.array(z.string()).meta(listSet()),
      { type: 'array', items: { type: 'string' }, 'x-kubernetes-list-type': 'set' },
    ],
    [
      'a rule on a field',
      z.string().meta(validations(immutable('stays'))),
      {
        type: 'string',
        'x-kubernetes-validations': [{ rule: 'self == oldSelf', message: 'stays', reason: 'FieldValueForbidden' }],
      },
    ],
  ];
  it.each(cases)('says %s', (_, schema, expected) => {
    expect(structural(schema)).toEqual(expected);
  });

  it('keeps formats the apiserver knows, and no others', () => {
    const formats = [z.ipv4(), z.cidrv4(), z.iso.datetime(), z.url(), z.uuid(), z.email()].map(
      (schema) => structural(schema).format,
    );
    expect(formats).toEqual(['ipv4', undefined, 'date-time', 'uri', 'uuid', 'email']);
  });

  it('is not made of an intersection of shapes', () => {
    const crossed = {
      allOf: [
        { type: 'object', properties: {} },
        { type: 'object', additionalProperties: {} },
      ],
    };
    expect(() => toStructuralSchema(crossed, 'spec', { strict: false })).toThrow('is an intersection of shapes');
  });

  it('has no references', () => {
    const shared = z.object({ a: z.string() }).meta({ id: 'shared' });
    expect(() => structural(z.object({ one: shared, two: shared }))).toThrow('is a reference');
  });
});

describe('rules in CEL', () => {
  it.each([
    [exactlyOneOf(['a', 'b']).rule, '(has(self.a) ? 1 : 0) + (has(self.b) ? 1 : 0) == 1'],
    [atMostOneOf(['a', 'b', 'c']).rule, '[has(self.a), has(self.b), has(self.c)].filter(given, given).size() <= 1'],
    [requires('a', 'b').rule, '!has(self.a) || has(self.b)'],
    [immutableOnceSet('a', '').rule, '!has(oldSelf.a) || (has(self.a) && self.a == oldSelf.a)'],
    [presenceFixed('a', '').rule, 'has(self.a) == has(oldSelf.a)'],
    [celField('namespace'), 'self.__namespace__'],
    [celField('a-b'), 'self.a__dash__b'],
  ])('%s', (made, expected) => {
    expect(made).toBe(expected);
  });

  it.each([
    [exactlyOneOf(['a', 'b']).message, 'exactly one of a and b must be given'],
    [atMostOneOf(['a', 'b', 'c']).message, 'at most one of a, b and c may be given'],
    [atMostOneOf(['a', 'b'], 'choose').message, 'choose'],
  ])('say what to write: %s', (made, expected) => {
    expect(made).toBe(expected);
  });
});
